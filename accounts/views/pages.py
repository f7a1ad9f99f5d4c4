"""Every page inside an organization begins with this."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django_htmx.middleware import HtmxDetails

from accounts.access import enter
from accounts.actor import Actor
from accounts.models import Role, User
from accounts.services.activity import record_activity
from kit import events, group_cache

P = ParamSpec("P")


class PageRequest(HttpRequest):
    """A request after `organization_page`."""

    user: User
    actor: Actor
    htmx: HtmxDetails
    generation: str
    """A whole page shows the organization as of this one or later (kit.group_cache)."""


Page = Callable[Concatenate[PageRequest, P], HttpResponseBase]


def organization_page(*, role: Role = Role.VIEWER) -> Callable[[Page[P]], Callable[..., HttpResponseBase]]:
    """Lets members with at least this role in and sets `request.actor`; `org_id` is taken out of the path's arguments.

    Strangers get 404, members with too low a role 403, visitors the sign-in page.
    """

    def decorate(view: Page[P]) -> Callable[..., HttpResponseBase]:
        @wraps(view)
        def page(request: PageRequest, org_id: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            request.actor = enter(request.user, org_id, role)
            record_activity(request.actor)
            if not request.htmx:
                # Before the view reads a row: what changes from here on the page's socket says was missed.
                request.generation = group_cache.read_generation(events.organization_group(org_id))
            return view(request, *args, **kwargs)

        return page

    return decorate


def redirect_unless_staying(request: PageRequest, address: str) -> HttpResponse:
    """To where something was taken back, unless the page asks to `stay`: a list of decisions does."""
    if "stay" in request.POST:
        return HttpResponse(status=204)
    return HttpResponse(headers={"HX-Redirect": address}) if request.htmx else redirect(address)

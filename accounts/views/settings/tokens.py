"""Access tokens of an organization's members."""

from __future__ import annotations

from django.contrib import messages
from django.db.models import Q, QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from accounts.actor import Actor
from accounts.forms import TokenForm
from accounts.models import AccessToken, Role
from accounts.services import tokens
from accounts.views.pages import PageRequest, organization_page
from kit.errors import AppError

NO_ANSWER = "Anything that uses it, or a token created with it, has lost access."


@require_GET
@organization_page()
def show(request: PageRequest) -> HttpResponse:
    return _render(request)


@require_POST
@never_cache
@organization_page()
def new_token(request: PageRequest) -> HttpResponse:
    """The answer shows the secret, this once; it is not kept, so there is no page to go to."""
    form = TokenForm(request.POST)
    if not form.is_valid():
        return _render(request, form=form, status=422)
    everywhere, rights = form.cleaned_data["reach"] == "account", form.cleaned_data["rights"]
    try:
        token, secret = tokens.create(
            request.actor.user,
            name=form.cleaned_data["name"],
            organization=None if everywhere else request.actor.organization,
            lifetime_days=form.cleaned_data["lifetime_days"],
            role_ceiling="" if rights == "upload" else rights,
            upload_only=rights == "upload",
        )
    except AppError as error:
        form.add_error(None, error.sentence)
        return _render(request, form=form, status=422)
    return _render(request, new_token=token, secret=secret)


@require_POST
@organization_page()
def revoke_token(request: PageRequest, token_id: str) -> HttpResponse:
    token = get_object_or_404(_list_tokens(request.actor), pk=token_id)
    tokens.revoke(request.actor.user, token=token)
    messages.info(request, f"The token “{token.name}” is revoked. {NO_ANSWER}")
    return redirect("tokens", request.actor.organization.pk)


def _render(request: PageRequest, *, status: int = 200, **state: object) -> HttpResponse:
    context = {
        "section": "settings",
        "subject": "Access tokens",
        "tokens": _list_tokens(request.actor).select_related("user", "connection").order_by("-created_at"),
        "lifetimes": TokenForm.LIFETIMES,
        "reaches": TokenForm.REACHES,
        "rights": TokenForm.RIGHTS,
        "may_administrate": request.actor.may(Role.ADMIN),
    }
    return render(request, "accounts/settings/tokens.html", context | state, status=status)


def _list_tokens(actor: Actor) -> QuerySet[AccessToken]:
    """One's own for this organization and for the whole account; an admin's page has those of every member here."""
    here = Q(organization=actor.organization)
    if not actor.may(Role.ADMIN):
        here &= Q(user=actor.user)
    return AccessToken.objects.filter(here | Q(user=actor.user, organization=None))

"""The saved views beside the navigation, and the menu in which they are made, named, ordered and deleted."""

from __future__ import annotations

from typing import NamedTuple

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET, require_POST

from accounts.actor import Actor
from accounts.models import Role
from accounts.views.pages import PageRequest, organization_page
from documents.find import saved_views
from documents.models import Document, SavedView
from documents.views.find.counts import MAX_EXACT, count_documents, format_number
from kit.errors import AppError, Invalid
from kit.events import organization_group

STEPS = {"up": -1, "down": 1}


class ListedView(NamedTuple):
    """`matches` is None until it has been asked for, and where the filters make no sense any more."""

    view: SavedView
    may_change: bool
    matches: str | None = None


@require_GET
@organization_page()
def menu(request: PageRequest) -> HttpResponse:
    """`query` is what would be saved."""
    return _render_menu(request)


@require_GET
@organization_page()
def counts(request: PageRequest) -> HttpResponse:
    """The views beside the navigation with the number of documents in each."""
    group = organization_group(request.actor.organization.pk)
    views = [
        ListedView(view, may_change=False, matches=_count(request.actor, view, group))
        for view in saved_views.list_views(request.actor)
    ]
    context = {"saved_views": views, "query": request.GET.get("query", "")}
    return render(request, "documents/find/nav_views.html", context)


@require_POST
@organization_page()
def save(request: PageRequest) -> HttpResponse:
    try:
        saved_views.create(
            request.actor,
            name=request.POST.get("name", ""),
            query=request.POST.get("query", ""),
            is_shared="shared" in request.POST,
        )
    except AppError as error:
        return _render_menu(request, problem=error.sentence, typed=request.POST.get("name", ""))
    return _render_menu(request)


@require_POST
@organization_page()
def change(request: PageRequest, view_id: str) -> HttpResponse:
    """`name` renames it; `step` is up or down."""
    view = saved_views.fetch_view(request.actor, view_id)
    try:
        if step := request.POST.get("step"):
            if step not in STEPS:
                raise Invalid("A view is moved up or down.")
            saved_views.move(request.actor, view=view, by=STEPS[step])
        else:
            saved_views.update(request.actor, view=view, name=request.POST.get("name", ""))
    except AppError as error:
        return _render_menu(request, problem=error.sentence)
    return _render_menu(request)


@require_POST
@organization_page()
def delete(request: PageRequest, view_id: str) -> HttpResponse:
    view = saved_views.fetch_view(request.actor, view_id)
    try:
        saved_views.delete(request.actor, view=view)
    except AppError as error:
        return _render_menu(request, problem=error.sentence)
    return _render_menu(request, deleted=view)


def list_for_navigation(actor: Actor) -> list[ListedView]:
    return [ListedView(view, may_change=False) for view in saved_views.list_views(actor)]


def _render_menu(request: PageRequest, **state: object) -> HttpResponse:
    actor = request.actor
    views = [ListedView(view, saved_views.may_change(actor, view)) for view in saved_views.list_views(actor)]
    context = {
        "saved_views": views,
        "query": request.POST.get("query", request.GET.get("query", "")),
        "may_share": actor.may(Role.BUILDER),
        "is_menu": True,
        **state,
    }
    return render(request, "documents/find/views_menu.html", context, status=422 if "problem" in state else 200)


def _count(actor: Actor, view: SavedView, group: str) -> str | None:
    parsed = saved_views.parse_query(actor, view.query)
    if parsed.refusals:
        return None
    number = count_documents(parsed.apply(Document.objects.for_org(actor.organization)), group)
    return format_number(min(number, MAX_EXACT + 1))

"""Tags: the list, and one form to make or change one."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.access import fetch
from accounts.actor import UNDO
from accounts.models import Role
from accounts.views.pages import PageRequest, organization_page, redirect_unless_staying
from documents.definitions import chains, uses
from documents.definitions import tags as services
from documents.models import Tag
from documents.views.forms import TagForm
from documents.views.lists import make_listing, render_list
from kit.errors import AppError, NotFound
from kit.http.undo_buttons import UndoButton
from kit.ids import new_id

SECTION = {"section": "tags"}


@require_GET
@organization_page()
def tags(request: PageRequest) -> HttpResponse:
    listing = make_listing(request, Tag.objects.for_org(request.actor.organization).select_related("created_by"))
    documents, prompts = uses.count_documents_of_tags(listing.rows), uses.count_prompts_of_tags(listing.rows)
    rows = [(tag, documents.get(tag.pk, 0), prompts.get(tag.pk, 0)) for tag in listing.rows]
    return render_list(request, "tag", {"listing": listing, "rows": rows})


@require_http_methods(["GET", "POST"])
@organization_page(role=Role.BUILDER)
def new(request: PageRequest) -> HttpResponse:
    if request.method == "GET":
        return _render_form(request, TagForm())
    form = TagForm(data=request.POST)
    if not form.is_valid():
        return _render_form(request, form)
    values = form.cleaned_data
    try:
        services.create(request.actor, name=values["name"], color=values["color"], description=values["description"])
    except AppError as error:
        return _render_form(request, form, error=error)
    return redirect("tags", request.actor.organization.pk)


@require_http_methods(["GET", "POST"])
@organization_page(role=Role.BUILDER)
def tag(request: PageRequest, tag_id: str) -> HttpResponse:
    row = fetch(request.actor, services.annotate_counts(Tag.objects.all()), tag_id, noun="Tag")
    if request.method == "GET":
        return _render_form(request, TagForm(row), tag=row)
    form = TagForm(row, request.POST)
    if not form.is_valid():
        return _render_form(request, form, tag=row)
    name, description = form.cleaned_data["name"], form.cleaned_data["description"]
    try:
        services.update(request.actor, tag=row, name=name, color=form.new_color, description=description)
    except AppError as error:
        return _render_form(request, form, tag=row, error=error)
    return redirect("tags", request.actor.organization.pk)


@require_POST
@organization_page(role=Role.BUILDER)
def delete(request: PageRequest, tag_id: str) -> HttpResponse:
    row = fetch(request.actor, Tag.objects.all(), tag_id, noun="Tag")
    services.delete(request.actor, tag=row)
    values = {"name": row.name, "color": row.color, "description": row.description}
    undo = UndoButton(reverse("tag-restore", args=(request.actor.organization.pk, tag_id)), values, key=new_id())
    messages.info(request, f"The tag “{row.name}” is deleted.", extra_tags=undo.as_tag())
    return redirect("tags", request.actor.organization.pk)


@require_POST
@organization_page(role=Role.BUILDER)
def restore(request: PageRequest, tag_id: str) -> HttpResponse:
    """A tag that has just been deleted, with the id it had. 404 for an id that this organization has not deleted."""
    if not services.was_deleted(request.actor, tag_id):
        raise NotFound("Tag not found")
    sent = {name: request.POST.get(name, "") for name in ("name", "color", "description")}
    row = services.restore(request.actor.because(UNDO), tag_id=tag_id, **sent)
    messages.info(request, f"The tag “{row.name}” is back.")
    return redirect_unless_staying(request, reverse("tags", args=(request.actor.organization.pk,)))


def _render_form(request: PageRequest, form: TagForm, **state: Any) -> HttpResponse:
    status = 422 if request.method == "POST" else 200
    tag = state.get("tag")
    context = {"form": form, "may_build": True, "chain": chains.trace_tag(tag) if tag else None, **state}
    return render(request, "documents/tags/form.html", SECTION | context, status=status)

"""What a person says about a document, edited in place: its name and its metadata."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from accounts.access import fetch
from accounts.models import Role
from accounts.views.pages import PageRequest, organization_page
from documents import document_changes
from documents.models import Document, TypeDecision
from documents.types.catalogue import find_type, list_types
from documents.types.telling import confirm_type
from documents.views.document_page.detail import render_topbar
from documents.views.undo_lines import choose_actor, describe_renamed, make_undo
from kit.errors import AppError, Conflict


@require_http_methods(["GET", "POST"])
@organization_page(role=Role.REVIEWER)
def name(request: PageRequest, document_id: str) -> HttpResponse:
    """GET gives the head of the document with a field for the name; POST saves it, where it is still what was `seen`.

    After a Conflict the field has seen the other name, so saving again is meant.
    """
    document = fetch(request.actor, Document.objects.all(), document_id, noun="Document")
    if request.method == "GET":
        return render_topbar(request, document_id, renaming=True)
    typed, seen = request.POST.get("name", ""), request.POST.get("seen")
    before = document.name
    try:
        document_changes.rename(request.actor, document=document, name=typed, name_seen=seen)
    except AppError as error:
        seen = None if isinstance(error, Conflict) else seen
        state = {"renaming": True, "typed": typed, "seen": seen, "problem": error.sentence}
        return render_topbar(request, document_id, status=422, **state)
    return render_topbar(request, document_id, done=describe_renamed(request, document, before))


@require_http_methods(["GET", "POST"])
@organization_page(role=Role.REVIEWER)
def document_type(request: PageRequest, document_id: str) -> HttpResponse:
    """GET gives the types to choose from. POST: a person says what the document is, without a type the rules tell it
    again; with `confirm` documents like it get it too, which is asked for here alone, where its pages are in view."""
    document = fetch(request.actor, Document.objects.select_related("type_decision"), document_id, noun="Document")
    if request.method == "GET":
        decision: TypeDecision | None = getattr(document, "type_decision", None)
        state = {
            "document": document,
            "types": list_types(request.actor.organization).filter(is_on=True),
            "decision": decision,
            "is_by_person": decision is not None and decision.source == TypeDecision.Source.PERSON,
        }
        return render(request, "documents/facts/type_choices.html", state)
    type_id = request.POST.get("type", "")
    chosen = find_type(request.actor.organization, type_id) if type_id else None
    if chosen and "confirm" in request.POST:
        confirm_type(request.actor, document=document, document_type=chosen)
    else:
        document_changes.set_type(request.actor, document=document, document_type=chosen)
    if not request.htmx:
        return redirect("document", request.actor.organization.pk, document.pk)
    return render_topbar(request, document_id)


@require_http_methods(["GET", "POST"])
@organization_page()
def metadata(request: PageRequest, document_id: str) -> HttpResponse:
    """The pairs. POST sets `key` to `value`, or with `remove` takes it away, where it is still what was `seen`."""
    document = fetch(request.actor, Document.objects.all(), document_id, noun="Document")
    if request.method == "GET":
        return _render_metadata(request, document)
    request.actor.require(Role.REVIEWER)
    sent = request.POST
    key, seen = sent.get("key", "").strip(), sent.get("seen")
    value = None if "remove" in sent else sent.get("value", "").strip()
    try:
        changed = document_changes.change_metadata(
            choose_actor(request), document=document, key=key, value=value, value_seen=seen
        )
    except AppError as error:
        document.refresh_from_db()
        return _render_metadata(request, document, problem=error.sentence, problem_key=key, typed=value or "")
    if not request.htmx:
        return redirect("document", request.actor.organization.pk, document.pk)
    values = {"key": key, **_make_values("seen", value), **(_make_values("value", seen) or {"remove": "1"})}
    undo = None
    if "undo" not in sent:
        undo = make_undo(request, "document-metadata", document, values=values | {"undo": "1"})
    return _render_metadata(request, changed, undo=undo, changed_key=key, is_removed=value is None)


def _make_values(name: str, value: str | None) -> dict[str, str]:
    return {} if value is None else {name: value}


def _render_metadata(request: PageRequest, document: Document, **state: object) -> HttpResponse:
    context = {
        "document": document,
        "pairs": sorted(document.metadata.items()),
        "may_review": request.actor.may(Role.REVIEWER),
        **state,
    }
    return render(request, "documents/facts/metadata.html", context, status=422 if "problem" in state else 200)

"""The tag picker's list, and the tags of one document changed by it."""

from __future__ import annotations

from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from accounts.access import fetch
from accounts.actor import UNDO
from accounts.models import Role
from accounts.views.pages import PageRequest, organization_page
from documents.definitions import tags
from documents.document_changes import TagChange, change_tags, undo_tagging
from documents.models import Document
from documents.views.tagging.options import build_options, name_prompts
from kit.http.undo_buttons import UndoButton
from kit.ids import new_id

MAX_QUERY = 200
# Of new tags made here, one after the other: told apart at a glance, and readable on light and dark.
COLORS = ("#3B82F6", "#2F7F86", "#8A4F9E", "#A15C2A", "#4D7C0F", "#B4437A", "#5B6BC0", "#8A6D00")


@require_GET
@organization_page(role=Role.REVIEWER)
def options(request: PageRequest) -> HttpResponse:
    """Of `document`, else with the tags `chosen`; `q` finds by name."""
    document_id = request.GET.get("document")
    document = fetch(request.actor, Document.objects.all(), document_id, noun="Document") if document_id else None
    query = request.GET.get("q", "").strip()[:MAX_QUERY]
    offered = build_options(request.actor, document=document, chosen=request.GET.getlist("chosen"), query=query)
    context = {"offered": offered, "may_build": request.actor.may(Role.BUILDER)}
    return render(request, "documents/tagging/options.html", context)


@require_POST
@organization_page(role=Role.REVIEWER)
def change(request: PageRequest, document_id: str) -> HttpResponse:
    """`add` or `remove` a tag, or make the one of `new_name` and add it. `undo` takes back an `add` and its `run`s."""
    document = fetch(request.actor, Document.objects.all(), document_id, noun="Document")
    if not request.htmx:
        _change(request, document)
        return redirect("document", request.actor.organization.pk, document.pk)
    change = _change(request, document)
    is_undo = "undo" in request.POST or "again" in request.POST
    context = {
        "document": change.document,
        "tags": change.document.tags.all(),
        "words": _describe_change(change),
        "undo": None if is_undo else UndoButton(request.path, _list_undo_values(change), key=new_id()),
    }
    return render(request, "documents/tagging/changed.html", context)


def _describe_change(change: TagChange) -> str:
    """Empty where nothing has changed."""
    name = change.document.name
    words = [f"“{tag.name}” is set on {name}." for tag in change.added]
    words += [f"“{tag.name}” is removed from {name}." for tag in change.removed]
    if prompts := name_prompts([run.prompt_revision.prompt.name for run in change.runs if run.prompt_revision]):
        words.append(f"It runs {prompts}.")
    words += [f"Held: {held_run.reason}" for held_run in change.held_runs]
    return " ".join(words)


def _list_undo_values(change: TagChange) -> dict[str, str | list[str]]:
    """What takes it back: sent to this address again."""
    if change.added:
        ids = " ".join(tag.pk for tag in change.added)
        return {"undo": ids, "runs": " ".join(run.pk for run in change.runs)}
    return {"add": [tag.pk for tag in change.removed], "again": "1"}


def _change(request: PageRequest, document: Document) -> TagChange:
    sent = request.POST
    if "undo" in sent:
        runs = sent.get("runs", "").split()
        return undo_tagging(request.actor, document=document, tag_ids=sent["undo"].split(), run_ids=runs)
    # Nothing runs a second time because somebody has changed his mind.
    run = "again" not in sent
    actor = request.actor if run else request.actor.because(UNDO)
    added = sent.getlist("add")
    with transaction.atomic():
        if name := sent.get("new_name", "").strip():
            added.append(create_tag(request, name))
        return change_tags(actor, document=document, add=added, remove=sent.getlist("remove"), run=run)


def create_tag(request: PageRequest, name: str) -> str:
    """Its key. It gets the colour after that of the last one."""
    count = tags.count_tags(request.actor)
    return tags.create(request.actor, name=name, color=COLORS[count % len(COLORS)]).pk

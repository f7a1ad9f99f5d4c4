"""Prompts that do not fit the type of a document: those of its tags that wait, and one that somebody runs by hand."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_POST

from accounts.access import fetch
from accounts.models import Role
from accounts.views.pages import PageRequest, organization_page
from documents import extractions, held_decisions
from documents.holding import ANOTHER_TYPE
from documents.models import Document, HeldRun, PromptRevision
from documents.views.document_page.detail import build_context, render_panel
from kit.errors import Conflict
from kit.ids import is_id


@dataclass(frozen=True)
class Question:
    """A question that is asked once before a prompt runs by hand on a document of another type."""

    sentence: str
    revision_id: str
    model: str


@require_POST
@organization_page(role=Role.REVIEWER)
def run(request: PageRequest, document_id: str) -> HttpResponseBase:
    """`prompt_revision` runs on the document, with `model` when one was chosen, and `anyway` on any type."""
    document = fetch(request.actor, Document.objects.all(), document_id, noun="Document")
    chosen, model = request.POST.get("prompt_revision", ""), request.POST.get("model", "")
    revision = fetch(request.actor, PromptRevision.objects.select_related("prompt"), chosen, noun="Prompt")
    try:
        extractions.start_by_hand(
            request.actor, document=document, prompt_revision=revision, model=model, anyway="anyway" in request.POST
        )
    except Conflict as error:
        if error.code != ANOTHER_TYPE:
            raise
        context = build_context(request, document_id, tab="extraction")
        context["ask"] = Question(error.sentence, revision.pk, model)
        return render(request, "documents/panel.html" if request.htmx else "documents/document.html", context)
    return render_panel(request, document_id)


@require_POST
@organization_page(role=Role.REVIEWER)
def decide(request: PageRequest, document_id: str, held_id: str) -> HttpResponseBase:
    """`decision` is run or untag."""
    rows = HeldRun.objects.filter(document=document_id if is_id(document_id) else None, document__trashed_at=None)
    related = rows.select_related("document", "prompt__latest", "decided_by")
    held_run = fetch(request.actor, related, held_id, noun="Held run")
    held_decisions.decide(request.actor, held_run=held_run, decision=request.POST.get("decision", ""))
    return render_panel(request, document_id)

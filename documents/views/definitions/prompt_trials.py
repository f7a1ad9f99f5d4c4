"""A prompt tried on one document: the values of the run come to the page of the prompt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Exists, OuterRef
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from accounts.access import fetch
from accounts.actor import Actor
from accounts.models import Role
from accounts.views.pages import PageRequest, organization_page
from documents import extractions
from documents.checks.judging import iterate_failures
from documents.extractions.extraction_view.shapes import ExtractionView, Item
from documents.extractions.extraction_view.view_builder import build_view
from documents.models import Document, Extraction, Prompt, PromptRevision, Reading
from kit.http.bodies import Body, takes
from kit.rows.models import fold_case

MAX_TO_TRY = 8
MAX_VALUES = 12
UNDER_WAY = (Extraction.Status.QUEUED, Extraction.Status.RUNNING)


@dataclass(frozen=True)
class PromptTrial:
    """A run of one of the prompt's versions. `view` is None until it has values."""

    run: Extraction
    view: ExtractionView | None

    @property
    def is_under_way(self) -> bool:
        return self.run.status in UNDER_WAY

    @property
    def items(self) -> Sequence[Item]:
        return self.view.items[:MAX_VALUES] if self.view else ()

    @property
    def more_count(self) -> int:
        return max(0, len(self.view.items) - MAX_VALUES) if self.view else 0

    @property
    def failures(self) -> list[str]:
        """The sentences of the checks that fail."""
        return list(dict.fromkeys(result["message"] for result in iterate_failures(self.run.check_results)))


def find_trial(actor: Actor, prompt: Prompt, extraction_id: str) -> PromptTrial | None:
    """None where there is no such run of this prompt, on a document that is still there."""
    rows = Extraction.objects.select_related("document", "prompt_revision__prompt", "schema_revision")
    of_prompt = rows.filter(prompt_revision__prompt=prompt, document__organization=actor.organization)
    run = of_prompt.filter(pk=extraction_id, document__trashed_at=None).first()
    if run is None:
        return None
    return PromptTrial(run, build_view(run) if run.status == Extraction.Status.COMPLETED else None)


def list_to_try(actor: Actor, query: str = "") -> list[Document]:
    """The newest documents whose pages are read."""
    read = Exists(Reading.objects.filter(document=OuterRef("pk"), status=Reading.Status.COMPLETED))
    documents = Document.objects.for_org(actor.organization).filter(read, name_folded__contains=fold_case(query))
    return list(documents.order_by("-created_at", "-pk")[:MAX_TO_TRY])


@require_GET
@organization_page(role=Role.REVIEWER)
def to_try(request: PageRequest) -> HttpResponse:
    """Documents to choose from whose name contains `q`, for the form of a prompt's page."""
    query = request.GET.get("q", "").strip()
    context = {"documents": list_to_try(request.actor, query), "query": query, "most_to_try": MAX_TO_TRY}
    return render(request, "documents/prompts/to_try.html", context)


@require_POST
@organization_page(role=Role.REVIEWER)
@takes(Body.TEXT)
def try_out(request: PageRequest, prompt_id: str) -> HttpResponse:
    """Runs the version `revision` (else the latest) on `document`; the page of that version then shows the values."""
    head = fetch(request.actor, Prompt.objects.select_related("latest"), prompt_id, noun="Prompt")
    accepted = head.revisions.filter(status=PromptRevision.Status.ACCEPTED)
    revision = get_object_or_404(accepted, pk=request.POST.get("revision") or head.latest_id)
    document = fetch(request.actor, Document.objects.all(), request.POST.get("document"), noun="Document")
    run = extractions.start(request.actor, document=document, prompt_revision=revision)
    address = reverse("prompt", args=(request.actor.organization.pk, head.pk))
    return redirect(f"{address}?version={revision.number}&tried={run.pk}#tried")


@require_GET
@organization_page(role=Role.REVIEWER)
def show_trial(request: PageRequest, prompt_id: str, extraction_id: str) -> HttpResponse:
    """Shows how far the run is, then its values; the page asks again until it has ended."""
    head = fetch(request.actor, Prompt.objects.all(), prompt_id, noun="Prompt")
    trial = find_trial(request.actor, head, extraction_id)
    return render(request, "documents/prompts/trial.html", {"trial": trial, "prompt": head})

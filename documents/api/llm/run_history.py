"""The runs of a document: all of them with what became of each, and one whole."""

from __future__ import annotations

from typing import Annotated

from django.db.models import Exists, OuterRef
from pydantic import Field as About
from rest_framework.request import Request
from typing_extensions import TypedDict

from accounts.access import fetch
from accounts.actor import Actor
from accounts.api.access import OrganizationView
from accounts.api.wire import conditions
from accounts.api.wire.answers import Id, Page, Timestamp
from accounts.api.wire.described import Choice, Text, describe, describe_window
from accounts.api.wire.fields import read_choice
from accounts.api.wire.pagination import count_rows, read_window
from accounts.api.wire.responses import Answer
from accounts.models import Role
from documents.api import extraction_answers as answers
from documents.api.answers import PromptId
from documents.api.documents import fetch_document
from documents.api.llm.prompt_results import DEFAULT, represent
from documents.api.llm.provenance import INCLUDE, read_include
from documents.definitions import prompts
from documents.models import Document, Extraction, FieldEdit, Verification
from kit.ids import is_id
from kit.paging import part_of
from kit.timestamps import format_timestamp


class PastRun(TypedDict):
    """A run of a prompt on the document, without its values."""

    extraction_id: Id
    number: Annotated[int, About(description="Counts the runs on the document.")]
    status: answers.RunStatus
    reason: Annotated[str, About(description="Why it failed, or what its last try failed with.")]
    is_current: Annotated[bool, About(description="Its values are those that `llm/result?prompt_id=` gives.")]
    prompt_id: PromptId
    prompt_revid: PromptId
    prompt_version: int
    prompt_display_name: str
    schema_revid: Id | None
    model: str
    is_edited: bool
    is_verified: Annotated[bool, About(description="As a whole.")]
    failed_check_count: int
    pages_seen: list[int]
    page_count: int
    created_at: Timestamp
    finished_at: Timestamp | None


class PastRunPage(Page):
    """A page of the runs on a document, the newest first."""

    extractions: list[PastRun]


class Extractions(OrganizationView):
    """Every run on the document, those that failed or were taken back too, whichever prompt they are of."""

    roles = {"GET": Role.VIEWER}

    @describe(
        "List the runs on a document",
        query=[
            *describe_window(maximum=1000),
            Text("prompt_id", "Of this prompt, or `default` for the summary."),
            Choice("status", "In this state.", allowed=Extraction.Status.values),
        ],
    )
    def get(self, request: Request, document_id: str) -> Answer[PastRunPage]:
        document = fetch_document(self.actor, document_id)
        rows = document.extractions.select_related("prompt_revision__prompt").defer("result", "current", "raw")
        if status := read_choice(request, "status", "", tuple(Extraction.Status.values)):
            rows = rows.filter(status=status)
        if prompt_id := request.query_params.get("prompt_id"):
            named = prompt_id if is_id(prompt_id) else ""
            rows = rows.filter(prompt_revision__prompt=None if prompt_id == DEFAULT else named)
        marks = Verification.objects.filter(extraction=OuterRef("pk"), where="", cleared_at=None)
        edited = Exists(FieldEdit.objects.filter(extraction=OuterRef("pk")))
        at = read_window(request, maximum=1000)
        part = part_of(rows.annotate(is_edited=edited, is_verified=Exists(marks)).order_by("-number"), at)
        current = _list_current(document)
        runs = [_serialize(run, is_current=run.pk in current) for run in part.rows]
        return Answer({"extractions": runs, **count_rows(part, at)})


class OneExtraction(OrganizationView):
    """A run with its values, also one that a newer run has replaced."""

    is_conditional = True
    roles = {"GET": Role.VIEWER}

    @describe("Get a run with its values", query=[INCLUDE])
    def get(
        self, request: Request, document_id: str, extraction_id: str
    ) -> Answer[answers.LLMResult] | conditions.NotModified:
        with_proof = read_include(request)
        extraction = fetch_extraction(self.actor, document_id, extraction_id)
        return conditions.answer_unless_known(request, represent(extraction, with_proof=with_proof))


def fetch_extraction(actor: Actor, document_id: str, extraction_id: str) -> Extraction:
    """A completed or withdrawn run of a document that is not in the trash. Raises NotFound."""
    fetch_document(actor, document_id)
    rows = Extraction.objects.filter(document=document_id, status__in=_WITH_VALUES).select_related(
        "schema_revision", "prompt_revision__prompt", "reading", "document"
    )
    return fetch(actor, rows, extraction_id, noun="Extraction")


_WITH_VALUES = (Extraction.Status.COMPLETED, Extraction.Status.WITHDRAWN)


def _list_current(document: Document) -> set[str]:
    """The newest completed run of each prompt: of its newest revision that has one."""
    runs = document.extractions.filter(status=Extraction.Status.COMPLETED)
    runs = runs.order_by("prompt_revision__number", "number")
    return set(dict(runs.values_list("prompt_revision__prompt", "pk")).values())


def _serialize(run: Extraction, *, is_current: bool) -> PastRun:
    revision = run.prompt_revision
    return {
        "extraction_id": run.pk,
        "number": run.number,
        "status": run.status,
        "reason": run.reason,
        "is_current": is_current,
        "prompt_id": revision.prompt_id if revision else DEFAULT,
        "prompt_revid": revision.pk if revision else DEFAULT,
        "prompt_version": revision.number if revision else 1,
        "prompt_display_name": revision.prompt.name if revision else prompts.DEFAULT_NAME,
        "schema_revid": run.schema_revision_id,
        "model": run.model,
        "is_edited": run.is_edited,  # type: ignore[attr-defined]
        "is_verified": run.is_verified,  # type: ignore[attr-defined]
        "failed_check_count": run.failed_check_count,
        "pages_seen": run.coverage,
        "page_count": run.page_count,
        "created_at": format_timestamp(run.created_at),
        "finished_at": format_timestamp(run.finished_at) if run.finished_at else None,
    }

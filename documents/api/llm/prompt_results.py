"""Results of prompts on a document: read, corrected, deleted, saved as a file."""

from __future__ import annotations

import json
from collections.abc import Sequence

from django.db.models import QuerySet
from django.utils import timezone
from rest_framework import serializers
from rest_framework.request import Request

from accounts.access import fetch
from accounts.actor import Actor
from accounts.api.access import OrganizationView
from accounts.api.wire import conditions
from accounts.api.wire.described import Flag, Text, describe
from accounts.api.wire.fields import RequestBody, StrictTextField, TrueOrFalse, read_flag
from accounts.api.wire.responses import Answer, JsonText
from accounts.models import Role
from documents import extractions, values
from documents.api import extraction_answers as answers
from documents.api.documents import fetch_document
from documents.api.llm.provenance import INCLUDE, MAX_LETTERS, prove_leaves, read_include
from documents.catalog.row_versions import get_extraction_version
from documents.checks.findings import CheckResult
from documents.definitions import prompts
from documents.extractions import edits
from documents.extractions.draft import describe_note
from documents.extractions.edits.verifying import MAX_REASON
from documents.extractions.extraction_view.field_marks import fetch_marks
from documents.extractions.field_proofs import FieldProofs
from documents.models import Document, Extraction, Prompt, PromptRevision
from kit.errors import AppError, Invalid, NotFound
from kit.http.bodies import Body
from kit.timestamps import format_timestamp

DEFAULT = "default"
NO_RESULT = "LLM result not found"
PROMPT_NAME_CHARACTERS = 100


_REVID = Text("prompt_revid", "A prompt revision, or `default` for the summary.", required=True)


class NoPromptNamed(AppError):
    status = 422


class NewResult(RequestBody):
    updated_llm_result = serializers.DictField(child=serializers.JSONField(allow_null=True))
    is_verified = TrueOrFalse(default=False)
    reason_for_failed_checks = StrictTextField(required=False, allow_blank=True, max_length=MAX_REASON)


class Result(OrganizationView):
    """What a prompt found in a document, with the corrections of people on top."""

    body_kind = Body.TEXT
    is_conditional = True
    roles = {"GET": Role.VIEWER, "PUT": Role.REVIEWER, "DELETE": Role.REVIEWER}
    bodies = {"PUT": NewResult}

    @describe(
        "Get a result",
        query=[
            Text("prompt_revid", "A prompt revision, or `default`. This or prompt_id is needed."),
            Text("prompt_id", "A prompt: its newest version that has a result."),
            Flag("prompt_revid_fallback", "Else the newest result of the same prompt."),
            Flag("fallback", "The old name of prompt_revid_fallback."),
            INCLUDE,
        ],
        refusals={404: ["LLM result not found for this document and prompt"]},
    )
    def get(self, request: Request, document_id: str) -> Answer[answers.LLMResult] | conditions.NotModified:
        document, query = fetch_document(self.actor, document_id), request.query_params
        with_proof = read_include(request)
        fallback = read_flag(request, "prompt_revid_fallback", False) or read_flag(request, "fallback", False)
        if revid := query.get("prompt_revid"):
            revision = fetch_prompt_revision(self.actor, revid)
            extraction = extractions.get_newest_of(document, revision)
            if extraction is None and fallback and revision:
                extraction = _find_newest_of_prompt(document, revision.prompt_id)
        elif prompt_id := query.get("prompt_id"):
            extraction = _find_newest_of_named_prompt(self.actor, document, prompt_id)
        else:
            raise NoPromptNamed("Either prompt_id or prompt_revid is required")
        if extraction is None:
            raise NotFound(f"{NO_RESULT} for this document and prompt")
        return conditions.answer_unless_known(request, represent(extraction, with_proof=with_proof))

    @describe(
        "Correct a result",
        query=[_REVID],
        refusals={
            400: ["Updated result signature does not match original: the top-level names differ."],
            404: ["Prompt not found"],
            409: ["There is a newer run of this prompt. Load the page again and change the value there."],
        },
    )
    def put(self, request: Request, document_id: str) -> Answer[answers.LLMResult]:
        """The whole result with corrections; what differs is kept as edits of yours."""
        document, revision = fetch_document(self.actor, document_id), _require_revision(self.actor, request)
        sent, expected = self.read_body(), conditions.read_expected_versions(request)
        extraction = extractions.get_newest_of(document, revision)
        if extraction is None:
            raise Invalid(f"{NO_RESULT}: run the prompt on this document first.")
        with conditions.name_winner(lambda: _represent_newest(document, revision)):
            changed = edits.replace_result(
                self.actor,
                extraction=extraction,
                result=sent["updated_llm_result"],
                verified=sent["is_verified"],
                reason=sent.get("reason_for_failed_checks", ""),
                expected_versions=expected,
            )
        return conditions.answer(represent(changed))

    @describe("Delete a result", query=[_REVID], refusals={404: ["Prompt not found", NO_RESULT]})
    def delete(self, request: Request, document_id: str) -> Answer[answers.Deletion]:
        """It is withdrawn; its history stays."""
        document, revision = fetch_document(self.actor, document_id), _require_revision(self.actor, request)
        expected = conditions.read_expected_versions(request)
        with conditions.name_winner(lambda: _represent_newest(document, revision)):
            number = extractions.withdraw_all(
                self.actor, document=document, prompt_revision=revision, expected_versions=expected
            )
        if not number:
            raise NotFound(NO_RESULT)
        return Answer({"status": "success", "message": "LLM result deleted"})


def represent(extraction: Extraction, *, with_proof: bool = False) -> conditions.Representation[answers.LLMResult]:
    body = serialize_result(extraction)
    if with_proof:
        add_proofs([extraction], [body])
    return conditions.Representation(body, get_extraction_version(extraction))


def add_proofs(runs: Sequence[Extraction], bodies: Sequence[answers.Provenance]) -> None:
    """What the values of each rest on, of all together as much as has room, in two queries."""
    marks, room = fetch_marks(runs), MAX_LETTERS
    for run, body in zip(runs, bodies, strict=True):
        proofs = FieldProofs(run, marks[run.pk])
        part = prove_leaves(proofs, proofs.list_leaves(), maximum=room)
        room = max(0, room - part.letters)
        body["provenance"] = {field["path"]: field for field in part.fields}
        if part.is_cut:
            body["provenance_next_skip"] = len(part.fields)


def _represent_newest(
    document: Document, revision: PromptRevision | None
) -> conditions.Representation[answers.LLMResult]:
    """Raises NotFound when there is none any more."""
    newest = extractions.get_newest_of(document, revision)
    if newest is None:
        raise NotFound(NO_RESULT)
    return represent(newest)


class ResultsFile(OrganizationView):
    """The current results of all prompts on a document, as a JSON file."""

    roles = {"GET": Role.VIEWER}

    @describe(
        "Download the results of a document",
        query=[INCLUDE],
        refusals={404: ["LLM results for this document not found"]},
    )
    def get(self, request: Request, document_id: str) -> JsonText[answers.SavedResults]:
        document, with_proof = fetch_document(self.actor, document_id), read_include(request)
        newest = _list_newest_of_each(document)
        if not newest:
            raise NotFound(f"{NO_RESULT}s for this document")
        results = [_serialize_for_file(extraction) for extraction in newest]
        if with_proof:
            add_proofs(newest, results)
        whole: answers.SavedResults = {
            "document_id": document.pk,
            "organization_id": document.organization_id,
            "document_name": document.name,
            "extraction_date": format_timestamp(timezone.now()),
            "results": results,
        }
        answer: JsonText[answers.SavedResults] = JsonText(json.dumps(whole, indent=2, ensure_ascii=False).encode())
        answer["Content-Disposition"] = f'attachment; filename="llm_results_{document.pk}.json"'
        answer["X-Content-Type-Options"] = "nosniff"
        return answer


def fetch_prompt_revision(actor: Actor, revid: str) -> PromptRevision | None:
    """The revision; None for the default prompt. An unknown one is never taken for the default: NotFound."""
    if revid == DEFAULT:
        return None
    rows = PromptRevision.objects.select_related("prompt", "schema_revision")
    return fetch(actor, rows, revid, noun="Prompt")


def _require_revision(actor: Actor, request: Request) -> PromptRevision | None:
    revid = request.query_params.get("prompt_revid")
    if not revid:
        raise NoPromptNamed("prompt_revid is required")
    return fetch_prompt_revision(actor, revid)


def _find_newest_of_named_prompt(actor: Actor, document: Document, prompt_id: str) -> Extraction | None:
    if prompt_id == DEFAULT:
        return extractions.get_newest_summary(document)
    # A deleted prompt's results are still there to be read.
    rows = Prompt.objects.filter(organization=actor.organization, pk=prompt_id)
    prompt = rows.first()
    return _find_newest_of_prompt(document, prompt.pk) if prompt else None


def _find_newest_of_prompt(document: Document, prompt_id: str) -> Extraction | None:
    """Of the newest version that has a result."""
    runs = _list_completed(document).filter(prompt_revision__prompt=prompt_id)
    return runs.order_by("-prompt_revision__number", "-number").first()


def _list_completed(document: Document) -> QuerySet[Extraction, Extraction]:
    rows = document.extractions.filter(status=Extraction.Status.COMPLETED)
    return rows.select_related("prompt_revision__prompt").prefetch_related("edits", "verifications")


def _list_newest_of_each(document: Document) -> list[Extraction]:
    newest: dict[str | None, Extraction] = {}
    for extraction in _list_completed(document).order_by("-number"):
        newest.setdefault(extraction.prompt_revision_id, extraction)
    return list(newest.values())


def serialize_result(extraction: Extraction) -> answers.LLMResult:
    """The run as the published clients read it, and beside it which model ran and which pages it saw."""
    revision, marks = extraction.prompt_revision, _serialize_marks(extraction)
    return {
        "prompt_revid": revision.pk if revision else DEFAULT,
        "prompt_id": revision.prompt_id if revision else DEFAULT,
        "prompt_version": revision.number if revision else 1,
        "prompt_display_name": revision.prompt.name if revision else prompts.DEFAULT_NAME,
        "document_id": extraction.document_id,
        "llm_result": values.strip_row_ids(extraction.result),
        "updated_llm_result": values.strip_row_ids(extraction.current),
        "check_results": [serialize_check(extraction, result) for result in extraction.check_results],
        "is_edited": marks["is_edited"],
        "is_verified": marks["is_verified"],
        "created_at": marks["created_at"],
        "updated_at": marks["updated_at"],
        "extraction_id": extraction.pk,
        "model": extraction.model,
        "pages_seen": extraction.coverage,
        "page_count": extraction.page_count,
        "pages_missing": extraction.pages_missing,
        "notes": [describe_note(note) for note in extraction.conflicts],
    }


def serialize_check(extraction: Extraction, result: CheckResult) -> answers.CheckResult:
    return {
        "check": result["check"],
        "kind": result["kind"],
        "status": result["status"],
        "message": result["message"],
        "paths": [values.get_wire_path(extraction.current, place) for place in result["places"]],
    }


def _serialize_marks(extraction: Extraction) -> answers.ResultMarks:
    edited = list(extraction.edits.all())
    verified = [mark for mark in extraction.verifications.all() if mark.cleared_at is None and not mark.where]
    finished_at = extraction.finished_at or extraction.created_at
    times = [finished_at, *(row.created_at for row in [*edited, *verified])]
    return {
        "is_edited": bool(edited),
        "is_verified": bool(verified),
        "created_at": format_timestamp(finished_at),
        "updated_at": format_timestamp(max(times)),
    }


def _serialize_for_file(extraction: Extraction) -> answers.SavedResult:
    revision = extraction.prompt_revision
    content = revision.content if revision else prompts.DEFAULT_CONTENT
    return {
        "extraction_id": extraction.pk,
        "prompt_revid": revision.pk if revision else DEFAULT,
        "prompt_name": content[:PROMPT_NAME_CHARACTERS],
        "prompt_version": revision.number if revision else 1,
        "extraction_result": values.strip_row_ids(extraction.current),
        "metadata": _serialize_marks(extraction),
    }

"""What a proposed prompt brings of documents like the one that it was designed for. Only its proposal has the values.

Whoever accepts may have a trial kept as the document's extraction: then it is stored as it is, and not paid twice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypedDict, cast

from accounts.actor import Actor
from documents import extractions
from documents.autosetup.siblings import list_siblings
from documents.extractions import ExtractionDraft
from documents.extractions.proof_notes import describe_proof
from documents.extractions.storing import get_columns
from documents.models import Document, Extraction, PromptRevision, Proposal, ProposalSibling, Revision
from documents.reading.reading import get_newest
from documents.values import strip_row_ids
from kit.errors import AppError, Invalid
from kit.json_types import Json, JsonObject
from llm.money.spending import BudgetAccount

MAX_ROWS, MAX_TEXT, MAX_NOTES = 3, 200, 20


class Trial(TypedDict):
    """`draft` as `ExtractionDraft.as_json` gives it, or None and the reason why there is none."""

    sibling_id: str
    draft: JsonObject | None
    reason: str


def run_trials(
    actor: Actor,
    *,
    thread_id: str,
    prompt_revision: PromptRevision,
    account: BudgetAccount,
    cancelled: Callable[[], bool],
) -> list[Trial]:
    """Asks the model for each sibling of the run. What is in force was tried on others already, and is not tried.

    Stores nothing. A sibling that fails keeps no other from being tried. Raises Cancelled.
    """
    if prompt_revision.status == Revision.Status.ACCEPTED:
        return []
    return [_run_trial(actor, row, prompt_revision, account, cancelled) for row in list_siblings(thread_id)]


def _run_trial(
    actor: Actor,
    row: ProposalSibling,
    prompt_revision: PromptRevision,
    account: BudgetAccount,
    cancelled: Callable[[], bool],
) -> Trial:
    try:
        draft = extractions.prepare(
            actor,
            document=row.document,
            prompt_revision=prompt_revision,
            cancelled=cancelled,
            account=account,
        )
    except AppError as error:
        return {"sibling_id": row.pk, "draft": None, "reason": error.sentence}
    return {"sibling_id": row.pk, "draft": draft.as_json(), "reason": ""}


def store_trials(trials: Sequence[Trial], *, prompt_revision: PromptRevision | None) -> list[JsonObject]:
    """In place of those of an earlier try. Answers what the model reads of each."""
    rows = ProposalSibling.objects.select_related("document").in_bulk([each["sibling_id"] for each in trials])
    notes = []
    for each in trials:
        row = rows.get(each["sibling_id"])
        if row is not None:  # It may have been deleted meanwhile.
            row.trial, row.reason, row.prompt_revision = each["draft"] or {}, each["reason"], prompt_revision
            row.save(update_fields=["trial", "reason", "prompt_revision"])
            notes.append(_describe(row))
    return notes


def _describe(row: ProposalSibling) -> JsonObject:
    # By its id it is found, and taken out, once it is deleted for good.
    named: JsonObject = {"document_id": row.document_id, "document": row.document.name}
    run = make_unsaved_run(row)
    if run is None:
        return {**named, "not_tried": row.reason}
    proof = describe_proof(run)
    return {
        **named,
        "result": shorten(cast(Json, strip_row_ids(run.current))),
        "unsure": dict(list(proof.get("unsure", {}).items())[:MAX_NOTES]),
        "empty": proof.get("empty", [])[:MAX_NOTES],
        "pages_seen": run.coverage,
        "page_count": run.page_count,
    }


def make_unsaved_run(row: ProposalSibling) -> Extraction | None:
    """The trial as an extraction that is nowhere stored; None where there is none."""
    if not row.trial or row.prompt_revision is None:
        return None
    columns = get_columns(ExtractionDraft.from_json(row.trial))
    return Extraction(document=row.document, prompt_revision=row.prompt_revision, **columns)


def shorten(value: Json) -> Json:
    """The first rows of tables and the first characters of texts: enough to judge a schema by."""
    if isinstance(value, dict):
        return {name: shorten(part) for name, part in value.items()}
    if isinstance(value, list):
        rest = len(value) - MAX_ROWS
        return [*map(shorten, value[:MAX_ROWS]), *([f"({rest} more)"] if rest > 0 else [])]
    if isinstance(value, str) and len(value) > MAX_TEXT:
        return f"{value[:MAX_TEXT]}…"
    return value


def take_trial(actor: Actor, *, document: Document, prompt_revision: PromptRevision) -> Extraction | None:
    """The trial of this very prompt on the document's newest reading, stored as its extraction; None without one."""
    newest = get_newest(document)
    rows = ProposalSibling.objects.filter(document=document, prompt_revision=prompt_revision).exclude(trial={})
    row = rows.order_by("-created_at").first()
    if row is None or newest is None or row.trial["reading_id"] != newest.pk:
        return None
    return extractions.store(actor, draft=ExtractionDraft.from_json(row.trial))


def choose_siblings(proposal: Proposal, document_ids: Sequence[str]) -> list[ProposalSibling]:
    """Those that whoever accepts has named. Raises Invalid for a document that is none of them or in the trash."""
    rows = {row.document_id: row for row in proposal.siblings.select_related("document__organization")}
    for document_id in document_ids:
        row = rows.get(document_id)
        if row is None:
            raise Invalid(f"{document_id[:24]} is none of the documents that this proposal was tried on.")
        if row.document.trashed_at is not None:
            raise Invalid(f"“{row.document.name}” is in the trash. Restore it, or accept without it.")
    return [rows[document_id] for document_id in sorted(set(document_ids))]


def keep_trials(actor: Actor, *, siblings: Sequence[ProposalSibling], prompt_revision: PromptRevision) -> None:
    """What was tried on these documents becomes their extraction; where the prompt has changed since it runs again."""
    for row in siblings:
        taken = take_trial(actor, document=row.document, prompt_revision=prompt_revision)
        if taken is None:
            extractions.start(actor, document=row.document, prompt_revision=prompt_revision)


def forget_trials(proposal: Proposal) -> None:
    """Once it is decided: the values of documents that were not chosen are kept nowhere."""
    proposal.siblings.exclude(trial={}).update(trial={})

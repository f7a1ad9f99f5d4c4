"""What a proposal brought of documents like its own, as its card lists it."""

from __future__ import annotations

from dataclasses import dataclass

from documents.autosetup import trials
from documents.autosetup.siblings import list_siblings_of
from documents.extractions.proof_notes import describe_proof
from documents.extractions.windowing import format_spans
from documents.models import AutoSetup, Document, Proposal, ProposalSibling
from documents.values import strip_row_ids
from kit.json_types import Json

MAX_VALUES, MAX_TEXT = 4, 60


@dataclass(frozen=True)
class SiblingRow:
    """`values` are the first ones, `doubts` counts what is unsure or empty. `is_member`: it gets its values anyway."""

    document: Document
    values: list[tuple[str, str]]
    more_values: int
    doubts: str
    pages_unread: str
    reason: str
    is_member: bool
    is_outdated: bool


def list_rows(proposal: Proposal) -> list[SiblingRow]:
    members = set(proposal.members.filter(status__in=AutoSetup.OPEN).values_list("document", flat=True))
    return [_make_row(row, proposal, row.document_id in members) for row in list_siblings_of(proposal)]


def name_unread_pages(pages_read: list[int], page_count: int) -> str:
    """`2 to 4, 7`; empty where all were read."""
    missing = [number for number in range(1, page_count + 1) if number not in pages_read]
    return format_spans(missing) if missing else ""


def _make_row(row: ProposalSibling, proposal: Proposal, is_member: bool) -> SiblingRow:
    run = trials.make_unsaved_run(row)
    current: dict[str, object] = strip_row_ids(run.current) if run else {}
    proof = describe_proof(run) if run else {}
    counts = {"unsure": len(proof.get("unsure", {})), "empty": len(proof.get("empty", []))}
    return SiblingRow(
        document=row.document,
        values=[(name, _format(value)) for name, value in list(current.items())[:MAX_VALUES]],
        more_values=max(0, len(current) - MAX_VALUES),
        doubts=", ".join(f"{count} {word}" for word, count in counts.items() if count),
        pages_unread=name_unread_pages(row.pages_read, row.page_count),
        reason=row.reason or ("" if run else "It was not tried."),
        is_member=is_member,
        is_outdated=bool(run) and row.prompt_revision_id != proposal.prompt_revision_id,
    )


def _format(value: Json) -> str:
    if isinstance(value, list):
        return f"{len(value)} row{'' if len(value) == 1 else 's'}"
    if isinstance(value, dict):
        return f"{len(value)} values"
    text = "–" if value in (None, "") else str(value)
    return text if len(text) <= MAX_TEXT else f"{text[:MAX_TEXT]}…"

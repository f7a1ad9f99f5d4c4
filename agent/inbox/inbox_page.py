"""The inbox for programs: one list over all kinds, walked by key, with the rows behind the items."""

from __future__ import annotations

from dataclasses import dataclass

from accounts.actor import Actor
from agent.inbox import inbox
from agent.inbox.inbox import InboxFilter
from agent.inbox.inbox_rows import FAILED, InboxRow, Subject, build_row
from agent.inbox.sections import SECTIONS
from documents.models import Document, Extraction
from kit.errors import NotFound

KINDS = tuple(kind for _, kinds in SECTIONS.values() for kind in kinds)
SECTION_OF = {kind: name for name, (_, kinds) in SECTIONS.items() for kind in kinds}


@dataclass(frozen=True)
class Item:
    """`failed_run` is what could run again."""

    row: InboxRow
    subject: Subject
    failed_run: Extraction | None = None


@dataclass(frozen=True)
class InboxPage:
    """`after` is the key from which the next page goes on, empty where this is the last."""

    items: list[Item]
    after: str


def list_page(actor: Actor, narrowing: InboxFilter, maximum: int) -> InboxPage:
    """One section after the other, each from the oldest. Raises NotFound when nothing has the key `after`."""
    kinds = SECTIONS[narrowing.section][1] if narrowing.section else KINDS
    start = inbox.find_place(actor, narrowing.after)
    if narrowing.after and (start is None or start[0] not in kinds):
        raise NotFound("There is no such item in this list.")
    keys = list(inbox.walk_keys(actor, kinds, narrowing, start, maximum + 1))
    items = _fetch_items(keys[:maximum])
    last = "-".join(keys[maximum - 1]) if len(keys) > maximum else ""
    return InboxPage(items, last)


def _fetch_items(keys: list[tuple[str, str]]) -> list[Item]:
    subjects: dict[tuple[str, str], Subject] = {}
    for kind in dict.fromkeys(kind for kind, _ in keys):
        rows = inbox.select_details(kind).in_bulk([pk for each, pk in keys if each == kind])
        subjects |= {(kind, pk): row for pk, row in rows.items()}
    failed = [row for (kind, _), row in subjects.items() if kind == FAILED and isinstance(row, Document)]
    runs = _find_failed_runs(failed)
    return [
        Item(build_row(key[0], subjects[key]), subjects[key], runs.get(key[1]) if key[0] == FAILED else None)
        for key in keys
        if key in subjects
    ]


def _find_failed_runs(documents: list[Document]) -> dict[str, Extraction]:
    """The newest run that failed, by document."""
    if not documents:
        return {}
    runs = Extraction.objects.filter(document__in=documents, status=Extraction.Status.FAILED).order_by("number")
    return {run.document_id: run for run in runs.defer("raw", "result", "current", "provenance")}

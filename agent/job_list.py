"""What the workers have to do for an organization: what waits, what is under way, and what failed and still matters.

Read from the rows that are the queue: readings, runs of prompts, automatic setups, turns of the agent, bulk actions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from heapq import merge
from itertools import islice
from typing import Any, TypeAlias

from django.db.models import Exists, Model, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Coalesce

from accounts.actor import Actor
from agent.models import Turn
from agent.policy.visibility import filter_visible
from agent.toolkit.previews import format_count
from documents.models import AutoSetup, BulkAction, Document, Extraction, Reading
from documents.reading.lanes import explain_wait
from kit.errors import NotFound
from kit.ids import is_id

READING, EXTRACTION, AUTO_SETUP, TURN, BULK = "reading", "extraction", "auto_setup", "turn", "bulk"
QUEUED, RUNNING, FAILED = "queued", "running", "failed"
STATUSES = (QUEUED, RUNNING, FAILED)


@dataclass(frozen=True)
class JobFilter:
    """What is empty does not narrow. `after` is the key of the last job of the page before."""

    kind: str = ""
    status: str = ""
    document_id: str = ""
    after: str = ""


Work: TypeAlias = Reading | Extraction | AutoSetup | BulkAction | Turn
"""What a worker claims."""


@dataclass(frozen=True)
class Job:
    """`done` of `whole` are pages or rounds; None where nobody knows yet."""

    kind: str
    row: Work
    status: str
    document: Document | None
    title: str
    done: int | None = None
    whole: int | None = None

    @property
    def key(self) -> str:
        return f"{self.kind}-{self.row.pk}"

    @property
    def error(self) -> str:
        """Why it failed, or what its last try failed with; of a reading that waits, why it is not begun."""
        waits = self.kind == READING and self.status == QUEUED
        return str(self.row.reason) or (explain_wait() if waits else "")


@dataclass(frozen=True)
class JobPage:
    """`after` is empty where this is the last page."""

    jobs: list[Job]
    after: str


def list_page(actor: Actor, narrowing: JobFilter, maximum: int) -> JobPage:
    """The newest first, of all kinds together: one query for each kind. Raises NotFound for an unknown `after`."""
    kinds = [narrowing.kind] if narrowing.kind else list(_KINDS)
    place = _find_place(actor, narrowing.after) if narrowing.after else None
    rows_by_kind = (_list_rows(actor, kind, narrowing, place)[: maximum + 1] for kind in kinds)
    pairs = [[(kind, row) for row in rows] for kind, rows in zip(kinds, rows_by_kind, strict=True)]
    newest = list(islice(merge(*pairs, key=_sort_key, reverse=True), maximum + 1))
    jobs = [_KINDS[kind].describe(row) for kind, row in newest[:maximum]]
    return JobPage(jobs, jobs[-1].key if len(newest) > maximum else "")


def _sort_key(pair: tuple[str, Work]) -> tuple[datetime, str, str]:
    kind, row = pair
    return row.created_at, kind, row.pk


def _list_rows(actor: Actor, kind: str, narrowing: JobFilter, place: tuple[datetime, str, str] | None) -> QuerySet[Any]:
    work = _KINDS[kind]
    statuses = [narrowing.status] if narrowing.status else list(STATUSES)
    rows = work.list_rows(actor, [work.names.get(status, status) for status in statuses])
    if narrowing.document_id:
        rows = rows.filter(**{work.document: narrowing.document_id})
    if place:
        rows = rows.filter(_older_than(kind, place))
    return rows.order_by("-created_at", "-pk")


def _older_than(kind: str, place: tuple[datetime, str, str]) -> Q:
    """What comes after the place, by the same order."""
    when, at_kind, pk = place
    earlier = Q(created_at__lt=when)
    if kind == at_kind:
        return earlier | Q(created_at=when, pk__lt=pk)
    return earlier | Q(created_at=when) if kind < at_kind else earlier


def _find_place(actor: Actor, key: str) -> tuple[datetime, str, str]:
    """Where a job stands in the list, whether it has ended since or not."""
    kind, _, pk = key.partition("-")
    if kind in _KINDS and is_id(pk):
        rows = _KINDS[kind].model._default_manager.for_org(actor.organization)
        when = rows.filter(pk=pk).values_list("created_at", flat=True).first()
        if when:
            return when, kind, pk
    raise NotFound("There is no such job.")


def _list_readings(actor: Actor, statuses: Iterable[str]) -> QuerySet[Reading]:
    rows = Reading.objects.for_org(actor.organization).filter(status__in=statuses, document__trashed_at=None)
    newer = Reading.objects.filter(document=OuterRef("document"), number__gt=OuterRef("number"))
    return rows.filter(~Exists(newer)).select_related("document")


def _list_extractions(actor: Actor, statuses: Iterable[str]) -> QuerySet[Extraction]:
    rows = Extraction.objects.for_org(actor.organization).filter(status__in=statuses, document__trashed_at=None)
    later = Extraction.objects.filter(document=OuterRef("document"), number__gt=OuterRef("number"))
    # The summary has no revision, and no NULL is equal to another.
    revision = Coalesce(OuterRef("prompt_revision"), Value(""))
    of_same_prompt = later.annotate(revision=Coalesce("prompt_revision", Value(""))).filter(revision=revision)
    rows = rows.exclude(Q(status=Extraction.Status.FAILED) & Exists(of_same_prompt))
    related = rows.select_related("document", "prompt_revision__prompt")
    return related.defer("raw", "result", "current", "provenance")


def _list_setups(actor: Actor, statuses: Iterable[str]) -> QuerySet[AutoSetup]:
    rows = AutoSetup.objects.for_org(actor.organization).filter(status__in=statuses, document__trashed_at=None)
    return rows.select_related("document")


def _list_turns(actor: Actor, statuses: Iterable[str]) -> QuerySet[Turn]:
    """Those of automatic setups are listed as these."""
    rows = Turn.objects.filter(filter_visible(actor), status__in=statuses)
    newer = Turn.objects.filter(thread=OuterRef("thread"), number__gt=OuterRef("number"))
    return rows.filter(~Exists(newer)).exclude(origin=Turn.Origin.HEADLESS).select_related("thread__document")


def _describe_reading(row: Reading) -> Job:
    status = RUNNING if row.status == Reading.Status.READING else row.status
    return Job(READING, row, status, row.document, f"Read {row.document.name}", row.pages_read, row.page_count)


def _describe_extraction(row: Extraction) -> Job:
    prompt = row.prompt_revision.prompt.name if row.prompt_revision else "the summary"
    return Job(EXTRACTION, row, row.status, row.document, f"Run {prompt} on {row.document.name}")


def _describe_setup(row: AutoSetup) -> Job:
    return Job(AUTO_SETUP, row, row.status, row.document, f"Set up {row.document.name}", row.rounds)


def _describe_turn(row: Turn) -> Job:
    return Job(TURN, row, row.status, row.thread.document, row.thread.title, row.round, row.max_rounds)


def _list_bulk_actions(actor: Actor, statuses: Iterable[str]) -> QuerySet[BulkAction]:
    return BulkAction.objects.for_org(actor.organization).filter(status__in=statuses, dismissed_at=None)


def _describe_bulk_action(row: BulkAction) -> Job:
    title = f"{row.get_kind_display()}: {format_count(row.total_count, 'document')}"
    done = row.done_count + row.left_out_count + row.failed_count
    return Job(BULK, row, row.status, None, title, done, row.total_count)


@dataclass(frozen=True)
class _Work:
    """`names` are the row's own for a status; `document` is the path to the document's id."""

    model: Any
    list_rows: Callable[[Actor, Iterable[str]], QuerySet[Model]]
    describe: Callable[[Any], Job]
    names: dict[str, str]
    document: str = "document"


_KINDS = {
    READING: _Work(Reading, _list_readings, _describe_reading, {RUNNING: Reading.Status.READING}),
    EXTRACTION: _Work(Extraction, _list_extractions, _describe_extraction, {}),
    AUTO_SETUP: _Work(AutoSetup, _list_setups, _describe_setup, {}),
    BULK: _Work(BulkAction, _list_bulk_actions, _describe_bulk_action, {}, document="items__document"),
    TURN: _Work(Turn, _list_turns, _describe_turn, {}, document="thread__document"),
}
KINDS = tuple(_KINDS)

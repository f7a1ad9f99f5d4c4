"""All that waits for a person in an organization: what waits, since when, and how much of it there is.

Everything is read from rows that exist anyway. Lists are walked by key, oldest first, and counted up to a cap.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import connection
from django.db.models import Count, Exists, Model, OuterRef, Q, QuerySet
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Role
from agent.inbox import waiting_chains
from agent.inbox.failures import group_by_cause, has_failed_lately
from agent.inbox.inbox_rows import (
    CARD,
    CHECKS,
    DOUBT,
    FAILED,
    HELD,
    PAUSED,
    PROPOSAL,
    UNREAD,
    VERIFY,
    InboxRow,
    Subject,
    build_row,
)
from agent.inbox.sections import LONG_AGO, MAX_IN_SECTION, SECTIONS, UNCOUNTED, Section
from agent.models import Thread, ToolCall, Turn
from agent.policy.visibility import filter_visible
from documents.find.filters.verification import exclude_failing, filter_failing, filter_to_verify
from documents.models import Document, HeldRun, Proposal
from kit.events import organization_group
from kit.group_cache import get_or_compute
from kit.ids import is_id

# The badge says 99+ from here on.
MAX_COUNTED = 100
A_SECTION, A_PAGE = 20, 100
AGES = {"day": timedelta(days=1), "week": timedelta(days=7)}


@dataclass(frozen=True)
class InboxFilter:
    """Which items; what is empty does not narrow. `after` is the key of the last item of the page before."""

    is_mine: bool = False
    section: str = ""
    age: str = ""
    after: str = ""

    @property
    def narrows(self) -> bool:
        return self.is_mine or bool(self.section or self.age)


def count_waiting(actor: Actor) -> int:
    """How many items wait for this member, up to MAX_COUNTED. Nothing waits for a viewer, who decides nothing.

    What can be verified is listed and not counted: nothing stands still for it.

    Remembered until something changes in the organization, so that it costs a page next to nothing.
    """
    if not actor.may(Role.REVIEWER):
        return 0
    group = organization_group(actor.organization.pk)
    return get_or_compute(group, f"waiting for {actor.user.pk}", lambda: _count_all(actor))


def list_sections(actor: Actor, narrowing: InboxFilter) -> list[Section]:
    """All sections with their first items, what needs a person now before what failed long ago.

    Of one that was chosen a longer page, after `narrowing.after`.
    """
    names = [narrowing.section] if narrowing.section else list(SECTIONS)
    filled = (_build_section(actor, name, narrowing) for name in names)
    return sorted((section for section in filled if section.total), key=lambda section: section.is_stale)


def filter_waiting(actor: Actor, kind: str, narrowing: InboxFilter | None = None) -> QuerySet[Any]:
    """The rows of one kind that wait and that the actor may see, in no order.

    Mine is what waits in my threads, or on documents that I uploaded.
    """
    rows = _WAITING[kind](actor, narrowing is not None and narrowing.is_mine)
    if narrowing and narrowing.age:
        rows = rows.filter(created_at__lte=timezone.now() - AGES[narrowing.age])
    return rows


def select_details(kind: str) -> QuerySet[Any]:
    """With what a row or a case shows of them beside themselves."""
    return _DETAILS[kind]()


def _count_all(actor: Actor) -> int:
    """In one query: each kind is counted up to the cap by itself."""
    parts: list[str] = []
    values: list[Any] = []
    for kind in COUNTED:
        sql, parameters = filter_waiting(actor, kind).order_by().values("pk")[:MAX_COUNTED].query.sql_with_params()
        parts.append(f"(SELECT COUNT(*) FROM ({sql}) AS {kind}s)")  # noqa: S608 - our own queries
        values += parameters
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {' + '.join(parts)}", values)
        total: int = cursor.fetchone()[0]
    return min(total, MAX_COUNTED)


def _build_section(actor: Actor, name: str, narrowing: InboxFilter) -> Section:
    title, kinds = SECTIONS[name]
    if name == "failed" and not narrowing.section:
        return _group_failures(actor, name, narrowing)
    maximum = A_PAGE if narrowing.section else A_SECTION
    start = find_place(actor, narrowing.after) if narrowing.section else None
    keys = list(walk_keys(actor, kinds, narrowing, start, maximum + 1))
    total = len(keys)
    if len(keys) > maximum or start:
        total = sum(
            filter_waiting(actor, kind, narrowing).order_by().values("pk")[: MAX_IN_SECTION + 1].count()
            for kind in kinds
        )
    rows = _fetch_rows(keys[:maximum])
    after = rows[-1].key if narrowing.section and len(keys) > maximum else ""
    return Section(name, title, rows, total, total - len(rows), after)


def _group_failures(actor: Actor, name: str, narrowing: InboxFilter) -> Section:
    """By cause, the newest first; a list of this section alone has them one by one."""
    title, kinds = SECTIONS[name]
    failed: list[Document] = []
    for kind in kinds:
        rows = filter_waiting(actor, kind, narrowing).order_by("created_at", "pk")
        failed += rows.only("name", "state", "state_reason", "created_at")[: MAX_IN_SECTION + 1]
    groups = group_by_cause(failed)
    more = sum(row.count for row in groups[A_SECTION:])
    is_stale = not has_failed_lately(failed)
    return Section(name, LONG_AGO if is_stale else title, groups[:A_SECTION], len(failed), more, "", is_stale)


def walk_keys(
    actor: Actor, kinds: tuple[str, ...], narrowing: InboxFilter, start: tuple[str, datetime, str] | None, maximum: int
) -> Iterator[tuple[str, str]]:
    """(kind, id) oldest first, one kind after the other: keys alone sort fast, the rows are wide."""
    if start:
        kinds = kinds[kinds.index(start[0]) :] if start[0] in kinds else kinds
    for kind in kinds:
        rows = filter_waiting(actor, kind, narrowing)
        if start and start[0] == kind:
            _, when, pk = start
            rows = rows.filter(Q(created_at__gt=when) | Q(created_at=when, pk__gt=pk), created_at__gte=when)
        ids = list(rows.order_by("created_at", "pk").values_list("pk", flat=True)[:maximum])
        yield from ((kind, pk) for pk in ids)
        maximum -= len(ids)
        if not maximum:
            return


def _fetch_rows(keys: list[tuple[str, str]]) -> list[InboxRow]:
    rows_by_key: dict[tuple[str, str], Subject] = {}
    for kind in dict.fromkeys(kind for kind, _ in keys):
        ids = [pk for each, pk in keys if each == kind]
        rows_by_key |= {(kind, pk): row for pk, row in select_details(kind).in_bulk(ids).items()}
    return [build_row(kind, rows_by_key[kind, pk]) for kind, pk in keys if (kind, pk) in rows_by_key]


def find_place(actor: Actor, key: str) -> tuple[str, datetime, str] | None:
    """Where an item stands in its list, whether it still waits or not."""
    kind, _, pk = key.partition("-")
    if kind not in _WAITING or not is_id(pk):
        return None
    rows: QuerySet[Any] = select_details(kind).model._default_manager.all()
    when = rows.for_org(actor.organization).filter(pk=pk).values_list("created_at", flat=True).first()  # type: ignore[attr-defined]
    return (kind, when, pk) if when else None


def _filter_calls(actor: Actor, is_mine: bool, status: ToolCall.Status) -> QuerySet[ToolCall]:
    return ToolCall.objects.filter(_in_visible_thread(actor, is_mine), status=status)


def _filter_cards(actor: Actor, is_mine: bool) -> QuerySet[ToolCall]:
    return _filter_calls(actor, is_mine, ToolCall.Status.PENDING).filter(waiting_chains.is_first_waiting())


def _filter_doubts(actor: Actor, is_mine: bool) -> QuerySet[ToolCall]:
    return _filter_calls(actor, is_mine, ToolCall.Status.IN_DOUBT)


def _filter_paused(actor: Actor, is_mine: bool) -> QuerySet[Turn]:
    """Headless turns end by themselves; a turn that waits for the outcome of a call is listed as that call."""
    rows = Turn.objects.filter(_in_visible_thread(actor, is_mine), status=Turn.Status.PAUSED)
    return rows.exclude(pause_reason=Turn.Pause.IN_DOUBT).exclude(origin=Turn.Origin.HEADLESS)


def _in_visible_thread(actor: Actor, is_mine: bool) -> Exists:
    """As a condition on each row, never a join: few rows wait, while an organization has many threads."""
    threads = Thread.objects.filter(filter_visible(actor, ""), pk=OuterRef("thread_id"))
    return Exists(threads.filter(owner=actor.user) if is_mine else threads)


def _filter_proposals(actor: Actor, is_mine: bool) -> QuerySet[Proposal]:
    rows = Proposal.objects.for_org(actor.organization).filter(status=Proposal.Status.PROPOSED, lead__trashed_at=None)
    return rows.filter(lead__uploaded_by=actor.user) if is_mine else rows


def _filter_held(actor: Actor, is_mine: bool) -> QuerySet[HeldRun]:
    rows = HeldRun.objects.for_org(actor.organization).filter_waiting()
    return rows.filter(document__uploaded_by=actor.user) if is_mine else rows


def _filter_documents(actor: Actor, is_mine: bool, state: Document.State) -> QuerySet[Document]:
    """One state at a time: so its index holds them in the order of the list."""
    rows = Document.objects.for_org(actor.organization).filter(state=state)
    return rows.filter(uploaded_by=actor.user) if is_mine else rows


def _filter_unread(actor: Actor, is_mine: bool) -> QuerySet[Document]:
    return _filter_documents(actor, is_mine, Document.State.OCR_FAILED)


def _filter_failed(actor: Actor, is_mine: bool) -> QuerySet[Document]:
    return _filter_documents(actor, is_mine, Document.State.LLM_FAILED)


def _filter_failing(actor: Actor, is_mine: bool) -> QuerySet[Document]:
    return filter_failing(_filter_to_verify(actor, is_mine))


def _filter_unverified(actor: Actor, is_mine: bool) -> QuerySet[Document]:
    """Without those that are listed for their checks."""
    return exclude_failing(_filter_to_verify(actor, is_mine))


def _filter_to_verify(actor: Actor, is_mine: bool) -> QuerySet[Document]:
    done = Document.objects.for_org(actor.organization)
    done = done.filter(uploaded_by=actor.user) if is_mine else done
    return filter_to_verify(done.order_by("-created_at", "-pk"))


_WAITING: dict[str, Callable[[Actor, bool], QuerySet[Model]]] = {
    CARD: _filter_cards,
    PROPOSAL: _filter_proposals,
    DOUBT: _filter_doubts,
    PAUSED: _filter_paused,
    HELD: _filter_held,
    UNREAD: _filter_unread,
    FAILED: _filter_failed,
    CHECKS: _filter_failing,
    VERIFY: _filter_unverified,
}
COUNTED = tuple(kind for name, (_, kinds) in SECTIONS.items() if name not in UNCOUNTED for kind in kinds)


def _select_calls() -> QuerySet[ToolCall]:
    rows = ToolCall.objects.select_related("thread__document", "thread__owner", "thread__organization", "turn")
    return rows.defer("proposed_text", "proposed").annotate(steps_waiting=waiting_chains.count_waiting())


def _select_turns() -> QuerySet[Turn]:
    return Turn.objects.select_related("thread__document", "thread__owner", "thread__organization", "started_by")


def _select_held() -> QuerySet[HeldRun]:
    return HeldRun.objects.select_related("document", "prompt__latest", "decided_by")


def _select_proposals() -> QuerySet[Any]:
    rows = Proposal.objects.select_related("lead", "prompt_revision__prompt", "schema_revision__schema")
    return rows.annotate(documents=Count("members"))


_DETAILS: dict[str, Callable[[], QuerySet[Any]]] = {
    CARD: _select_calls,
    DOUBT: _select_calls,
    PAUSED: _select_turns,
    PROPOSAL: _select_proposals,
    HELD: _select_held,
    UNREAD: Document.objects.all,
    FAILED: Document.objects.all,
    CHECKS: Document.objects.all,
    VERIFY: Document.objects.all,
}

"""Documents by day, what people corrected, and how long it takes until a document is verified."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime

from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet, Sum
from django.db.models.functions import TruncDate

from accounts.actor import Actor
from agent.usage.figures import Column, Figures, Row, percent
from agent.usage.money import name_prompts
from agent.usage.period import Period
from documents.models import Document, FieldEdit, Reading, Verification

MAX_FIELDS, MAX_TIMES = 20, 10_000
_ROW = re.compile(r"\[[^\]]*\]")


@dataclass(frozen=True)
class DocumentsOfDay:
    """`straight` were verified without a change of a value by a person, `changed` after one."""

    day: date
    pages: int
    straight: int
    changed: int
    waiting: int
    unread: int

    @property
    def number(self) -> int:
        return self.straight + self.changed + self.waiting + self.unread


def list_documents(actor: Actor, period: Period) -> QuerySet[Document]:
    rows = Document.objects.filter(organization=actor.organization, trashed_at=None)
    return rows.filter(created_at__gte=period.begin, created_at__lt=period.end).order_by()


def count_by_day(actor: Actor, period: Period) -> list[DocumentsOfDay]:
    """By the day of their upload, as they stand now; those in the trash are left out."""
    edits = FieldEdit.objects.filter(extraction__document=OuterRef("pk"), origin=FieldEdit.Origin.PERSON)
    verified, unread = Q(review=Document.Review.VERIFIED), Q(state=Document.State.OCR_FAILED)
    rows = list_documents(actor, period).annotate(is_changed=Exists(edits), day=TruncDate("created_at", tzinfo=UTC))
    counted = rows.values("day").annotate(
        number=Count("pk"),
        straight=Count("pk", filter=verified & Q(is_changed=False)),
        changed=Count("pk", filter=verified & Q(is_changed=True)),
        unread=Count("pk", filter=unread & ~verified),
    )
    pages = count_pages(actor, period)
    return [
        DocumentsOfDay(
            row["day"],
            pages.get(row["day"], 0),
            row["straight"],
            row["changed"],
            row["number"] - row["straight"] - row["changed"] - row["unread"],
            row["unread"],
        )
        for row in counted.order_by("day")
    ]


def count_pages(actor: Actor, period: Period) -> dict[date, int]:
    """Pages of the newest readings, by the day of upload."""
    newer = Reading.objects.filter(document=OuterRef("document"), number__gt=OuterRef("number"))
    readings = Reading.objects.filter(~Exists(newer), document__in=list_documents(actor, period)).order_by()
    by_day = readings.annotate(day=TruncDate("document__created_at", tzinfo=UTC)).values_list("day")
    return {day: pages or 0 for day, pages in by_day.annotate(number_of_pages=Sum("page_count"))}


def tabulate_documents(days: Sequence[DocumentsOfDay]) -> Figures:
    rows: list[Row] = [_describe(day) for day in reversed(days)]
    columns = [
        Column("day", "Day", "day"),
        Column("documents", "Documents"),
        Column("pages", "Pages"),
        Column("straight_through", "Straight through"),
        Column("changed", "Changed first"),
        Column("not_verified", "Not verified"),
        Column("not_read", "Not read"),
        Column("straight_percent", "Share", "percent"),
    ]
    total = _describe(_add_up(days)) if days else None
    note = "Straight through: verified without a change by a person. The share is of the verified."
    return Figures(
        "documents", "Documents by day", columns, rows, (f"{len(days)} days", *total[1:]) if total else None, note
    )


def _describe(day: DocumentsOfDay) -> Row:
    share = percent(day.straight, day.straight + day.changed)
    return (day.day, day.number, day.pages, day.straight, day.changed, day.waiting, day.unread, share)


def _add_up(days: Sequence[DocumentsOfDay]) -> DocumentsOfDay:
    names = ("pages", "straight", "changed", "waiting", "unread")
    return DocumentsOfDay(days[0].day, *(sum(getattr(day, name) for day in days) for name in names))


def tabulate_corrections(actor: Actor, period: Period) -> Figures:
    """The fields that people changed most, by version of the prompt. Values carried over to a later run count once."""
    edits = FieldEdit.objects.for_org(actor.organization).filter(
        created_at__gte=period.begin, created_at__lt=period.end, origin=FieldEdit.Origin.PERSON, carried_from=None
    )
    counted: Counter[tuple[str, str]] = Counter()
    rows = edits.order_by().values_list("extraction__prompt_revision", "where").annotate(number=Count("pk"))
    for prompt, where, number in rows:
        counted[_name_field(where), prompt or ""] += number
    commonest = counted.most_common(MAX_FIELDS)
    names = name_prompts(actor, {prompt for (_, prompt), _ in commonest})
    listed: list[Row] = [(field, names.get(prompt, "No prompt"), number) for (field, prompt), number in commonest]
    columns = [Column("field", "Field", "text"), Column("prompt", "Prompt", "text"), Column("corrections", "Corrected")]
    shown = sum(number for _, number in commonest)
    hidden = counted.total() - shown
    note = f"{hidden:,} more in other fields." if hidden else ""
    return Figures("corrections", "Corrections by field", columns, listed, ("All", "", shown) if listed else None, note)


def _name_field(where: str) -> str:
    """Name the field for all rows of a table at once."""
    return _ROW.sub("", where)


@dataclass(frozen=True)
class Times:
    """Seconds; None where nothing was measured. `number` is over how many they are measured."""

    median: int | None
    ninth: int | None
    number: int


def measure(seconds: Sequence[int]) -> Times:
    if not seconds:
        return Times(None, None, 0)
    ordered = sorted(seconds)
    return Times(ordered[(len(ordered) - 1) // 2], ordered[(len(ordered) - 1) * 9 // 10], len(ordered))


def measure_until_verified(actor: Actor, period: Period) -> Times:
    """Measure from upload to the last verification, over the newest MAX_TIMES documents verified in these days."""
    marks = Verification.objects.for_org(actor.organization).filter(
        where="", cleared_at=None, created_at__gte=period.begin, created_at__lt=period.end
    )
    rows = marks.values_list("extraction__document__created_at").annotate(at=Max("created_at")).order_by("-at")
    pairs: list[tuple[datetime, datetime]] = list(rows[:MAX_TIMES])
    return measure([max(0, round((at - uploaded).total_seconds())) for uploaded, at in pairs])

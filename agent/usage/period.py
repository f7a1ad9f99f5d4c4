"""The days that usage is asked for. A day is one in UTC, as the month of a budget is."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from django.utils import timezone

from kit.errors import Invalid
from kit.formats import format_day

MAX_DAYS = 366
FORMS = "A month is written 2026-11, a day 2026-11-30."


@dataclass(frozen=True)
class Period:
    """From the first to the last day, both counted."""

    first: date
    last: date

    @property
    def begin(self) -> datetime:
        return datetime.combine(self.first, time(), UTC)

    @property
    def end(self) -> datetime:
        """The first moment after it."""
        return datetime.combine(self.last + timedelta(days=1), time(), UTC)

    @property
    def is_month(self) -> bool:
        return self == make_month(self.first)

    @property
    def title(self) -> str:
        if self.is_month:
            return f"{self.first:%B %Y}"
        if self.first == self.last:
            return format_day(self.first, has_year=True)
        has_year = self.first.year != self.last.year
        return f"{format_day(self.first, has_year=has_year)} to {format_day(self.last, has_year=True)}"

    @property
    def query(self) -> str:
        """As an address has it."""
        if self.is_month:
            return f"month={self.first:%Y-%m}"
        return f"day={self.first}" if self.first == self.last else f"from={self.first}&to={self.last}"

    def list_days(self) -> Iterator[date]:
        for number in range((self.last - self.first).days + 1):
            yield self.first + timedelta(days=number)

    def find_earlier(self) -> Period:
        """The one of the same length before it."""
        before = self.first - timedelta(days=1)
        return make_month(before) if self.is_month else Period(before - (self.last - self.first), before)

    def find_later(self) -> Period | None:
        """The one of the same length after it; None where it has not begun."""
        after = self.last + timedelta(days=1)
        if after > find_today():
            return None
        return make_month(after) if self.is_month else Period(after, after + (self.last - self.first))


def find_today() -> date:
    return timezone.now().astimezone(UTC).date()


def make_month(day: date) -> Period:
    return Period(day.replace(day=1), day.replace(day=monthrange(day.year, day.month)[1]))


def read_period(query: Mapping[str, str]) -> Period:
    """Read `month`, `day`, or `from` and `to`; without any take the present month. Raises Invalid."""
    if month := query.get("month"):
        return make_month(_read_day(f"{month}-01"))
    if day := query.get("day"):
        return Period(_read_day(day), _read_day(day))
    if not (query.get("from") or query.get("to")):
        return make_month(find_today())
    last = _read_day(query["to"]) if query.get("to") else find_today()
    first = _read_day(query["from"]) if query.get("from") else last.replace(day=1)
    if first > last:
        raise Invalid("The first day is after the last.")
    if (last - first).days >= MAX_DAYS:
        raise Invalid(f"At most {MAX_DAYS} days are shown at once.")
    return Period(first, last)


def _read_day(text: str) -> date:
    try:
        day = date.fromisoformat(text.strip())
    except ValueError:
        raise Invalid(FORMS) from None
    if not 2000 <= day.year <= 2200:
        raise Invalid("The year must be between 2000 and 2200.")
    return day

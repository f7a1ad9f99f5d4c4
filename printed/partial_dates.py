"""Days that are not said whole: “in May 2026”, “on 5 May”, “since April”."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from printed.dates import MONTHS, fold_letters

_NAME = "|".join(sorted(MONTHS, key=len, reverse=True))
_PARTIAL = re.compile(
    rf"""(?<![\w.,])(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th|er|º|\.)?\s+(?:of\s|de\s)?)?(?P<month>{_NAME})\b
    (?:\.?,?\s+(?:of\s|de\s|del\s)?(?P<year>\d{{4}})(?![\w.,]*\d)
    | \.?\s+(?P<late_day>\d{{1,2}})(?:st|nd|rd|th)?(?![\w.,]*\d))?""",
    re.VERBOSE,
)
# Without a capital letter these are other words; a shorter name alone is one in any case.
_OTHER_WORDS, _MIN_ALONE = ("may", "mar", "mars", "set", "ago"), 4


@dataclass(frozen=True)
class PartialDate:
    """A stretch of a text and what it says of a day; 0 of what it does not say."""

    start: int
    end: int
    day: int
    month: int
    year: int

    @property
    def is_month_alone(self) -> bool:
        return not self.day and not self.year

    def is_part_of(self, day: PartialDate | date) -> bool:
        return self.month == day.month and self.day in (0, day.day) and self.year in (0, day.year)


def find_partial_dates(text: str) -> Iterator[PartialDate]:
    """Of a text without its whole dates."""
    for match in _PARTIAL.finditer(fold_letters(text)):
        name, day, year = match["month"], match["day"] or match["late_day"], match["year"]
        if _is_month(text[match.start("month") :], name, is_alone=not (day or year)):
            yield PartialDate(*match.span(), int(day or 0), MONTHS[name], int(year or 0))


def _is_month(written: str, name: str, *, is_alone: bool) -> bool:
    is_capitalized = written[0].isupper()
    return (is_capitalized and len(name) >= _MIN_ALONE) if is_alone else is_capitalized or name not in _OTHER_WORDS


def cut_out(text: str, dates: Iterable[tuple[int, int]]) -> str:
    """The text with commas in the place of these stretches, which are in their order."""
    for start, end in reversed(list(dates)):
        text = f"{text[:start]} , {text[end:]}"
    return text

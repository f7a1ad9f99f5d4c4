"""Dates as they are printed: 2026-04-04 · 04/04/2026 · 4. April 2026 · Apr 4th, 26 · 令和8年4月4日 · R8.4.4."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from typing import NamedTuple

from printed.folding import fold, fold_letters, read_digits
from printed.languages import LANGUAGES, join_words, list_words
from printed.number_words import SIGNS, parse_signs
from printed.stopwords import HOMOGRAPHS

MONTHS = {
    fold_letters(name): number
    for language in LANGUAGES
    for number, names in enumerate(language.months.split(","), 1)
    for name in names.split()
}
WEEKDAYS = {
    name: number
    for language in LANGUAGES
    for number, names in enumerate(language.weekdays.split(","))
    for name in names.split()
}
"""As `date.weekday` counts them, never in short."""
MONTH = "|".join(map(re.escape, sorted(MONTHS, key=len, reverse=True)))
ORDINAL = rf"(?:{'|'.join(map(fold, list_words(lambda language: language.ordinals)))}|\.)"
YEAR_SUFFIX = "|".join(list_words(lambda language: language.year_suffixes))
JOINER = rf"(?:(?:{'|'.join(map(re.escape, list_words(lambda language: language.date_joiners)))})\s)"
_DATE = re.compile(
    rf"""(?<![\w.,/-])(?:
      (?P<y1>\d{{4}})\s?(?P<s1>[-/.])\s?(?P<m1>\d{{1,2}})\s?(?P=s1)\s?(?P<d1>\d{{1,2}})
    | (?P<a2>\d{{1,2}})\s?(?P<s2>[-/.])\s?(?P<b2>\d{{1,2}})\s?(?P=s2)\s?(?P<y2>\d{{4}}|\d{{2}})
    | (?P<d3>\d{{1,2}}){ORDINAL}?[\s/.-]*{JOINER}?\s*
      (?P<m3>{MONTH})\.?(?:\s,)?,?[\s/.-]*{JOINER}?'?(?P<y3>\d{{4}}|\d{{2}}(?!,\s\d{{4}}\b))
    | (?P<m4>{MONTH})\.?[\s-]*(?P<d4>\d{{1,2}}){ORDINAL}?
      (?:,?[\s-]+'?(?P<y4>\d{{4}}|\d{{2}})|\s?[,.]\s?(?P<y6>\d{{4}}))
    | (?P<y5>\d{{4}})[\s-](?P<m5>{MONTH})\.?[\s-](?P<d5>\d{{1,2}})
    )(?!(?!(?:{YEAR_SUFFIX})\b)[\w/-]|[.,]\d)""",
    re.VERBOSE,
)
_COUNT = rf"(?:\d{{1,4}}|[{SIGNS}]{{1,6}})"
ERAS = {name: int(before) for before, names in join_words(lambda language: language.eras).items() for name in names}
_LETTERS = sorted((before, name) for name, before in ERAS.items() if name.isascii())
_LAST_YEARS = {name: after - before + 1 for (before, name), (after, _) in pairwise([*_LETTERS, (2117, "")])}
_ERA_DATE = re.compile(
    rf"""(?:(?P<era>{"|".join(name for name in sorted(ERAS, key=len)[::-1] if not name.isascii())})\s?
          (?P<year>{_COUNT}|元)|(?<![\w.,/-])(?P<letter>[{"".join(_LAST_YEARS)}])(?P<letter_year>\d{{1,2}})
          |(?<![\d.,/{SIGNS}-])(?P<plain>\d{{4}}|[{SIGNS}]{{4}}))
    \s?(?:年\s?(?P<month>{_COUNT})\s?月\s?(?P<day>{_COUNT})\s?日
      |(?<=\d)(?P<sign>[./-])(?P<month2>\d{{1,2}})(?P=sign)(?P<day2>\d{{1,2}})(?![\w/-]|[.,]\d))""",
    re.VERBOSE,
)
_ERA_HINT = re.compile(rf"年|(?:{'|'.join(ERAS)})\s?\d")
_BUDDHIST = 543
_BUDDHIST_YEARS = range(2443, 2643)
_WEEKDAY = re.compile(rf"(?<!\w)(?:{'|'.join(WEEKDAYS)})(?=s?(?!\w))", re.I)
_HINT = re.compile(rf"\d\s?[-/.年]|{MONTH}")


_PARTIAL = re.compile(
    rf"""(?<![\w.,])(?:(?P<day>\d{{1,2}}){ORDINAL}?\s+{JOINER}?)?(?P<month>{MONTH})\b
    (?:\.?,?\s+{JOINER}?(?P<year>\d{{4}})(?![\w.,]*\d)
    | \.?\s+(?P<late_day>\d{{1,2}}){ORDINAL}?(?![\w.,]*\d))?""",
    re.VERBOSE,
)
# Without a capital letter a homograph is another word; a shorter name alone is one in any case.
_MIN_ALONE = 4


class PrintedDate(NamedTuple):
    """A stretch of a text and the days it can mean; both orders are given where both are possible."""

    start: int
    end: int
    day_first: date | None
    month_first: date | None

    @property
    def days(self) -> set[date]:
        return {day for day in (self.day_first, self.month_first) if day}

    @property
    def is_ambiguous(self) -> bool:
        return len(self.days) > 1


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


def find_dates(text: str) -> Iterator[PrintedDate]:
    text = read_digits(text)
    low = fold_letters(text)
    of_eras = list(_find_era_dates(text)) if _ERA_HINT.search(text) else []
    yield from sorted([*of_eras, *_find_plain_dates(low, of_eras)]) if _HINT.search(low) else of_eras


def overlaps_date(dates: Sequence[PrintedDate], start: int, end: int) -> bool:
    """`dates` of one text in their order."""
    before = bisect_left(dates, end, key=lambda printed: printed.start)
    return before > 0 and dates[before - 1].end > start


def _find_plain_dates(low: str, of_eras: list[PrintedDate]) -> Iterator[PrintedDate]:
    for match in _DATE.finditer(low):
        days_read = _parse_match(match)
        if days_read and not overlaps_date(of_eras, *match.span()):
            yield PrintedDate(match.start(), match.end(), *days_read)


def _find_era_dates(text: str) -> Iterator[PrintedDate]:
    for match in _ERA_DATE.finditer(text):
        name = match["era"] or match["letter"] or ""
        if match["plain"] and match["sign"]:
            continue
        year = _read_count(match["year"] or match["letter_year"] or match["plain"])
        if year and year <= _LAST_YEARS.get(name, 9999):
            month, number = _read_count(match["month"] or match["month2"]), _read_count(match["day"] or match["day2"])
            day = _make_date(f"{ERAS.get(name, 0) + year:04}", month, number)
            if day:
                yield PrintedDate(match.start(), match.end(), day, day)


def _read_count(written: str) -> int:
    if written.isdecimal():
        return int(written)
    return 1 if written == "元" else int(parse_signs(written) or 0)


def _parse_match(match: re.Match[str]) -> tuple[date | None, date | None] | None:
    parts = match.groupdict()
    if parts["a2"]:
        one, two, year = int(parts["a2"]), int(parts["b2"]), leave_buddhist_years(parts["y2"])
        day_first, month_first = _make_date(year, two, one), _make_date(year, one, two)
        if parts["s2"] == "." and day_first:  # no country prints the month first with dots
            month_first = None
        return (day_first, month_first) if day_first or month_first else None
    for number in "1345":
        if parts[f"d{number}"]:
            month = parts[f"m{number}"]
            year = parts[f"y{number}"] or parts["y6"]
            # Digits alone with the year first are what computers write, who know one calendar.
            year = year if number == "1" else leave_buddhist_years(year)
            day = _make_date(year, MONTHS.get(month) or int(month), int(parts[f"d{number}"]))
            return (day, day) if day else None
    return None


def leave_buddhist_years(year: str) -> str:
    return str(int(year) - _BUDDHIST) if int(year) in _BUDDHIST_YEARS else year


def _make_date(year: str, month: int, day: int) -> date | None:
    full = int(year) if len(year) == 4 else int(year) + (2000 if int(year) < 70 else 1900)
    try:
        return date(full, month, day)
    except ValueError:
        return None


def parse_dates(value: str) -> set[date]:
    """The days that a text which is nothing but a date (or a date with a time) can mean."""
    text = value.strip()
    if re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d)?", text):
        text = text[:10]
    printed_dates = [printed for printed in find_dates(text) if (printed.start, printed.end) == (0, len(text))]
    return printed_dates[0].days if printed_dates else set()


def find_weekdays(text: str) -> dict[str, int]:
    """By their names as they are written."""
    return {match[0]: WEEKDAYS[match[0].lower()] for match in _WEEKDAY.finditer(text)}


def find_partial_dates(text: str) -> Iterator[PartialDate]:
    """Yield them from a text whose whole dates are cut out."""
    for match in _PARTIAL.finditer(fold_letters(text)):
        name, day, year = match["month"], match["day"] or match["late_day"], match["year"]
        if _is_month(text[match.start("month") :], name, is_alone=not (day or year)):
            yield PartialDate(*match.span(), int(day or 0), MONTHS[name], int(year or 0))


def _is_month(written: str, name: str, *, is_alone: bool) -> bool:
    is_capitalized = written[0].isupper()
    return (is_capitalized and len(name) >= _MIN_ALONE) if is_alone else is_capitalized or name not in HOMOGRAPHS


def cut_out(text: str, dates: Iterable[tuple[int, int]]) -> str:
    """The text with commas in the place of these stretches, which are in their order."""
    for start, end in reversed(list(dates)):
        text = f"{text[:start]} , {text[end:]}"
    return text

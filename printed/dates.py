"""Dates as they are printed: 2026-04-04 · 04/04/2026 · 4. April 2026 · Apr 4th, 26."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import NamedTuple

from printed.folding import fold

_MONTHS = (
    "jan january januar januari janvier enero ene gennaio gen janeiro styczen stycznia leden ledna",
    "feb february februar februari fevrier fev febrero febbraio fevereiro luty lutego unor unora",
    "mar marz march maerz mrz maart mrt mars marzo marco marzec marca marts brezen brezna",
    "apr april avril avr abril abr aprile kwiecien kwietnia duben dubna",
    "may mai mei mayo maggio mag maio maj maja kveten kvetna",
    "jun juni june juin junio giugno giu junho czerwiec czerwca cerven cervna",
    "jul juli july juillet juil julio luglio lug julho lipiec lipca cervenec cervence",
    "aug august augustus aout agosto ago sierpien sierpnia augusti srpen srpna",
    "sep sept september septembre septiembre settembre set setembro wrzesien wrzesnia zari",
    "oct okt october oktober octobre octubre ottobre ott outubro pazdziernik pazdziernika rijen rijna",
    "nov november novembre noviembre novembro listopad listopada listopadu",
    "dec dez december dezember decembre diciembre dic dicembre dezembro grudzien grudnia prosinec prosince",
)
MONTHS = {name: number for number, names in enumerate(_MONTHS, 1) for name in names.split()}
_NAME = "|".join(sorted(MONTHS, key=len, reverse=True))
_DATE = re.compile(
    rf"""(?<![\w.,/-])(?:
      (?P<y1>\d{{4}})\s?(?P<s1>[-/.])\s?(?P<m1>\d{{1,2}})\s?(?P=s1)\s?(?P<d1>\d{{1,2}})
    | (?P<a2>\d{{1,2}})\s?(?P<s2>[-/.])\s?(?P<b2>\d{{1,2}})\s?(?P=s2)\s?(?P<y2>\d{{4}}|\d{{2}})
    | (?P<d3>\d{{1,2}})(?:st|nd|rd|th|er|º|\.)?[\s/.-]*(?:of\s|de\s|di\s)?\s*
      (?P<m3>{_NAME})\.?,?[\s/.-]*(?:of\s|de\s|del\s)?'?(?P<y3>\d{{4}}|\d{{2}}(?!,\s\d{{4}}\b))
    | (?P<m4>{_NAME})\.?[\s-]*(?P<d4>\d{{1,2}})(?:st|nd|rd|th)?,?[\s-]+'?(?P<y4>\d{{4}}|\d{{2}})
    | (?P<y5>\d{{4}})\s?年\s?(?P<m5>\d{{1,2}})\s?月\s?(?P<d5>\d{{1,2}})\s?日
    | (?P<y6>\d{{4}})[\s-](?P<m6>{_NAME})\.?[\s-](?P<d6>\d{{1,2}})
    )(?![\w/-]|[.,]\d)""",
    re.VERBOSE,
)
_HINT = re.compile(rf"\d\s?[-/.年]|{_NAME}")


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


def find_dates(text: str) -> Iterator[PrintedDate]:
    low = fold_letters(text)
    if not _HINT.search(low):
        return
    for match in _DATE.finditer(low):
        days_read = _parse_match(match)
        if days_read:
            yield PrintedDate(match.start(), match.end(), *days_read)


def fold_letters(text: str) -> str:
    """Folded letter by letter, so that offsets stay those of the text."""
    if text.isascii():
        return text.lower()
    return "".join(low if len(low := fold(char)) == 1 else char for char in text)


def _parse_match(match: re.Match[str]) -> tuple[date | None, date | None] | None:
    parts = match.groupdict()
    if parts["a2"]:
        one, two, year = int(parts["a2"]), int(parts["b2"]), parts["y2"]
        day_first, month_first = _make_date(year, two, one), _make_date(year, one, two)
        if parts["s2"] == "." and day_first:  # no country prints the month first with dots
            month_first = None
        return (day_first, month_first) if day_first or month_first else None
    for number in "13456":
        if parts[f"d{number}"]:
            month = parts[f"m{number}"]
            day = _make_date(parts[f"y{number}"], MONTHS.get(month) or int(month), int(parts[f"d{number}"]))
            return (day, day) if day else None
    return None


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

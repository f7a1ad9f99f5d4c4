"""Months, quarters, halves and weeks of a year: March 2026 · Q1/2026 · 1. Halbjahr 2026 · KW 45/2026 · 2026-W45."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from printed.dates import ERAS, MONTH, MONTHS, ORDINAL, find_dates, leave_buddhist_years, overlaps_date
from printed.folding import fold, fold_letters, read_digits
from printed.languages import join_words, list_words
from printed.number_words import parse_signs

_WEEK = "|".join(re.escape(fold(word)) for word in list_words(lambda language: language.weeks))
_HALF = "|".join(re.escape(fold(word)) for word in list_words(lambda language: language.halves))
_QUARTER = "|".join(re.escape(fold(word)) for word in list_words(lambda language: language.quarters))
_FIRSTS = join_words(lambda language: language.quarter_numbers)
_ORDINALS = {fold(word): int(number) for number, words in _FIRSTS.items() for word in words}
_FIRST = "|".join(_ORDINALS)
_OF = "|".join(re.escape(word) for word in list_words(lambda language: language.date_joiners))
_BETWEEN = rf"(?:\s?[-/.,]\s?'?|\s(?:(?:{_OF})\s)?'?|\s?')"
_YEAR = r"(?P<{}>\d{{4}}|(?<=[-/'])\d{{2}})"
_ERA = "|".join(sorted((name for name in ERAS if not name.isascii()), key=len, reverse=True))
_COUNT = r"\d{1,2}|[一二三四]"
_PERIOD = re.compile(
    rf"""(?<![\w.,/-])(?:
      (?:{_WEEK})\.?\s?(?P<w1>\d{{1,2}})\.?{_BETWEEN}{_YEAR.format("y1")}
    | (?P<y2>\d{{4}})\s?[-/]?\s?(?:{_WEEK})\.?\s?(?P<w2>\d{{1,2}})
    | (?:{_QUARTER})\s?(?P<q3>[1-4]|i{{1,3}}|iv){_BETWEEN}{_YEAR.format("y3")}
    | (?P<q4>[1-4]|i{{1,3}}|iv|{_FIRST})(?:{ORDINAL})?\s?(?:{_QUARTER}){_BETWEEN}?(?P<y4>\d{{4}}|\d{{2}})
    | (?:{_HALF})\s?(?P<h10>[12]|i{{1,2}}){_BETWEEN}{_YEAR.format("y10")}
    | (?P<h11>[12]|i{{1,2}}|{_FIRST})(?:{ORDINAL})?\s?(?:{_HALF}){_BETWEEN}?(?P<y11>\d{{4}}|\d{{2}})
    | (?P<y12>\d{{4}})\s?[-/]?\s?(?:{_HALF})\s?(?P<h12>[12])
    | (?P<w4>\d{{1,2}})\.?\s?(?:{_WEEK}){_BETWEEN}(?P<y0>\d{{4}})
    | (?P<y5>\d{{4}})\s?[-/]?\s?(?:{_QUARTER})\s?(?P<q5>[1-4])
    | (?P<m6>{MONTH})\.?,?{_BETWEEN}(?P<y6>\d{{4}}|(?<=')\d{{2}})
    | (?P<m7>\d{{1,2}})\s?[-/.]\s?(?P<y7>\d{{4}})
    | (?P<y8>\d{{4}})\s?[-/.]\s?(?P<m8>\d{{1,2}})
    )(?![\w/-]|[.,]\d)
    | (?P<era>{_ERA}|(?<![\d.,/-])(?=\d{{4}}))\s?(?P<y9>\d{{1,4}}|元)\s?年
      \s?(?:(?P<m9>\d{{1,2}})\s?月|第\s?(?P<q9>{_COUNT})\s?(?:四半期|季度))""",
    re.VERBOSE,
)
_HINT = re.compile(r"\d{4}|'\d\d|/\d\d|\d年|元年|\d[qh]\d")
_ORDINALS |= {"i": 1, "ii": 2, "iii": 3, "iv": 4}
_LAST = {"m": 12, "q": 4, "h": 2, "w": 53}
_FORMS = {"m": "{}-{:02}", "q": "{}-Q{}", "h": "{}-H{}", "w": "{}-W{:02}"}


class Period(NamedTuple):
    """A stretch of a text and what it says as ISO 8601 does: 2026-03, 2026-W45; others as 2026-Q1, 2026-H1."""

    start: int
    end: int
    name: str


def find_periods(text: str) -> Iterator[Period]:
    low = fold_letters(read_digits(text))
    if not _HINT.search(low):
        return
    days = list(find_dates(text))
    for match in _PERIOD.finditer(low):
        name = _name_period(match)
        if name and not overlaps_date(days, *match.span()):
            yield Period(*match.span(), name)


def _name_period(match: re.Match[str]) -> str:
    parts = {name: text for name, text in match.groupdict().items() if text}
    unit, number = next((name[0], _read_count(text)) for name, text in parts.items() if name[0] in _LAST)
    written = next(text for name, text in parts.items() if name[0] == "y")
    year = 1 if written == "元" else int(leave_buddhist_years(written))
    year += ERAS[parts["era"]] if "era" in parts else 2000 if len(written) == 2 else 0
    return _FORMS[unit].format(year, number) if 1 <= number <= _LAST[unit] and 1900 <= year < 2200 else ""


def _read_count(text: str) -> int:
    return int(text) if text.isdecimal() else MONTHS.get(text) or _ORDINALS.get(text) or int(parse_signs(text) or 0)


def parse_period(value: str) -> str:
    """The name of the period that a text is; empty for any other text."""
    text = value.strip()
    return next((period.name for period in find_periods(text) if (period.start, period.end) == (0, len(text))), "")

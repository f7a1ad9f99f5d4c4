"""A due date that follows from a printed date and terms of payment: 30 days net, zahlbar binnen 14 Tagen."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import product

from documents.locate.derived.inference import Evidence, get_container, infer_location
from documents.locate.leaves import Leaf
from documents.locate.locations import make_location
from documents.locate.matches import Match
from documents.locate.words.joined_words import join_words
from documents.locate.words.pages import Page, Span
from documents.values.addresses import Where
from documents.values.provenance import Location
from printed.dates import parse_dates
from printed.folding import fold_letters
from printed.languages import write_pattern
from printed.quantities import NUMBER_WORDS
from printed.units import UNITS

MAX_DAYS = 400
_UNIT = "|".join(f"(?P<{unit}>{'|'.join(map(re.escape, UNITS[unit]))})" for unit in ("day", "week", "month"))
_ADJECTIVE = r"(?:[^\W\d_]+\s)?"
_WORDED = "|".join(sorted(NUMBER_WORDS, key=len, reverse=True))
_PERIOD = re.compile(rf"(?<![\d.,/-])(?P<count>\d{{1,3}}|{_WORDED})\s?{_ADJECTIVE}(?:{_UNIT})(?!\w)", re.I)
_TERMS = re.compile(fold_letters(write_pattern(lambda language: language.terms)), re.I)
_BASES = frozenset(["invoice", "issue", "issued", "order", "document", "receipt"])


def infer_due_dates(evidence: Evidence) -> Iterator[tuple[Where, Location]]:
    due = [leaf for leaf in evidence.open if "due" in leaf.label.own and parse_dates(str(leaf.value))]
    terms = list(_iterate_terms(evidence)) if due else []
    for leaf in due:
        for base, (match, count, unit) in product(_list_bases(leaf, evidence), terms):
            day = _add(min(parse_dates(str(base.value))), count, unit)
            if day in parse_dates(str(leaf.value)):
                note = f"{base.field or base.where} and “{match.quote}”; the date itself is not printed."
                location = infer_location([evidence.locations[base.where], make_location(match)], note)
                if location:
                    yield leaf.where, location
                    break


def _list_bases(leaf: Leaf, evidence: Evidence) -> list[Leaf]:
    """The date of the paper beside it."""
    dates = [
        each
        for each in evidence.list_printed(get_container(leaf))
        if len(parse_dates(str(each.value))) == 1 and "date" in each.label.own
    ]
    return [each for each in dates if each.label.own.keys() & _BASES or each.label.own.keys() == {"date"}]


def _iterate_terms(evidence: Evidence) -> Iterator[tuple[Match, int, str]]:
    """Periods on lines that speak of payment."""
    for at, page in enumerate(evidence.matcher.index.pages):
        for line in page.lines:
            text = join_words(page.words, page.rows[line])
            folded = fold_letters(text.text)
            if not _TERMS.search(folded):
                continue
            for period in _PERIOD.finditer(folded):
                unit = next(unit for unit in ("day", "week", "month") if period[unit])
                words = _list_words(page, text.text, folded, period.start(), period.end(), line)
                if words:
                    yield Match(page, Span(at, words), "text"), _read_count(period["count"]), unit


def _read_count(written: str) -> int:
    return int(written) if written.isdecimal() else NUMBER_WORDS[written]


def _list_words(page: Page, text: str, folded: str, start: int, end: int, line: int) -> tuple[int, ...]:
    if len(text) != len(folded):
        return ()
    return join_words(page.words, page.rows[line]).list_words(start, end)


def _add(day: date, count: int, unit: str) -> date:
    if unit != "month":
        return day + timedelta(days=min(count * (7 if unit == "week" else 1), MAX_DAYS))
    month = day.month - 1 + min(count, 12)
    year, month = day.year + month // 12, month % 12 + 1
    return date(year, month, min(day.day, monthrange(year, month)[1]))

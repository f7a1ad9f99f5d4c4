"""Find what is nearest to an amount or a date that no words say: beside its label, in its row, or with nearly its
digits. Who looks at it sees a slip of the model, or of the page, at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from functools import cached_property

from rapidfuzz import process
from rapidfuzz.distance import OSA

from documents.locate.labels import Labels
from documents.locate.leaves import Leaf
from documents.locate.matches import Match, Matcher
from documents.locate.words.pages import Line, Span, Spot
from printed.dates import parse_dates
from printed.numbers import parse_money, parse_number

MAX_NEAREST = 3
OWN_LABEL = 0.5
FEWEST_DIGITS, FEWEST_OF_MULTIPLE = 4, 3
"""Digits that differ by a slip at most, and digits that are the same where a power of ten differs."""
MAX_COMPARISONS = 40_000
"""Places whose labels are read for all values together, which takes less than a second."""
Key = Decimal | date


@dataclass
class Nearest:
    """`taken`: words that say other values."""

    matcher: Matcher
    labels: Labels
    taken: set[Spot]
    _compared: int = 0

    def find(self, leaf: Leaf, line: Line | None) -> list[Match]:
        """List the nearest first; none for a value that is neither an amount nor a date. `line`: where its row is."""
        keys = _read_keys(leaf.value)
        if not keys:
            return []
        pool = self._dates if isinstance(keys[0], date) else self._numbers
        if line is not None:
            near = sorted(pool.by_line[line], key=lambda match: _measure(keys, pool.keys[match.spots]))
        else:
            near = [*self._find_labelled(leaf, pool), *pool.list_alike(keys)]
        return list(self._drop_doubles(near))[:MAX_NEAREST]

    def _find_labelled(self, leaf: Leaf, pool: _Pool) -> list[Match]:
        self._compared += len(pool.matches)
        if self._compared > MAX_COMPARISONS:
            return []
        fits = [(self.labels.fit(leaf.label, match), match) for match in pool.matches]
        best = max([OWN_LABEL, *(fit for fit, _ in fits)])
        return [match for fit, match in fits if fit == best]

    def _drop_doubles(self, matches: Iterable[Match]) -> Iterator[Match]:
        quotes: set[str] = set()
        for match in matches:
            if match.quote not in quotes and not match.spots & self.taken:
                quotes.add(match.quote)
                yield match

    @cached_property
    def _numbers(self) -> _Pool:
        spans = self.matcher.index.numbers.items()
        return _Pool(self.matcher, "number", [(each.span, number) for number, at in spans for each in at])

    @cached_property
    def _dates(self) -> _Pool:
        spans = self.matcher.index.dates.items()
        return _Pool(self.matcher, "date", [(each.span, day) for day, at in spans for each in at])


@dataclass
class _Pool:
    """All amounts of the pages, or all dates, in reading order. `keys`: how each can be read."""

    matcher: Matcher
    kind: str
    spans: list[tuple[Span, Key]]
    keys: defaultdict[frozenset[Spot], list[Key]] = field(default_factory=lambda: defaultdict(list))

    def __post_init__(self) -> None:
        matches: dict[Span, Match] = {}
        for span, key in self.spans:
            match = matches.setdefault(span, Match(self.matcher.index.pages[span.page], span, self.kind))
            self.keys[match.spots].append(key)
        self.matches = sorted(matches.values(), key=lambda match: match.order)
        self.by_line: defaultdict[Line, list[Match]] = defaultdict(list)
        self.by_digits: defaultdict[str, list[Match]] = defaultdict(list)
        for match in self.matches:
            self.by_line[match.span.page, match.lines[0]].append(match)
            for digits in {_write_digits(key) for key in self.keys[match.spots]}:
                self.by_digits[digits].append(match)

    def list_alike(self, keys: Iterable[Key]) -> Iterator[Match]:
        """List those whose digits are the same but for a slip."""
        for digits in map(_write_digits, keys):
            slips = 1 if len(digits) >= FEWEST_DIGITS else 0
            if len(digits) >= FEWEST_OF_MULTIPLE:
                alike = process.extract(
                    digits, list(self.by_digits), scorer=OSA.distance, score_cutoff=slips, limit=MAX_NEAREST
                )
                yield from (match for other, _, _ in alike for match in self.by_digits[other])


def _read_keys(value: object) -> list[Key]:
    number = parse_number(value)
    if number is not None:
        return [number]
    if not isinstance(value, str):
        return []
    return [*sorted(parse_dates(value))] or [each.value for each in parse_money(value)]


def _measure(keys: Iterable[Key], others: Iterable[Key]) -> int:
    return min(OSA.distance(_write_digits(one), _write_digits(other)) for one in keys for other in others)


def _write_digits(key: Key) -> str:
    """The digits that count, without sign and power of ten."""
    return key.isoformat() if isinstance(key, date) else f"{abs(key):f}".replace(".", "").strip("0")

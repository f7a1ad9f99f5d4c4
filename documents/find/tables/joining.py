"""Rows of a table beside what belongs to them: rows of another table, or values of documents."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from kit.errors import Invalid
from kit.processes.computing import limit_computing
from printed.folding import fold

JOIN_SHAPE = (
    'join is an object such as {"with": "values", "key": "Reference", "with_key": "invoice_number", "compare": '
    '"Amount", "with_compare": "total"}; with is "values", or a document\'s name, or that of another table of this one.'
)
_PARTS = ("with", "key", "with_key", "compare", "with_compare")
MAX_SIDE = 20_000
# Digits or letters of a key that is looked for within a longer text.
MIN_KEY = 3
# Words of a key that is looked for within a longer text; a longer key is found only as the whole of one.
MAX_KEY_WORDS = 12
# Rows that are left over on both sides are called near where the amounts differ by no more, as a share.
NEAR = Decimal("0.1")
MAX_NEAR, MAX_COMPARED = 20, 200
SLOW = "These rows take too long to be joined. Narrow them by filters, or name a shorter column as key."
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Join:
    """`other`: "values", or the name of a document or table. `compare` and `with_compare` may be empty."""

    other: str
    key: str
    with_key: str
    compare: str = ""
    with_compare: str = ""


@dataclass(frozen=True)
class JoinedSide:
    """One row: the text of its key, its amount, and the ids of their lines. `name` and
    `written` tell it to a reader."""

    name: str
    key: str
    amount: Decimal | None
    currency: str = ""
    blocks: Sequence[str] = ()
    written: str = ""


@dataclass(frozen=True)
class Match:
    """Rows of either side that belong together: mostly one of each."""

    ones: Sequence[JoinedSide]
    others: Sequence[JoinedSide]

    @property
    def amounts(self) -> tuple[Decimal | None, Decimal | None]:
        return _add(self.ones), _add(self.others)

    @property
    def has_other_sign(self) -> bool:
        """As what a bank books out for an invoice."""
        one, other = self.amounts
        return one is not None and other is not None and one * other < 0

    @property
    def difference(self) -> Decimal | None:
        """Nothing where an amount is missing, or the currencies cannot be the same."""
        one, other = self.amounts
        if one is None or other is None or len({each.currency for each in (*self.ones, *self.others)} - {""}) > 1:
            return None
        return abs(one) - abs(other) if self.has_other_sign else one - other


def _add(sides: Iterable[JoinedSide]) -> Decimal | None:
    amounts = [side.amount for side in sides]
    return None if any(amount is None for amount in amounts) else sum((a for a in amounts if a is not None), Decimal(0))


@dataclass
class Joining:
    matches: list[Match] = field(default_factory=list)
    only_one: list[JoinedSide] = field(default_factory=list)
    only_other: list[JoinedSide] = field(default_factory=list)
    near: list[Match] = field(default_factory=list)

    @property
    def different(self) -> list[Match]:
        return [match for match in self.matches if match.difference]

    @property
    def not_compared(self) -> list[Match]:
        """Matches without an amount on either side, or in currencies that differ."""
        return [match for match in self.matches if match.difference is None]


def parse_join(raw: object) -> Join:
    if not isinstance(raw, Mapping) or set(raw) - {*_PARTS} or not all(raw.get(name) for name in _PARTS[:3]):
        raise Invalid(JOIN_SHAPE)
    parts = [raw.get(name) or "" for name in _PARTS]
    if not all(isinstance(part, str) for part in parts) or bool(parts[3]) != bool(parts[4]):
        raise Invalid(f"compare and with_compare go together. {JOIN_SHAPE}")
    return Join(*parts)


def join_rows(ones: Sequence[JoinedSide], others: Sequence[JoinedSide]) -> Joining:
    """A key of the other side is the same as one's, or stands in it as a word. Raises Invalid for too many rows."""
    if max(len(ones), len(others)) > MAX_SIDE:
        raise Invalid(f"Up to {MAX_SIDE:,} rows a side can be joined. Narrow them by filters.")
    links = _link(ones, others)
    joining = Joining()
    for group in _group(links, len(others)):
        joining.matches.append(Match([ones[at] for at in group[0]], [others[at] for at in group[1]]))
    linked = {to for linked_to in links for to in linked_to}
    joining.only_one = [side for side, linked_to in zip(ones, links, strict=True) if not linked_to]
    joining.only_other = [side for at, side in enumerate(others) if at not in linked]
    joining.near = list(_find_near(joining.only_one, joining.only_other))
    return joining


def _link(ones: Sequence[JoinedSide], others: Sequence[JoinedSide]) -> list[list[int]]:
    """For each of the one side the places in the other one that it belongs to."""
    by_key: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    for at, side in enumerate(others):
        if words := _split_key(side.key):
            by_key[words].append(at)
    lengths = sorted({len(words) for words in by_key if len(words) <= MAX_KEY_WORDS}, reverse=True)
    by_word: defaultdict[str, list[int]] = defaultdict(list)
    for words, places in by_key.items():
        for word in set(words):
            by_word[word] += places
    keys = limit_computing((_split_key(side.key) for side in ones), sentence=SLOW)
    return [_find_keys(words, by_key, lengths) or _find_whole(words, by_word) for words in keys]


def _find_whole(words: Sequence[str], by_word: Mapping[str, list[int]]) -> list[int]:
    """A number that is one word of a single key on the other side: 1003 for INV-1003."""
    places = by_word.get(words[0], []) if len(words) == 1 and _is_telling(words) else []
    return places if len(places) == 1 else []


def _split_key(text: str) -> tuple[str, ...]:
    """Its words; leading zeros of a number do not count."""
    return tuple(word.lstrip("0") or word for word in _WORD.findall(fold(text).replace("_", " ")))


def _find_keys(
    words: tuple[str, ...], by_key: Mapping[tuple[str, ...], list[int]], lengths: Sequence[int]
) -> list[int]:
    if words in by_key:
        return by_key[words]
    linked_to: list[int] = []
    taken: set[int] = set()
    for length in lengths:
        for start in range(len(words) - length + 1):
            part = words[start : start + length]
            places = by_key.get(part)
            if places and _is_telling(part) and taken.isdisjoint(range(start, start + length)):
                taken |= {*range(start, start + length)}
                linked_to += places
    return linked_to


def _is_telling(part: Sequence[str]) -> bool:
    """A short number or word within a longer text is there by chance."""
    letters = "".join(part)
    return len(letters) >= MIN_KEY and (any(map(str.isdigit, letters)) or len(letters) > MIN_KEY)


def _group(links: Sequence[Sequence[int]], count: int) -> Iterator[tuple[list[int], list[int]]]:
    """Rows that are linked to the same ones, together: two payments of one invoice, one payment of two."""
    owner = list(range(count))

    def find(at: int) -> int:
        while owner[at] != at:
            owner[at] = owner[owner[at]]
            at = owner[at]
        return at

    for linked_to in links:
        for other in linked_to[1:]:
            owner[find(other)] = find(linked_to[0])
    groups: dict[int, tuple[list[int], list[int]]] = {}
    for at, linked_to in enumerate(links):
        if linked_to:
            groups.setdefault(find(linked_to[0]), ([], []))[0].append(at)
    for other in range(count):
        if find(other) in groups:
            groups[find(other)][1].append(other)
    yield from groups.values()


def _find_near(ones: Sequence[JoinedSide], others: Sequence[JoinedSide]) -> Iterator[Match]:
    """Pairs rows that are left over and whose amounts are almost the same, the nearest first."""
    left = [(side, abs(side.amount)) for side in ones if side.amount][:MAX_COMPARED]
    right = [(side, abs(side.amount)) for side in others if side.amount][:MAX_COMPARED]
    distances = (
        (abs(amount - other), at, to) for at, (_, amount) in enumerate(left) for to, (_, other) in enumerate(right)
    )
    taken: set[int] = set()
    others_taken: set[int] = set()
    for distance, at, to in sorted(distances):
        if len(taken) == MAX_NEAR:
            return
        if at not in taken and to not in others_taken and distance <= right[to][1] * NEAR:
            taken.add(at)
            others_taken.add(to)
            yield Match([left[at][0]], [right[to][0]])

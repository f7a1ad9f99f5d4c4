"""Match heads of a table with fields, and choose between several places of a row by the head they stand under."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from documents.locate.labels import Label, make_tokens
from documents.locate.leaves import Leaf
from documents.locate.matches import Match
from documents.locate.rows.heads import Head, find_heads
from documents.locate.weights import get_weight
from documents.locate.words.pages import Page

NAMED = 0.4
SURE = 0.7
ALIKE = 0.02
SHORT = 4
"""Letters and digits of a value that is in many places by chance."""


@dataclass(frozen=True)
class Column:
    """`is_sure`: its head is known for this field, and for no other."""

    left: float
    right: float
    is_sure: bool = False

    def distance(self, match: Match) -> float:
        left, right = match.sides
        return max(self.left - right, left - self.right, 0.0)


def find_named_columns(page: Page, line: int, labels: Mapping[str, Label]) -> dict[str, Column]:
    """For each field the head on this line that names it best; a head names one field."""
    heads = find_heads(page, line)
    fits = {(name, at): _fit(label, head) for name, label in labels.items() for at, head in enumerate(heads)}
    columns: dict[str, Column] = {}
    free = set(range(len(heads)))
    for (name, at), fit in sorted(fits.items(), key=lambda item: -item[1]):
        if fit < NAMED or name in columns or at not in free:
            continue
        rivals = [other for other in free - {at} if fits[name, other] > fit - ALIKE]
        others = [other for other in labels if other not in columns and other != name and fits[other, at] > fit - ALIKE]
        if not rivals and not others:
            columns[name] = Column(heads[at].left, heads[at].right, fit >= SURE)
            free.discard(at)
    return columns


def _fit(label: Label, head: Head) -> float:
    own = label.fit(make_tokens(head.words))
    if not label.column or not head.columns:
        return own
    # A head that is known for another column names no field of this one, whatever words they share.
    # “Prijs per stuk” says more than “Prijs”.
    return SURE + 0.1 * head.share + 0.05 * head.known_words + 0.05 * own if label.column in head.columns else 0.0


def choose_match(leaf: Leaf, options: Sequence[Match], columns: Mapping[str, Column]) -> Match | None:
    own = columns.get(leaf.field)
    if own is None:
        return options[0] if len(options) == 1 else None
    near = sorted(options, key=own.distance)
    if not near:
        return None
    best = near[0]
    if len(near) > 1 and own.distance(near[1]) <= own.distance(best):
        return None
    short = get_weight(leaf.value) < SHORT
    others = [column.distance(best) for name, column in columns.items() if name != leaf.field]
    elsewhere = own.distance(best) > min(others, default=1.0)
    return None if (short or len(options) > 1) and elsewhere else best

"""The answer of a comparison of two texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, NamedTuple, TypeAlias

from documents.comparing.words import ComparedWord, join_texts
from documents.reading.blocks import BlockPlace

Kind: TypeAlias = Literal["changed", "added", "removed", "moved"]
Matter: TypeAlias = Literal["number", "text", "signs", "misread"]
"""A change is about numbers, days and money; about words; about punctuation and capitals alone; or about letters that a
scan may have had read wrongly."""
MATTERS: tuple[Matter, ...] = ("number", "text", "signs", "misread")


@dataclass(frozen=True)
class Stretch:
    """Words that both have (then `one` and `other` are the same ones), or that one has in the place of the other's."""

    one: Sequence[ComparedWord]
    other: Sequence[ComparedWord]
    is_same: bool = False

    @property
    def was(self) -> str:
        return join_texts(self.one)

    @property
    def now(self) -> str:
        return join_texts(self.other)


@dataclass(frozen=True)
class Side:
    """A passage in one of the texts. `place`: the line of the first change. `marked`: the numbers of the words that
    differ on that line; empty where none does."""

    words: Sequence[ComparedWord]
    place: BlockPlace
    marked: Sequence[int] = ()

    @property
    def text(self) -> str:
        return join_texts(self.words)


@dataclass(frozen=True)
class Change:
    """`number` counts from 1 in the order of the newer text; `section` is the heading that it stands under. `page`: of
    the older text, also of what was added there."""

    kind: Kind
    matter: Matter
    section: str
    one: Side | None
    other: Side | None
    stretches: Sequence[Stretch] = ()
    number: int = 0
    page: int = 1

    @property
    def rank(self) -> tuple[int, int]:
        """Sorts what weighs most first."""
        return MATTERS.index(self.matter), self.number


@dataclass(frozen=True)
class ComparedRow:
    """Passages side by side: the same ones, with their `text` in the newer one, or a change."""

    text: str
    change: Change | None = None


class Renumbering(NamedTuple):
    """A clause that has another number and the same words."""

    was: str
    now: str


@dataclass(frozen=True)
class Comparison:
    rows: Sequence[ComparedRow]
    renumbered: Sequence[Renumbering] = field(default_factory=tuple)
    notes: Sequence[str] = field(default_factory=tuple)

    @cached_property
    def changes(self) -> list[Change]:
        return [row.change for row in self.rows if row.change]

    @property
    def same(self) -> int:
        return len(self.rows) - len(self.changes)

    @property
    def sameness(self) -> str:
        """The sentence for texts without a change. It claims no more than was read and compared."""
        if not self.rows:
            return "Neither document has text to compare."
        if self.notes:
            return "What was read of both is the same."
        return "The visible texts are the same, apart from line breaks, page numbers and running heads."

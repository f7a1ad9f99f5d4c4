"""The comparison of two readings, from their pages to what changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from documents.comparing.page_lines import SLOW, read_lines
from documents.comparing.pairing import Aligner, Alignment
from documents.comparing.passages import Passage, cut_passages, list_sections
from documents.comparing.results import Change, ComparedRow, Comparison, Kind, Renumbering, Side, Stretch
from documents.comparing.storing import load, store
from documents.comparing.wording import judge, judge_alone, list_stretches
from documents.comparing.words import ComparedWord, join_texts
from documents.models import Reading
from documents.reading.blocks import BlockPlace
from kit.processes.computing import limit_computing

# Words of one line that are boxed.
MAX_MARKED = 40
EXHAUSTED = (
    "The texts differ in so much that not every passage was compared with every other: a passage that was reworded "
    "may be listed as removed and added."
)


def compare_readings(one: Reading, other: Reading) -> Comparison:
    """Two readings are compared once, and then loaded. Raises TooLarge for more than is compared at once."""
    comparison = load(one, other)
    if comparison is None:
        comparison = compare_passages(cut_passages(read_lines(one)), cut_passages(read_lines(other)))
        store(one, other, comparison)
    # The names of documents change.
    missing = [f"{reading.document.name}: {reading.reason}" for reading in (one, other) if reading.is_partial]
    return replace(comparison, notes=[*comparison.notes, *missing])


def compare_passages(one: Sequence[Passage], other: Sequence[Passage]) -> Comparison:
    aligner = Aligner(one, other)
    rows = list(_mark_misnumbered(_TextRow(alignment, one, other) for alignment in aligner.align()))
    renumbered = list(_list_renumbered(rows))
    compared = list(_describe_rows(_join_moved(rows), list_sections(one), list_sections(other)))
    return Comparison(compared, renumbered, [EXHAUSTED] if aligner.is_exhausted else [])


def _describe_rows(
    rows: Iterable[_TextRow], sections: Sequence[str], other_sections: Sequence[str]
) -> Iterator[ComparedRow]:
    number, page = 0, 1
    for row in limit_computing(rows, sentence=SLOW):
        section = other_sections[row.places.other[0]] if row.places.other else sections[row.places.one[0]]
        page = row.one[0].first.page if row.one else page
        change = row.make_change(section)
        number += change is not None
        yield ComparedRow("", replace(change, number=number, page=page)) if change else ComparedRow(row.other_text)


@dataclass(frozen=True)
class _TextRow:
    """Passages beside each other. `is_misnumbered`: no clause before it explains its other number."""

    places: Alignment
    all_one: Sequence[Passage]
    all_other: Sequence[Passage]
    is_misnumbered: bool = False

    @cached_property
    def one(self) -> list[Passage]:
        return [self.all_one[at] for at in self.places.one]

    @cached_property
    def other(self) -> list[Passage]:
        return [self.all_other[at] for at in self.places.other]

    @property
    def other_text(self) -> str:
        return " ".join(passage.text for passage in self.other)

    @property
    def is_same(self) -> bool:
        return bool(self.one and self.other) and _join(self.one, "exact") == _join(self.other, "exact")

    @cached_property
    def numbers(self) -> tuple[str, str]:
        """The clause has these in either text; they are empty where one of them has none."""
        if not (self.one and self.other and self.one[0].number and self.other[0].number):
            return "", ""
        return join_texts(self.one[0].number), join_texts(self.other[0].number)

    @property
    def is_renumbered(self) -> bool:
        return self.numbers[0] != self.numbers[1]

    def make_change(self, section: str) -> Change | None:
        if self.is_same and not self.places.is_moved and not self.is_misnumbered:
            return None
        words, other_words = (_list_words(each, with_numbers=self.is_misnumbered) for each in (self.one, self.other))
        if not words or not other_words:
            return self._make_alone(words or other_words, section)
        stretches = list_stretches(words, other_words)
        has_changes = not all(stretch.is_same for stretch in stretches)
        if not has_changes and not self.places.is_moved:
            return None
        matter = judge(stretches) if has_changes else "text"
        kind: Kind = "moved" if self.places.is_moved else "changed"
        sides = _make_side(self.one, stretches, 0), _make_side(self.other, stretches, 1)
        return Change(kind, matter, section, *sides, stretches)

    def _make_alone(self, words: Sequence[ComparedWord], section: str) -> Change:
        one = _make_side(self.one, (), 0) if self.one else None
        other = _make_side(self.other, (), 1) if self.other else None
        return Change("removed" if one else "added", judge_alone(words), section, one, other)


def _join(passages: Iterable[Passage], name: str) -> str:
    return "".join(getattr(passage, name) for passage in passages)


def _list_words(passages: Iterable[Passage], *, with_numbers: bool) -> list[ComparedWord]:
    return [w for passage in passages for w in ((*passage.number, *passage.words) if with_numbers else passage.words)]


def _make_side(passages: Sequence[Passage], stretches: Sequence[Stretch], side: int) -> Side:
    words = [word for passage in passages for word in (*passage.number, *passage.words)]
    first = _find_changed(stretches, side) or words[0]
    place = BlockPlace(first.page, first.line)
    changed = (word for each in stretches if not each.is_same for word in (each.other if side else each.one))
    marked = [word.number for word in changed if (word.page, word.line) == (first.page, first.line) and word.number]
    return Side(words, place, marked[:MAX_MARKED])


def _find_changed(stretches: Sequence[Stretch], side: int) -> ComparedWord | None:
    """The first word that differs; where words were left out the one before them."""
    before: ComparedWord | None = None
    for stretch in stretches:
        words = stretch.other if side else stretch.one
        if not stretch.is_same:
            return words[0] if words else before
        before = words[-1] if words else before
    return None


def _mark_misnumbered(rows: Iterable[_TextRow]) -> Iterator[_TextRow]:
    """A clause has another number where one before it came, went or moved. A number that changed alone is a change."""
    is_explained = False
    for row in rows:
        is_misnumbered = row.is_renumbered and not row.places.is_moved and not is_explained
        if row.places.is_moved or not (row.one and row.other) or row.is_renumbered:
            is_explained = True
        elif row.numbers[0]:
            is_explained = False
        yield replace(row, is_misnumbered=is_misnumbered)


def _list_renumbered(rows: Sequence[_TextRow]) -> Iterator[Renumbering]:
    for row in rows:
        if row.is_renumbered and not row.is_misnumbered and not row.places.is_moved:
            yield Renumbering(*row.numbers)


def _join_moved(rows: Sequence[_TextRow]) -> Iterator[_TextRow]:
    """Neighbours that moved together are one row."""
    last: _TextRow | None = None
    for row in rows:
        if last and _follows(last, row):
            places = Alignment(last.places.one + row.places.one, last.places.other + row.places.other, is_moved=True)
            last = replace(last, places=places)
            continue
        if last:
            yield last
        last = row
    if last:
        yield last


def _follows(last: _TextRow, row: _TextRow) -> bool:
    both = (last.places, row.places)
    if not all(places.is_moved for places in both) or not (last.is_same and row.is_same):
        return False
    return row.places.one[0] == last.places.one[-1] + 1 and row.places.other[0] == last.places.other[-1] + 1

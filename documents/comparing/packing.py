"""A comparison as bytes for its row, and back, with each word and its place."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Sequence
from itertools import islice, starmap
from typing import TypeAlias

from documents.comparing.results import Change, ComparedRow, Comparison, Kind, Matter, Renumbering, Side, Stretch
from documents.comparing.words import ComparedWord
from documents.reading.blocks import BlockPlace

# Words by column, places of those in no stretch, page and line, numbers of the words that differ.
_PackedSide: TypeAlias = tuple[Sequence[Sequence[object]], Sequence[int], tuple[int, int], Sequence[int]]


def pack(comparison: Comparison) -> bytes:
    return zlib.compress(write_json(comparison).encode())


def write_json(comparison: Comparison) -> str:
    rows = [_list_change(row.change) if row.change else row.text for row in comparison.rows]
    return json.dumps([rows, [*comparison.renumbered], [*comparison.notes]], ensure_ascii=False, separators=(",", ":"))


def unpack(content: bytes) -> Comparison:
    stored, renumbered, notes = json.loads(zlib.decompress(content))
    rows = [ComparedRow(row) if isinstance(row, str) else ComparedRow("", _read_change(*row)) for row in stored]
    return Comparison(rows, [Renumbering(*each) for each in renumbered], notes)


def _list_change(change: Change) -> list[object]:
    about = change.kind, change.matter, change.section, change.number, change.page
    lengths = [[len(each.one), len(each.other), each.is_same] for each in change.stretches]
    words = ([word for each in change.stretches for word in side(each)] for side in (_get_one, _get_other))
    sides = (_list_side(side, some) for side, some in zip((change.one, change.other), words, strict=True))
    return [*about, *sides, lengths]


def _get_one(stretch: Stretch) -> Sequence[ComparedWord]:
    return stretch.one


def _get_other(stretch: Stretch) -> Sequence[ComparedWord]:
    return stretch.other


def _list_side(side: Side | None, compared: Sequence[ComparedWord]) -> list[object] | None:
    """The words by column, and where those stand that are in no stretch, such as numbers of clauses."""
    if side is None:
        return None
    known = {id(word) for word in compared}
    left_out = [at for at, word in enumerate(side.words) if id(word) not in known] if compared else []
    return [[*zip(*side.words, strict=True)], left_out, side.place, [*side.marked]]


def _read_change(
    kind: Kind,
    matter: Matter,
    section: str,
    number: int,
    page: int,
    one: _PackedSide | None,
    other: _PackedSide | None,
    lengths: Sequence[tuple[int, int, bool]],
) -> Change:
    (first, words), (second, other_words) = _read_side(one), _read_side(other)
    stretches = [Stretch([*islice(words, was)], [*islice(other_words, now)], is_same) for was, now, is_same in lengths]
    return Change(kind, matter, section, first, second, stretches, number, page)


def _read_side(stored: _PackedSide | None) -> tuple[Side | None, Iterator[ComparedWord]]:
    """With its words that the stretches are made of."""
    if stored is None:
        return None, iter(())
    columns, left_out, place, marked = stored
    words = [*starmap(ComparedWord, zip(*columns, strict=True))]
    compared = (word for at, word in enumerate(words) if at not in left_out)
    return Side(words, BlockPlace(*place), marked), compared

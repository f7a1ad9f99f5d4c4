"""Pages in parts that an embedding says something about: what stands under one heading, or some rows of a table.

A part is whole lines of one page, so that it has a place which stays true (ADR 16).
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from documents.models import Page, Reading
from documents.reading.tables.reading_tables import iterate_blocks
from documents.reading.tables.structure import Block, Table, TableRow, TextLine
from reader.words import CELL_SEPARATOR, Word

log = logging.getLogger(__name__)
# Of a document. The rest is found by its words.
MAX_CHUNKS = 2_000
# Of a part; one that is as long as `ENOUGH` ends with its line.
MAX_LETTERS, ENOUGH = 1_200, 800
# Before each part: the heading that it stands under, or the names of its columns.
MAX_CONTEXT = 200
# A heading is so much higher than the page's usual line, and no longer than this.
HEADING_HEIGHT, MAX_HEADING = 1.2, 120


@dataclass(frozen=True)
class Chunk:
    """`text` has its heading or the names of its columns before its lines; `lines` are those, with their numbers."""

    page: int
    first_line: int
    last_line: int
    text: str
    lines: Sequence[tuple[int, str]] = ()

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.text.encode()).hexdigest()[:32]


@dataclass(frozen=True)
class _Piece:
    """A line, or a row of a table, which may go over several lines."""

    first_line: int
    last_line: int
    text: str
    context: str = ""
    is_heading: bool = False


def list_chunks(reading: Reading) -> list[Chunk]:
    """In reading order. Hidden words are in none; nothing of a reading with damaged words."""
    pages = reading.pages.order_by("number").only("reading", "number", "words")
    return cut_pages(reading, pages.iterator(chunk_size=50))


def cut_pages(reading: Reading, pages: Iterable[Page]) -> list[Chunk]:
    """The same of some of its pages, which are in their order."""
    chunks: list[Chunk] = []
    heading = ""
    try:
        for page, blocks in iterate_blocks(reading, pages):
            for group in _group_pieces(_list_pieces(blocks)):
                heading = group[0].text.strip()[:MAX_CONTEXT] if group[0].is_heading else heading
                chunks.append(_make_chunk(page.number, group, heading))
            if len(chunks) >= MAX_CHUNKS:
                break
    except ValueError as error:
        log.warning("%s is found by no meaning: %s", reading, error)
    return chunks[:MAX_CHUNKS]


def _make_chunk(page: int, group: list[_Piece], heading: str) -> Chunk:
    context = group[0].context or heading
    lines = [piece.text for piece in group]
    text = "\n".join(lines if context == lines[0].strip() or not context else [context, *lines])
    numbered = [(piece.first_line, piece.text) for piece in group]
    return Chunk(page, group[0].first_line, group[-1].last_line, text, numbered)


def _group_pieces(pieces: Iterable[_Piece]) -> Iterator[list[_Piece]]:
    """A heading begins a part, and so does a table; a part that is long enough has ended."""
    group: list[_Piece] = []
    letters = 0
    for piece in pieces:
        begins = piece.is_heading and any(not each.is_heading for each in group)
        begins = begins or (bool(group) and piece.context != group[0].context)
        if group and (begins or letters >= ENOUGH or letters + len(piece.text) > MAX_LETTERS):
            yield group
            group, letters = [], 0
        group.append(piece)
        letters += len(piece.text) + 1
    if group:
        yield group


def _list_pieces(blocks: Iterable[Block]) -> Iterator[_Piece]:
    listed = list(blocks)
    heights = [_measure_height(block) for block in listed if isinstance(block, TextLine)]
    usual = median(heights) if heights else 0.0
    for block in listed:
        pieces = _list_rows(block) if isinstance(block, Table) else [_make_line(block, usual)]
        for piece in pieces:
            yield from _cut_piece(piece)


def _make_line(line: TextLine, usual_height: float) -> _Piece:
    text = line.join_cells(CELL_SEPARATOR)
    is_heading = len(text) <= MAX_HEADING and _measure_height(line) > HEADING_HEIGHT * usual_height
    return _Piece(line.number, line.number, " " * line.indent + text, is_heading=is_heading)


def _measure_height(line: TextLine) -> float:
    return median(word.y1 - word.y0 for word in _list_words(line.cells))


def _list_words(cells: Iterable[Iterable[Word]]) -> list[Word]:
    return [word for cell in cells for word in cell]


def _list_rows(table: Table) -> Iterator[_Piece]:
    names = " / ".join(_join_row(row).strip() for row in table.names)[:MAX_CONTEXT]
    for row in table.rows:
        last = max((word.line for cell in row.cells for word in cell.words), default=row.line)
        yield _Piece(row.line, max(row.line, last), _join_row(row), context=names or f"table {table.number}")


def _join_row(row: TableRow) -> str:
    return " " * row.indent + CELL_SEPARATOR.join(cell.text for cell in row.cells)


def _cut_piece(piece: _Piece) -> Iterator[_Piece]:
    """A line may be as long as its author likes."""
    for at in range(0, len(piece.text), MAX_LETTERS):
        text = piece.text[at : at + MAX_LETTERS].rstrip()
        if text.strip():
            yield _Piece(piece.first_line, piece.last_line, text, piece.context, piece.is_heading)

"""Words of a page: their boxes, their visual rows, the packed field that stores them and the text that models read."""

import json
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from statistics import median
from typing import NamedTuple

HIDDEN = 1
OCR = 2
# The OCR engine saw a gap before this word: it begins a stretch of text found on its own.
STRETCH_START = 4
# It runs up or down the page.
UPWARD, DOWNWARD = 8, 16

PACK_VERSION = 1
SCALE = 100_000
MAX_UNPACKED = 64 * 1024 * 1024
# Spaces before a line: JSON and XML take two a level.
MAX_INDENT = 200
# Space between two words is about one character; columns stand three or more apart (invoices and receipts measured).
COLUMN_GAP = 2.6
STRETCH_GAP = 1.25
CELL_SEPARATOR = " | "


class Word(NamedTuple):
    """A word on the page as shown: box in page fractions from the top left, row from 1, confidence in percent.

    `address`: where in the file it stands, if that has a name: a cell of a sheet, a JSON pointer, an XPath.
    `cell`: of a file that knows the cells of its tables, which one, as `CellPlace` writes it.
    `indent`: of a line in whose file spaces mean something, how many stand before it; the first word has it.
    """

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    line: int = 0
    flags: int = 0
    confidence: int = 100
    address: str = ""
    cell: str = ""
    indent: int = 0

    @property
    def hidden(self) -> bool:
        return bool(self.flags & HIDDEN)

    @property
    def is_upright(self) -> bool:
        return bool(self.flags & (UPWARD | DOWNWARD))


class CellPlace(NamedTuple):
    """All counted from 1; rows and columns: over how many it goes."""

    table: int
    row: int
    column: int
    rows: int = 1
    columns: int = 1
    is_head: bool = False

    def __str__(self) -> str:
        return ".".join(str(int(number)) for number in (self if self[3:] != (1, 1, False) else self[:3]))


def parse_cell_place(text: str) -> CellPlace:
    """Raises ValueError."""
    numbers = [int(number) for number in text.split(".")]
    table, row, column, rows, columns, is_head = numbers if len(numbers) == 6 else [*numbers, 1, 1, 0]
    return CellPlace(table, row, column, rows, columns, bool(is_head))


def pack(words: Iterable[Word]) -> bytes:
    """One version byte, then zlib over compact JSON; coordinates keep five decimals."""
    rows = [[w.text, *(round(edge * SCALE) for edge in w[1:5]), *w[5 : _count_fields(w)]] for w in words]
    payload = json.dumps(rows, ensure_ascii=False, separators=(",", ":")).encode()
    return bytes([PACK_VERSION]) + zlib.compress(payload, 6)


def _count_fields(word: Word) -> int:
    """Without those at the end that are empty."""
    return 11 if word.indent else 10 if word.cell else 9 if word.address else 8


def unpack(packed: bytes) -> list[Word]:
    """The words of `pack`. Raises ValueError for bytes that `pack` did not make."""
    if not packed:
        return []
    if packed[0] != PACK_VERSION:
        raise ValueError(f"Packed words have version {packed[0]}; this code reads version {PACK_VERSION}.")
    try:
        inflater = zlib.decompressobj()
        payload = inflater.decompress(packed[1:], MAX_UNPACKED)
    except zlib.error as error:
        raise ValueError("Packed words are damaged.") from error
    if not inflater.eof:
        raise ValueError("Packed words are cut short or too large.")
    rows = json.loads(payload)
    return [Word(r[0], r[1] / SCALE, r[2] / SCALE, r[3] / SCALE, r[4] / SCALE, *r[5:]) for r in rows]


def make_block_id(page: int, line: int, word: int) -> str:
    """`page.line.word`, all counted from 1."""
    return f"{page}.{line}.{word}"


def group_lines(words: Iterable[Word]) -> list[tuple[int, list[Word]]]:
    """(line number, its words left to right), in the order that `number_rows` gave."""
    return [(number, list(row)) for number, row in groupby(words, key=lambda w: w.line)]


def join_text(words: Iterable[Word]) -> str:
    """The visible words, one text line a row, as far in as it stands in its file."""
    rows = group_lines(w for w in words if not w.hidden)
    return "\n".join(" " * row[0].indent + " ".join(w.text for w in row) for _, row in rows)


def split_row(row: Sequence[Word], usual_width: float) -> list[list[Word]]:
    """The words of a row, parted where the gap is a column's, not a space's."""
    # In character widths, because x and y fractions have different scales and the page's shape is not known here.
    width = median(list_widths(row) or [usual_width])
    unit = max(width, usual_width * 0.7)
    cells = [[row[0]]]
    edge = row[0].x1
    for word in row[1:]:
        if word.x0 - edge > unit * (STRETCH_GAP if word.flags & STRETCH_START else COLUMN_GAP):
            cells.append([])
        cells[-1].append(word)
        edge = max(edge, word.x1)
    return cells


def measure_confidence(words: Iterable[Word]) -> int:
    """Measure over the visible characters; those of a text layer are sure."""
    pairs = [(len(word.text), word.confidence) for word in words if not word.hidden]
    return round(sum(length * confidence for length, confidence in pairs) / max(1, sum(length for length, _ in pairs)))


def list_widths(words: Iterable[Word]) -> list[float]:
    return [(w.x1 - w.x0) / len(w.text) for w in words if w.text and not w.is_upright]


@dataclass
class WordRow:
    words: list[Word] = field(default_factory=list)
    centre: float = 0.0
    height: float = 0.0

    def add(self, word: Word, centre: float) -> None:
        count = len(self.words)
        self.centre = (self.centre * count + centre) / (count + 1)
        self.height = (self.height * count + word.y1 - word.y0) / (count + 1)
        self.words.append(word)

    def takes(self, word: Word, centre: float) -> bool:
        return abs(centre - self.centre) < 0.5 * min(self.height, word.y1 - word.y0)


def number_rows(words: Iterable[Word], slope: float = 0.0) -> list[Word]:
    """Words in reading order with their visual row numbers.

    slope: how far text lines sink to the right, in y fractions per x fraction; so a skewed scan keeps its rows.
    Hidden words get rows of their own after the visible ones, so that they cannot disturb what a person sees.
    """
    visible, hidden = part_hidden(words)
    return number_words([*group_rows(visible, slope), *group_rows(hidden, slope)])


def part_hidden(words: Iterable[Word]) -> tuple[list[Word], list[Word]]:
    """The visible words, and the hidden ones."""
    visible: list[Word] = []
    hidden: list[Word] = []
    for word in words:
        (hidden if word.hidden else visible).append(word)
    return visible, hidden


def number_words(rows: Iterable[WordRow]) -> list[Word]:
    """The words of the rows, left to right, each with the number of its row; upright ones have their order."""
    return [
        word._replace(line=number)
        for number, row in enumerate(rows, start=1)
        for word in sorted(row.words, key=lambda w: 0.0 if w.is_upright else w.x0)
    ]


def group_rows(words: Iterable[Word], slope: float) -> list[WordRow]:
    def centre(word: Word) -> float:
        return (word.y0 + word.y1) / 2 - slope * (word.x0 + word.x1) / 2

    rows: list[WordRow] = []
    for word in sorted(words, key=centre):
        middle = centre(word)
        # Only the newest rows can still match: words come from top to bottom.
        matching = [row for row in rows[-4:] if row.takes(word, middle)]
        if not matching:
            matching = [WordRow()]
            rows.append(matching[0])
        min(matching, key=lambda row: abs(row.centre - middle)).add(word, middle)
    return sorted(rows, key=lambda row: row.centre)

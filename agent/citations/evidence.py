"""What stands in the lines that a sentence names: as they were printed to the model, and their words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from documents.models import Reading
from documents.reading.blocks import BlockId, BlockPlace, load_blocks
from documents.reading.page_text import mark_pages
from documents.reading.tables.reading_tables import iterate_blocks
from documents.reading.tables.structure import TextLine
from printed.folding import compact_text, digits_agree, fold
from reader.words import Word

MAX_LINES = 6
"""Of one quotation, which may go on over the end of a line."""
MIN_STEM, MAX_ENDING = 3, 3
_TOKEN = re.compile(r"\w+")
_SPACED = r"0-9a-z\u00df-\u024f\u0370-\u05ff"
_PRINTED = re.compile(r"^\[(\d+)\.(\d+)\] *(.*)$", re.M)

Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Quotation:
    """Words that stand side by side, maybe over several lines."""

    text: str
    box: Box


def find_words(text: str, words: Sequence[str]) -> range | None:
    """Which of the words say the text, however it is spaced and in whichever case. No part of a word or number."""
    spans, joined = list[tuple[int, int]](), ""
    for word in map(fold, words):
        joined = f"{joined} " if joined else ""
        spans.append((len(joined), len(joined) + len(word)))
        joined += word
    tokens = _TOKEN.findall(fold(text))
    if not tokens:
        return None
    spaced = r"[\W_]*".join(map(re.escape, tokens))
    pattern = re.compile(rf"(?<![{_SPACED}]){spaced}(?![{_SPACED}])")
    for match in pattern.finditer(joined):
        inside = [at for at, (start, end) in enumerate(spans) if start < match.end() and end > match.start()]
        if digits_agree(text, match[0]):
            return range(inside[0], inside[-1] + 1)
    return None


def stands_in(text: str, evidence: str) -> bool:
    # Most do not, which the letters alone tell sooner.
    if compact_text(text) not in compact_text(evidence):
        return False
    return find_words(text, evidence.split()) is not None


def stands_bent(name: str, text: str) -> bool:
    """With another ending of each word, as Polish and Czech names have: “Nowakiem” of Nowak."""
    words, printed = fold(name).split(), fold(text).split()
    return all(
        any(each.startswith(word[: max(MIN_STEM, len(word) - MAX_ENDING)]) for each in printed) for word in words
    )


def load_printed_lines(reading: Reading, pages: Iterable[int]) -> dict[BlockPlace, str]:
    """By their places what a model reads of them: a row of a table with what goes on below its cells."""
    text = mark_pages(reading, pages=set(pages)).text
    return {BlockPlace(int(page), int(line)): printed for page, line, printed in _PRINTED.findall(text)}


def find_quotation(reading: Reading, block_id: BlockId, text: str, lines: Sequence[int]) -> Quotation | None:
    """Where it begins in the line of the block; `lines` are those of the page that it may go on in."""
    page, first = block_id.place.page, block_id.place.line
    numbers = [first, *(line for line in lines if first < line < first + MAX_LINES)]
    blocks = {
        block.id.place.line: block.words for block in load_blocks(reading, [BlockPlace(page, at) for at in numbers])
    }
    printed = _load_printed_words(reading, page)
    # As it is printed to a model, else as the lines stand on the page.
    orders = ([words.get(number, ()) for number in numbers] for words in (printed, blocks))
    return next((quotation for order in orders if (quotation := _find_in_lines(text, order))), None)


def _load_printed_words(reading: Reading, page: int) -> dict[int, Sequence[Word]]:
    """By lines: of a row of a table those of each cell, also what goes on below it, before those of the next."""
    rows = reading.pages.filter(number=page).only("reading", "number", "words")
    words: dict[int, Sequence[Word]] = {}
    for block in (block for _, blocks in iterate_blocks(reading, rows) for block in blocks):
        if isinstance(block, TextLine):
            words[block.number] = [word for cell in block.cells for word in cell]
        else:
            words |= {row.line: [word for cell in row.cells for word in cell.words] for row in block.rows}
    return words


def _find_in_lines(text: str, lines: Sequence[Sequence[Word]]) -> Quotation | None:
    words = [word for line in lines for word in line]
    span = find_words(text, [word.text for word in words])
    if span is None or span.start >= len(lines[0]):
        return None
    chosen = [words[at] for at in span]
    box = min(w.x0 for w in chosen), min(w.y0 for w in chosen), max(w.x1 for w in chosen), max(w.y1 for w in chosen)
    return Quotation(" ".join(word.text for word in chosen), box)

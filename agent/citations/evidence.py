"""What stands in the lines that a sentence names: as they were printed to the model, and their words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from documents.backends.words import Word
from documents.locate.folding import digits_agree, fold
from documents.models import Reading
from documents.reading.blocks import BlockId, Place, load_blocks
from documents.reading.page_text import mark_pages

MAX_LINES = 6
"""Of one quotation, which may go on over the end of a line."""
_TOKEN = re.compile(r"\w+")
_SPACED = r"0-9a-z\u00df-\u024f\u0370-\u05ff"
_PRINTED = re.compile(r"^\[(\d+)\.(\d+)\] ?(.*)$", re.M)

Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Quotation:
    """Words that stand side by side, maybe over several lines."""

    text: str
    box: Box


def find_words(text: str, words: Sequence[str]) -> range | None:
    """Which of the words say the text, however it is spaced and in whichever case. No part of a word or number."""
    starts, joined = [], ""
    for word in words:
        joined = f"{joined} " if joined else ""
        starts.append(len(joined))
        joined += fold(word)
    tokens = _TOKEN.findall(fold(text))
    if not tokens:
        return None
    spaced = r"[\W_]*".join(map(re.escape, tokens))
    pattern = re.compile(rf"(?<![{_SPACED}]){spaced}(?![{_SPACED}])")
    for match in pattern.finditer(joined):
        inside = [
            at for at, start in enumerate(starts) if start < match.end() and start + len(words[at]) > match.start()
        ]
        if digits_agree(text, match[0]):
            return range(inside[0], inside[-1] + 1)
    return None


def stands_in(text: str, evidence: str) -> bool:
    return find_words(text, evidence.split()) is not None


def load_printed_lines(reading: Reading, pages: Iterable[int]) -> dict[Place, str]:
    """By their places what a model reads of them: a row of a table with what goes on below its cells."""
    text = mark_pages(reading, pages=set(pages)).text
    return {Place(int(page), int(line)): printed for page, line, printed in _PRINTED.findall(text)}


def find_quotation(reading: Reading, block_id: BlockId, text: str, lines: Sequence[int]) -> Quotation | None:
    """Where it begins in the line of the block; `lines` are those of the page that it may go on in."""
    first = block_id.place.line
    numbers = [first, *(line for line in lines if first < line < first + MAX_LINES)]
    blocks = load_blocks(reading, [Place(block_id.place.page, line) for line in numbers])
    words: list[Word] = [word for block in blocks for word in block.words]
    span = find_words(text, [word.text for word in words])
    if span is None or not blocks or span.start >= len(blocks[0].words):
        return None
    chosen = [words[at] for at in span]
    box = min(w.x0 for w in chosen), min(w.y0 for w in chosen), max(w.x1 for w in chosen), max(w.y1 for w in chosen)
    return Quotation(" ".join(word.text for word in chosen), box)

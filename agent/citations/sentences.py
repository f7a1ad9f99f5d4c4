"""An answer sentence by sentence, and what each of them names as its proof: numbers in brackets, or block ids."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from agent.citations.aliases import ALIAS
from agent.citations.facts import QUOTATION

NUMBERS = re.compile(r"(?<!\w)\[(\d{1,2}(?:\s*,\s*\d{1,2})*)\](?![(\[:]*\()")
BLOCKS = re.compile(rf"{ALIAS.pattern}|\b[0-9a-f]{{24}}\.[1-9]\d{{0,6}}\.[1-9]\d{{0,6}}(?:\.[1-9]\d{{0,6}})?\b")
_LINE = re.compile(r"[^\n]+")
_END = re.compile(r"[.!?…][\"”“»)*_]*(?=\s)")
_MARKERS = re.compile(rf"\s*(?:{NUMBERS.pattern}|\[?(?:{BLOCKS.pattern})(?:\s*[,;]\s*(?:{BLOCKS.pattern}))*\]?)[.,;]?")
_LEFT_OVER = re.compile(r"\[[\s,;]*\]")
_FENCE = re.compile(r"```.*?(?:```|\Z)", re.S)
MAX_SENTENCES = 200


@dataclass(frozen=True)
class Sentence:
    """`start` and `end` are its places in the answer. `numbers` and `blocks` are what it names."""

    start: int
    end: int
    text: str

    @property
    def numbers(self) -> list[int]:
        return list(dict.fromkeys(int(each) for match in NUMBERS.finditer(self.text) for each in match[1].split(",")))

    @property
    def blocks(self) -> list[str]:
        return list(dict.fromkeys(match[0] for match in BLOCKS.finditer(self.text)))

    @property
    def claim(self) -> str:
        """Without its markers."""
        return _LEFT_OVER.sub("", BLOCKS.sub("", NUMBERS.sub("", self.text)))


def list_cited_sentences(text: str) -> list[Sentence]:
    """Those that name a proof, in their order, at most MAX_SENTENCES. What stands in a block of code is none."""
    blank = _FENCE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    cited = (each for each in _split(blank) if NUMBERS.search(each.text) or BLOCKS.search(each.text))
    return list(cited)[:MAX_SENTENCES]


def _split(text: str) -> Iterator[Sentence]:
    for line in _LINE.finditer(text):
        start, end = line.span()
        while start < end:
            stop = _find_end(text, start, end)
            # Markers behind the full stop belong to the sentence before it.
            while (marker := _MARKERS.match(text, stop, end)) and marker.end() > stop:
                stop = marker.end()
            yield Sentence(start, stop, text[start:stop])
            start = stop


def _find_end(text: str, start: int, end: int) -> int:
    """Behind its full stop; one inside of a quotation is none."""
    quotations = [match.span() for match in QUOTATION.finditer(text, start, end)]
    for stop in _END.finditer(text, start, end):
        if not any(first < stop.start() and stop.end() < last for first, last in quotations):
            return stop.end()
    return end

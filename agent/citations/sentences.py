"""An answer sentence by sentence, and what each of them names as its proof: numbers in brackets, or block ids."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from agent.citations.aliases import ALIAS
from agent.citations.facts import QUOTATION
from agent.citations.ordinary_words import NOUNS_ARE_CAPITALIZED, list_languages
from documents.locate.dates import MONTHS
from documents.locate.folding import fold

NUMBERS = re.compile(r"(?<!\w)\[(\d{1,2}(?:\s*,\s*\d{1,2})*)\](?![(\[:]*\()")
BLOCKS = re.compile(rf"{ALIAS.pattern}|\b[0-9a-f]{{24}}\.[1-9]\d{{0,6}}\.[1-9]\d{{0,6}}(?:\.[1-9]\d{{0,6}})?\b")
# Without the spaces at its end.
_LINE = re.compile(r"[^\n]*\S")
_END = re.compile(r"[.!?…][\"”“»)*_]*(?=\s)")
_MARKERS = re.compile(rf"\s*(?:{NUMBERS.pattern}|\[?(?:{BLOCKS.pattern})(?:\s*[,;]\s*(?:{BLOCKS.pattern}))*\]?)[.,;]?")
_BEFORE_STOP, _AFTER_STOP = re.compile(r"(\w+)\.$"), re.compile(r"\s+(\w+)")
# Behind these a full stop ends no sentence; behind the second ones where a number follows.
_ABBREVIATED = frozenset("mr mrs ms dr prof st vs ca approx bzw inkl zzgl ggf evtl sog".split())  # noqa: SIM905
_NUMBERED = frozenset("no nr num art abs sec fig pp vol ch para tel ext ref inv cl pos ziff kap bd".split())  # noqa: SIM905
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
    def is_cited(self) -> bool:
        """Whether it names a proof."""
        return bool(NUMBERS.search(self.text) or BLOCKS.search(self.text))

    @property
    def numbers(self) -> list[int]:
        return list(dict.fromkeys(int(each) for match in NUMBERS.finditer(self.text) for each in match[1].split(",")))

    @property
    def blocks(self) -> list[str]:
        return list(dict.fromkeys(match[0] for match in BLOCKS.finditer(self.text)))

    @property
    def claim(self) -> str:
        return strip_markers(self.text)


def strip_markers(text: str) -> str:
    return _LEFT_OVER.sub("", BLOCKS.sub("", NUMBERS.sub("", text)))


def list_sentences(text: str) -> list[Sentence]:
    """In their order, at most MAX_SENTENCES that name a proof and as many others. A block of code has none."""
    blank = _FENCE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    several, counts = [], Counter[bool]()
    for each in _split(blank):
        counts[each.is_cited] += 1
        if counts[each.is_cited] <= MAX_SENTENCES:
            several.append(each)
    return several


def list_cited_sentences(text: str) -> list[Sentence]:
    return [each for each in list_sentences(text) if each.is_cited]


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
    """Behind its full stop; one inside of a quotation is none, nor one that only shortens a word."""
    quotations = [match.span() for match in QUOTATION.finditer(text, start, end)]
    for stop in _END.finditer(text, start, end):
        is_quoted = any(first < stop.start() and stop.end() < last for first, last in quotations)
        if not is_quoted and not _goes_on(text[start : stop.end()], text[stop.end() : end]):
            return stop.end()
    return end


def _goes_on(before: str, after: str) -> bool:
    """Whether the full stop belongs to an initial, an abbreviation (“No. 17”) or an ordinal number (“4. April”): what
    stands before it is then said of the same proof."""
    word, following = _BEFORE_STOP.search(before), _AFTER_STOP.match(after)
    if word is None or following is None:
        return False
    written, next_word = word[1].lower(), following[1]
    if written.isdigit():
        return len(written) < 3 and any(map(str.isalpha, before)) and _is_counted(next_word, before + after)
    if next_word[0].isdigit():
        return len(written) == 1 or written in _ABBREVIATED | _NUMBERED
    return len(written) == 1 or written in _ABBREVIATED or next_word[0].islower()


def _is_counted(word: str, text: str) -> bool:
    """Whether a number with a full stop may be the place of the word in an order: in German of any noun."""
    return word[0].islower() or fold(word) in MONTHS or list_languages(text) == [NOUNS_ARE_CAPITALIZED]

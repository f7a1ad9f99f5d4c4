"""A text cut into passages: sentences, headings and rows of tables, whatever lines and pages they are printed on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from statistics import median

from documents.comparing.clause_numbers import ClauseNumbers
from documents.comparing.page_lines import PageLine
from documents.comparing.words import ComparedWord, join_divided, join_texts
from printed.languages import list_words

MAX_WORDS = 120
MAX_HEADING = 12
# In heights of a line: between paragraphs there is more.
PARAGRAPH_GAP = 1.6
SHORT_LINE = 0.6
_STOP = re.compile(r"[^.]{2,}\.[\"')\]]*$|[!?;:][\"')\]]*$")
_ABBREVIATED = frozenset(list_words(lambda language: f"{language.abbreviations} {language.numbered}"))


@dataclass(frozen=True)
class Passage:
    """`number` is the number of its clause, such as 7.1, which is not compared; `words` are without it."""

    words: tuple[ComparedWord, ...]
    number: tuple[ComparedWord, ...] = ()
    is_row: bool = False

    @cached_property
    def identity(self) -> str:
        """Equal for the same words, however they are spaced."""
        return "".join(word.key for word in self.words)

    @cached_property
    def exact(self) -> str:
        return "".join(word.exact for word in self.words)

    @property
    def text(self) -> str:
        return join_texts([*self.number, *self.words])

    @property
    def first(self) -> ComparedWord:
        return (self.number or self.words)[0]

    @property
    def is_heading(self) -> bool:
        is_short = len(self.words) <= MAX_HEADING and not self.is_row
        return is_short and bool(self.number) and bool(self.words) and not _STOP.search(self.words[-1].exact)


def cut_passages(lines: Sequence[PageLine]) -> list[Passage]:
    numbers = ClauseNumbers()
    passages = []
    for block, is_row in _list_blocks(lines, numbers):
        number, rest = block.number, list(join_divided(block.words))
        for at, words in enumerate([rest] if is_row else _cut_sentences(rest)):
            passages.append(Passage(tuple(words), () if at else number, is_row))
    return [passage for passage in passages if passage.words or passage.number]


@dataclass
class _Block:
    number: tuple[ComparedWord, ...]
    words: list[ComparedWord]


def _list_blocks(lines: Sequence[PageLine], numbers: ClauseNumbers) -> Iterator[tuple[_Block, bool]]:
    """Paragraphs and rows, with whether they are rows."""
    pitch = _measure_pitch(lines)
    width = max((line.right for line in lines), default=1.0)
    block: _Block | None = None
    before: PageLine | None = None
    for line in lines:
        count = 0 if line.is_row else numbers.count_words(line.words)
        is_open = block is not None and before is not None and not line.is_row and not count
        if is_open and block and before and not _ends_paragraph(before, line, pitch, width):
            block.words += line.words
        else:
            if block and before:
                yield block, before.is_row
            block = _Block(line.words[:count], list(line.words[count:]))
        before = line
    if block and before:
        yield block, before.is_row


def _measure_pitch(lines: Sequence[PageLine]) -> float:
    steps = [two.top - one.top for one, two in pairwise(lines) if one.page == two.page and two.top > one.top]
    return median(steps or [0.0])


def _ends_paragraph(before: PageLine, line: PageLine, pitch: float, width: float) -> bool:
    if before.is_row:
        return True
    if before.page == line.page and line.top - before.top > PARAGRAPH_GAP * pitch:
        return True
    begins = line.words[0].exact[:1]
    return before.right < SHORT_LINE * width and (begins.isupper() or begins.isdigit())


def _cut_sentences(words: Sequence[ComparedWord]) -> Iterator[list[ComparedWord]]:
    sentence: list[ComparedWord] = []
    for word, following in zip(words, [*words[1:], None], strict=True):
        sentence.append(word)
        if following is None or _ends_sentence(word, following) or _is_too_long(sentence):
            yield sentence
            sentence = []
    if not words:
        yield []


def _ends_sentence(word: ComparedWord, following: ComparedWord) -> bool:
    if not _STOP.search(word.exact) or word.key in _ABBREVIATED:
        return False
    begins = following.exact.lstrip("\"'([")[:1]
    return begins.isupper() or begins.isdigit() or not begins.isascii()


def _is_too_long(sentence: Sequence[ComparedWord]) -> bool:
    """A text without stops is cut where its words say so, and not by number: one word more moves no cut."""
    return len(sentence) >= 4 * MAX_WORDS or (len(sentence) >= MAX_WORDS and sum(map(ord, sentence[-1].key)) % 8 == 0)


def list_sections(passages: Iterable[Passage]) -> list[str]:
    """Gives each passage the heading that it stands under."""
    sections, heading = [], ""
    for passage in passages:
        heading = passage.text if passage.is_heading else heading
        sections.append(heading)
    return sections

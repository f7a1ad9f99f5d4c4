"""An answer sentence by sentence, and what each of them names as its proof: numbers in brackets, or block ids."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from agent.citations.aliases import ALIAS
from agent.citations.statements.facts import QUOTATION, find_facts
from agent.citations.statements.suggestions import cut_suggested
from agent.citations.statements.words.content_words import list_content_words
from agent.citations.statements.words.ordinary_words import CAPITALIZES_NOUNS, list_languages
from printed.dates import MONTHS
from printed.folding import fold
from printed.languages import list_words, write_pattern
from printed.stopwords import STOPWORDS

NUMBERS = re.compile(r"(?<!\w)\[(\d{1,2}(?:\s*,\s*\d{1,2})*)\](?![(\[:]*\()")
BLOCKS = re.compile(rf"{ALIAS.pattern}|\b[0-9a-f]{{24}}\.[1-9]\d{{0,6}}\.[1-9]\d{{0,6}}(?:\.[1-9]\d{{0,6}})?\b")
# Without the spaces at its end.
_LINE = re.compile(r"[^\n]*\S")
_MARKERS = re.compile(rf"\s*(?:{NUMBERS.pattern}|\[?(?:{BLOCKS.pattern})(?:\s*[,;]\s*(?:{BLOCKS.pattern}))*\]?)[.,;]?")
_WORD = re.compile(r"\w")
_LEFT_OVER = re.compile(r"\[[\s,;]*\]")
# As CommonMark has them; three signs in the middle of a line begin no block of code.
_FENCE = re.compile(
    r"^[ >]*(?:[-*+] +|\d{1,3}[.)] +)*(?P<sign>`{3,}(?=[^`\n]*$)|~{3,}).*?(?:^[ >]*(?P=sign)[`~]* *$|\Z)", re.M | re.S
)
# A sentence that says no more than where the one before it stands.
_SOURCE = write_pattern(
    lambda language: f"{language.sources} {language.pages} {language.lines}" if language.code else ""
)
_ONLY_SOURCE = re.compile(rf"[\W_]*(?:{_SOURCE}\s*\d*[\W_]*)*", re.I)
_END = re.compile(r"[.!?…][\"”“»)*_]*(?=\s)")
# Letters before and behind a full stop that tell.
_NEAR = 200
_BEFORE_STOP, _AFTER_STOP = re.compile(r"(\w+)\.$"), re.compile(r"\s+(\w+)")
# Behind these a full stop ends no sentence; behind the second ones where a number follows.
_ABBREVIATED = frozenset(list_words(lambda language: language.abbreviations))
_NUMBERED = frozenset(list_words(lambda language: language.numbered))
_ELLIPSIS = "…"
_ENDS_QUOTATION = re.compile(r"[\"”“»][)*_]*$")
_DOCUMENT = re.compile(write_pattern(lambda language: language.documents), re.I)
_OFFER = re.compile(write_pattern(lambda language: language.offers), re.I)
_BEGINS = re.compile(r"\s*(?:#{1,6}\s|>|[-*+•]\s|\d{1,3}[.)]\s|\||`{3}|~{3}|\*\*)")
_ENDED, _OPEN = tuple(".!?…:;|"), (",", "-", "–", "—", "(", "/", "&", "+", "=")
_ALONE = ("#", "```", "~~~")
_MONEY = "€$£"


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
    def is_question(self) -> bool:
        return self.text.rstrip(' *_)"”’').endswith("?")

    @property
    def is_offer(self) -> bool:
        """Whether it asks a person for leave, as “Shall I …?” does."""
        return self.is_question and _OFFER.search(self.text) is not None

    @property
    def numbers(self) -> list[int]:
        return list(dict.fromkeys(int(each) for match in NUMBERS.finditer(self.text) for each in match[1].split(",")))

    @property
    def blocks(self) -> list[str]:
        return list(dict.fromkeys(match[0] for match in BLOCKS.finditer(self.text)))

    @property
    def statement(self) -> str:
        return cut_suggested(strip_markers(self.text))

    @property
    def clauses(self) -> list[Sentence]:
        """Its parts, each with the markers that end it. What stands behind the last ones is in none."""
        ends = [match.end() for match in _MARKERS.finditer(self.text)]
        parts = [self.text[start:end] for start, end in zip([0, *ends], ends, strict=False)]
        joined: list[str] = []
        for part in parts:
            if joined and not _WORD.search(strip_markers(part)):
                joined[-1] += part
            else:
                joined.append(part)
        return [Sentence(0, len(part), part) for part in joined]


def speaks_of_documents(sentence: Sentence) -> bool:
    """Whether it states something of them, and asks for nothing."""
    return not sentence.is_question and _DOCUMENT.search(sentence.text) is not None


def strip_markers(text: str) -> str:
    return _LEFT_OVER.sub("", BLOCKS.sub("", NUMBERS.sub("", text)))


def list_sentences(text: str) -> list[Sentence]:
    """In their order. In a block of code [1] is no marker, and only what names blocks is a sentence."""
    outside = _FENCE.sub(lambda code: " " * len(code[0]), text)
    text = blank_code(text)
    several = _join_sources(text, _split(text))
    return [each for each in several if each.is_cited or outside[each.start : each.end].strip()]


def list_cited_sentences(text: str) -> list[Sentence]:
    return [each for each in list_sentences(text) if each.is_cited]


def blank_code(text: str) -> str:
    """The text, as long as it was, without the numbers in brackets that stand in blocks of code."""
    return _FENCE.sub(lambda code: NUMBERS.sub(lambda match: " " * len(match[0]), code[0]), text)


def _join_sources(text: str, sentences: Iterator[Sentence]) -> Iterator[Sentence]:
    """A number alone, also in the next line or as “Source: [1]”, is the proof of the sentence before it."""
    before: Sentence | None = None
    for each in sentences:
        is_open = before is not None and not before.is_cited and _WORD.search(before.text) is not None
        if before and is_open and each.is_cited and _says_nothing(each.statement):
            before = Sentence(before.start, each.end, text[before.start : each.end])
            continue
        if before:
            yield before
        before = each
    if before:
        yield before


def _says_nothing(statement: str) -> bool:
    """Whether it names a place and no more: “Source: [1]”, “It stands on page 1”."""
    if _ONLY_SOURCE.fullmatch(statement):
        return True
    return not find_facts(statement).count and not any(list_content_words(statement))


def _split(text: str) -> Iterator[Sentence]:
    quotations = [match.span() for match in QUOTATION.finditer(text)]
    for start, end in _list_paragraphs(text):
        while start < end:
            stop = _find_end(text, start, end, quotations)
            # Markers behind the full stop belong to the sentence before it.
            while (marker := _MARKERS.match(text, stop, end)) and marker.end() > stop:
                stop = marker.end()
            yield Sentence(start, stop, text[start:stop])
            start = stop


def _list_paragraphs(text: str) -> Iterator[tuple[int, int]]:
    """Lines, and where a sentence goes on in the next one, both."""
    start = end = -1
    last = ""
    for line in _LINE.finditer(text):
        goes_on = (
            text[end : line.start()].count("\n") == 1
            and _goes_on_in_next_line(last, line[0])
            and not _ends_with_marker(last)
        )
        if start >= 0 and not goes_on:
            yield start, end
        start, end = start if goes_on else line.start(), line.end()
        last = line[0]
    if start >= 0:
        yield start, end


def _ends_with_marker(line: str) -> bool:
    tail = line[-_NEAR:].rstrip(" .,;)")
    return tail.endswith("]") or any(match.end() == len(tail) for match in BLOCKS.finditer(tail))


def _find_end(text: str, start: int, end: int, quotations: list[tuple[int, int]]) -> int:
    """Behind its full stop; one inside of a quotation is none."""
    for stop in _END.finditer(text, start, end):
        at = bisect_right(quotations, (stop.start(), len(text)))
        is_quoted = at > 0 and stop.end() < quotations[at - 1][1]
        if not is_quoted and not _goes_on_behind(
            text[max(start, stop.end() - _NEAR) : stop.end()], text[stop.end() : min(end, stop.end() + _NEAR)]
        ):
            return stop.end()
    return end


def _goes_on_behind(before: str, after: str) -> bool:
    """Whether the full stop belongs to an initial, an abbreviation (“No. 17”) or an ordinal number (“4. April”): what
    stands before it is then said of the same proof."""
    word, following = _BEFORE_STOP.search(before), _AFTER_STOP.match(after)
    if following is None:
        return False
    if _ENDS_QUOTATION.search(before):  # “… within 30 days.” stands on page 2
        return following[1][0].islower()
    if word is None:
        return before.endswith(_ELLIPSIS) and not following[1][0].isupper()
    written, next_word = word[1].lower(), following[1]
    if written.isdigit():
        return len(written) < 3 and any(map(str.isalpha, before)) and _is_counted(next_word, before + after)
    if next_word[0].isdigit():
        return len(written) == 1 or written in _ABBREVIATED | _NUMBERED
    return len(written) == 1 or written in _ABBREVIATED or next_word[0].islower()


def _is_counted(word: str, text: str) -> bool:
    """Whether a number with a full stop may be the place of the word in an order: in German of any noun."""
    return word[0].islower() or fold(word) in MONTHS or CAPITALIZES_NOUNS.issuperset(list_languages(text) or [""])


def _goes_on_in_next_line(before: str, line: str) -> bool:
    """Unless the line before has ended its sentence, or this one begins something else: a bullet, a row, a heading."""
    before, begins = before.rstrip(), line.lstrip()[:1]
    if not before or _BEGINS.match(line) or before.endswith(_ENDED) or before.lstrip().startswith(_ALONE):
        return False
    is_open = before.endswith(_OPEN) or fold(before.rsplit(None, 1)[-1]) in STOPWORDS
    return begins.islower() or begins.isdigit() or begins in _MONEY or is_open

"""The signs on a page that tell whether it begins a document, and to which one it belongs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from documents.intake.borders.printed_counts import PageCount, read_count
from documents.locate.absence.printed_labels import iterate_labels, read_names
from documents.locate.words.pages import Page, make_page
from documents.models import Sketch
from documents.reading.similarity import hash_shingles, measure_spread
from printed.folding import compact_text, fold
from printed.languages import LANGUAGES, join_pattern, list_words
from printed.stopwords import STOPWORDS
from reader.words import OCR, Word, join_text

HEAD_LINES = 7
MAX_LETTERHEAD_WORDS = 8
"""A letterhead and a title are in the first lines of a page."""
NUMBERS = ("invoice_number", "receipt_number", "po_number")
MAX_TITLE_WORDS = 4
LARGE = 1.5
"""Times the usual height of a page's words."""
FEWEST_WORDS = 30
"""With fewer nobody can say how like another page its words are."""
_TILL = ("receipt", "cashier", "change", "cash", "tendered", "thank you")
_COMPANY = re.compile(
    join_pattern(set(list_words(lambda language: f"{language.company_forms} {language.shops}")) - STOPWORDS),
    re.IGNORECASE,
)
_CARRIED = re.compile(join_pattern(list_words(lambda language: language.carried)), re.IGNORECASE)


class PageToRead(NamedTuple):
    """`shape` is the width by the height."""

    number: int
    words: Sequence[Word]
    shape: float


@dataclass(frozen=True)
class PageSigns:
    """`numbers`: by what they are, compact, with how they are printed. `letterhead`: the line that names a company.

    `title`: the line that names a kind of document, or is much larger than the rest. `lowest`: how far down its last
    words stand, of 1.
    """

    number: int
    count: PageCount | None
    numbers: dict[str, tuple[str, str]]
    letterhead: str
    title: str
    is_carried: bool
    is_blank: bool
    is_short: bool
    is_scanned: bool
    lowest: float
    shape: float
    sketch: Sketch

    @property
    def begins(self) -> bool:
        """Whether it looks like a first page."""
        return bool(self.letterhead or self.title)


def read_signs(to_read: PageToRead) -> PageSigns:
    number, words, shape = to_read
    page = make_page(number, words)
    head = [" ".join(page.words[at].text for at in page.rows[line]) for line in page.lines[:HEAD_LINES]]
    text = join_text(words)
    return PageSigns(
        number,
        read_count(text),
        _read_numbers(page),
        next((line for line in head if _is_letterhead(line)), ""),
        next((line for line in head if _is_title(line)), "") or _read_large_title(page),
        any(_is_carried(line) for line in head),
        not page.words,
        len(page.words) < FEWEST_WORDS,
        sum(bool(word.flags & OCR) for word in page.words) * 2 > len(page.words),
        max((word.y1 for word in page.words), default=0.0),
        shape,
        Sketch(words=hash_shingles(words), layout=measure_spread(words)),
    )


def _read_numbers(page: Page) -> dict[str, tuple[str, str]]:
    numbers: dict[str, tuple[str, str]] = {}
    for label in iterate_labels(page):
        for key in _list_number_labels().get(label.names, ()):
            beside = label.beside.text.split() if label.beside else []
            printed = next((word for word in beside if any(map(str.isdigit, word))), "")
            if printed and key not in numbers:
                numbers[key] = (compact_text(printed), printed)
    return numbers


@cache
def _list_number_labels() -> dict[tuple[str, ...], list[str]]:
    """By the folded words of a label the numbers that it stands before."""
    labels: dict[tuple[str, ...], list[str]] = {}
    for language in LANGUAGES:
        for key in NUMBERS:
            for phrase in language.fields.get(key, "").replace(";", ",").split(","):
                if len(names := read_names(phrase)) and key not in labels.setdefault(names, []):
                    labels[names].append(key)
    return labels


def _is_carried(line: str) -> bool:
    return any(map(str.isdigit, line)) and _CARRIED.match(line) is not None


def _read_large_title(page: Page) -> str:
    """The first line, where it is printed much larger than the rest."""
    heights = sorted(word.y1 - word.y0 for word in page.words)
    first = [page.words[at] for at in page.rows[page.lines[0]]] if page.words else []
    is_large = bool(first) and min(word.y1 - word.y0 for word in first) >= LARGE * heights[len(heights) // 2]
    return " ".join(word.text for word in first) if is_large else ""


def _is_letterhead(line: str) -> bool:
    return len(line.split()) <= MAX_LETTERHEAD_WORDS and line[:1].isalnum() and bool(_COMPANY.search(line))


def _is_title(line: str) -> bool:
    words = fold(line).split()
    return len(words) <= MAX_TITLE_WORDS and not _list_titles().isdisjoint(_list_parts(words))


def _list_parts(words: Sequence[str]) -> Iterable[str]:
    return [*words, *(" ".join(pair) for pair in pairwise(words))]


@cache
def _list_titles() -> frozenset[str]:
    phrases = (phrase for language in LANGUAGES for each in language.kinds.values() for phrase in each.split(","))
    return frozenset(fold(phrase.strip()) for phrase in phrases) - frozenset(_TILL[1:])

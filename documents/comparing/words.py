"""Printed words as they are compared: without case, edges and the ways in which the same sign can be printed."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from printed.confusable import read_letters_as_digits
from printed.folding import read_digits
from reader.words import OCR, Word

_SIGNS = str.maketrans(dict.fromkeys("’‘", "'") | dict.fromkeys("“”„«»", '"') | dict.fromkeys("‐‑–—−", "-"))
_EDGES = ".,:;()[]{}\"'*"
# Lines to fill in, leaders of a table of contents, bullets.
_FILLING = re.compile(r"[-_=~·.•◦‣▪●○■➢|]*")
_INNER_HYPHEN = re.compile(r"(?<=[^\W\d_])[-\u00ad](?=[^\W\d_])")
_DIVIDED = re.compile(r"[^\W\d_][-\u00ad\u2010]$")


class ComparedWord(NamedTuple):
    """`key` is what is compared, `exact` has case and punctuation too. `page`, `line` and `number` count from 1; a word
    that stands for its whole line has number 0."""

    text: str
    key: str
    exact: str
    page: int
    line: int
    is_recognized: bool = False
    number: int = 0

    @property
    def has_digit(self) -> bool:
        return not self.key.isalpha() and any(char.isdigit() for char in self.key)


def make_word(word: Word, page: int, number: int) -> ComparedWord | None:
    """None for what is no word, such as a bullet."""
    recognized = bool(word.flags & OCR)
    key, exact = fold_word(word.text, recognized=recognized)
    return ComparedWord(word.text, key, exact, page, word.line, recognized, number) if exact else None


@lru_cache(maxsize=50_000)
def fold_word(text: str, *, recognized: bool) -> tuple[str, str]:
    """The key and the exact text; empty for what is no word."""
    exact = unicodedata.normalize("NFKC", text.replace("\u00ad", "")).translate(_SIGNS)
    return ("", "") if _FILLING.fullmatch(exact) else (make_key(exact, recognized=recognized), exact)


def make_key(exact: str, *, recognized: bool = False) -> str:
    text = exact.strip(_EDGES) or exact
    if not text.isascii():
        text = read_digits(text)
    if recognized:
        text = read_letters_as_digits(text)
    return _INNER_HYPHEN.sub("", text).casefold()


def join_divided(words: Iterable[ComparedWord]) -> Iterator[ComparedWord]:
    """A word that is divided at the end of its line as one, at the place of its beginning."""
    before: ComparedWord | None = None
    for word in words:
        if before and is_continued(before, word):
            exact = before.exact[:-1] + word.exact
            before = before._replace(text=before.text[:-1] + word.text, exact=exact, key=make_key(exact))
            continue
        if before:
            yield before
        before = word
    if before:
        yield before


def is_continued(before: ComparedWord, word: ComparedWord) -> bool:
    is_next_line = (before.page, before.line) != (word.page, word.line)
    return is_next_line and bool(_DIVIDED.search(before.text)) and word.text[:1].islower()


def join_texts(words: Iterable[ComparedWord]) -> str:
    return " ".join(word.text for word in words)

"""What a text is indexed and looked up by: its words without case and accents, those of unspaced scripts by letters.

It is the same for both databases, which get nothing but these terms: neither takes a text apart by itself.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from printed.folding import PLAIN_LETTERS
from reader.divided_words import list_divided_words
from reader.words import Word

MAX_TERM = 60
# Han, kana, Hangul, Thai, Lao, Myanmar, Khmer: words are not parted by spaces, or are parted by other rules.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u1100-\u11ff\u3040-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
_TERM = re.compile(rf"[{_UNSPACED}]|[^\W_{_UNSPACED}]+")
_DIGIT = re.compile(r"\d")


class IndexedTerm(NamedTuple):
    """`word` is the place among the words of the page that it comes from."""

    text: str
    word: int


def fold(text: str) -> str:
    """Without case, accents and other marks; ﬁ is fi, full-width letters are plain ones."""
    if text.isascii():
        return text.lower()
    parts = unicodedata.normalize("NFKD", text).casefold()
    bare = "".join(char for char in parts if not unicodedata.category(char).startswith("M"))
    return unicodedata.normalize("NFC", bare).translate(PLAIN_LETTERS)


@lru_cache(maxsize=20_000)
def split_terms(text: str) -> tuple[str, ...]:
    return tuple(term[:MAX_TERM] for term in _TERM.findall(fold(text)))


def join_number(terms: Sequence[str]) -> str:
    """`1,234.50` is found by 1234.50 and 123450 as well. Empty for what is no number of several parts."""
    joined = "".join(terms)
    return joined if len(terms) > 1 and len(joined) <= MAX_TERM and _DIGIT.search(joined) else ""


def list_page_terms(words: Iterable[Word]) -> list[IndexedTerm]:
    """Of the words that a person sees, in their order."""
    return [
        IndexedTerm(term, place)
        for place, word in enumerate(words)
        if not word.hidden
        for term in split_terms(word.text)
    ]


def list_joined_numbers(words: Iterable[Word]) -> list[IndexedTerm]:
    """What is found beside the words themselves."""
    joined = ((join_number(split_terms(word.text)), place) for place, word in enumerate(words) if not word.hidden)
    return [IndexedTerm(text, place) for text, place in joined if text]


def list_joined_words(words: Sequence[Word]) -> list[IndexedTerm]:
    """Divided words as a whole, once for each of the places that they stand at."""
    divided = ((split_terms(word.text), word.places) for word in list_divided_words(words))
    return [IndexedTerm(terms[0], place) for terms, places in divided if len(terms) == 1 for place in places]


def is_unspaced(term: str) -> bool:
    return len(term) == 1 and ord(term) > 0xDFF

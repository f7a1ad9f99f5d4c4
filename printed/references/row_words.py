"""Words by which a person points at the rows of a table: "line 3", "the last row", "A1 to A9", "the row after A5"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache

from printed.folding import fold_letters
from printed.language import Language
from printed.languages import join_pattern, list_words
from printed.references.reference_words import parse_reference

LAST = -1
"""The position of a row that is called the last one."""
_NUMBER_SIGN = r"[#№]"
# So many words of the same clause: "not change A5", "below the row A5"; but "not right for A5" means A5.
_GAP = r"(?:[^\w.,;:!?\n]+\w+){{0,{words}}}[^\w.,;:!?\n]*"


def names_row(text: str, nouns: Iterable[str] = ()) -> re.Match[str] | None:
    """The word for a row that the folded text ends with, before a number: "line no. "; or one of these nouns."""
    own = "|".join(re.escape(fold_letters(noun)) for noun in nouns if noun)
    before = rf"(?:(?<!\w)(?:{own})(?!\w)|{_get_row_word()})" if own else _get_row_word()
    pattern = rf"(?:{before}\s*(?:{_get_numbered()}\.?\s*)?|{_get_numbered()}\.?\s*|{_NUMBER_SIGN}\s*)$"
    return re.search(pattern, text[-60:])


def names_page(text: str) -> bool:
    """Whether the folded text ends with a word for a page."""
    return bool(re.search(rf"{_get_page()}\s*$", text[-60:]))


def find_ordinal_rows(text: str) -> Iterator[tuple[int, int, int]]:
    """Position from 1, or LAST, with start and end, of "the third row" and "the last line" in a folded text."""
    for match in _get_ordinal_rows().finditer(text):
        position = LAST if match["last"] else parse_reference(match["ordinal"]).position
        if position:
            yield position, match.start(), match.end()


def joins_rows(gap: str) -> bool:
    """Whether the folded words between two rows make them one list: A1, A2 and A3."""
    return bool(re.fullmatch(rf"[\s,&+/]*(?:{_get_joiner()}\s*)?", gap))


def spans_rows(gap: str) -> bool:
    """Whether they make the two rows the first and the last of several."""
    return bool(re.fullmatch(rf"\s*(?:[-–—…]|\.{{2,3}}|{_get_span()})\s*", gap))


def find_twist(text: str) -> str:
    """The end of the folded text that says of the row behind it that it is not meant: "not ", "the row after "."""
    match = _get_twist().search(text[-60:])
    return match[0] if match else ""


def _fold_words(*picks: Callable[[Language], str]) -> str:
    return join_pattern(
        sorted({fold_letters(word) for pick in picks for word in list_words(pick)}, key=lambda each: (-len(each), each))
    )


@cache
def _get_row_word() -> str:
    return _fold_words(lambda language: language.rows, lambda language: language.lines)


@cache
def _get_page() -> str:
    return _fold_words(lambda language: language.pages)


@cache
def _get_numbered() -> str:
    return _fold_words(lambda language: language.numbered)


@cache
def _get_joiner() -> str:
    return _fold_words(lambda language: language.list_joiners)


@cache
def _get_span() -> str:
    return _fold_words(lambda language: language.row_joiners)


@cache
def _get_twist() -> re.Pattern[str]:
    denied = _fold_words(lambda language: language.negations)
    beside = _fold_words(lambda language: language.exceptions, lambda language: language.beside_rows)
    return re.compile(rf"(?:{denied}{_GAP.format(words=1)}|{beside}{_GAP.format(words=2)})$")


@cache
def _get_ordinal_rows() -> re.Pattern[str]:
    last = _fold_words(lambda language: language.latest)
    return re.compile(rf"(?:(?P<last>{last})|(?P<ordinal>(?<!\w)[\w.]{{2,12}}))\s+{_get_row_word()}")

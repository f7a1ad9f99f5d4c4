"""Words that stand in one with their value: TOTAL1,234.56 · n°562044387 · Date12/03/2026 · 12.50SR.

They are cut where no other reading is likely; a letter before a few digits is a code, and stays whole: A150, M8.50.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from printed.currencies import MARKS
from printed.dates import MONTHS
from printed.folding import fold_letters, read_digits
from printed.languages import LANGUAGES, join_words
from printed.numbers import parse_numbers
from reader.words import Word

MIN_LABEL = 3
_MARK = "|".join(map(re.escape, MARKS))
_CENTS = r"\d[\d.,'’]*[.,]\d\d"
_AMOUNT = rf"[-−–(]?(?:{_MARK})?[-−–]?{_CENTS}[)]?(?:{_MARK})?"
_DATE = r"\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}|\d{4}[-/.]\d{1,2}[-/.]\d{1,2}"
_NUMBER_SIGN = re.compile(r"^[^\W\d_]*?(?:n[°º]|№|(?:no|nr)\.)[.:]?(?=\d)", re.I)
_LABEL = re.compile(rf"^(?P<label>[^\W\d_]{{{MIN_LABEL},}})(?P<filled>[.…*~_·]*)(?P<value>.*\d.*)$")
_ANY_VALUE = re.compile(rf"(?:{_AMOUNT}|{_DATE})\W*")
_KNOWN_VALUE = re.compile(rf"(?:(?:{_MARK})\d[\d.,'’]*|\d{{5,}}|[A-Z]{{2,4}}\d{{5,}}|{_AMOUNT}|{_DATE})\W*")
_FOREIGN_SIGN = re.compile(r"^[A-Za-z]{1,4}(?=[$€£¥₱]\d)")
_TIME_BEHIND = re.compile(rf"^(?:{_DATE})(?=[T ]?\d\d:\d\d|[^\W\d_]{{1,4}}$)")
_LETTERS_BEHIND = re.compile(rf"^[^\w]?{_CENTS}(?=(?!(?i:k|mm?|mn|bn?|t|{_MARK})$)[^\W\d_]{{1,3}}\*?$)")


def _list_label_words() -> frozenset[str]:
    words = {word for _, each in join_words(lambda language: language.label_words).items() for word in each}
    words |= set(join_words(lambda language: language.label_words))
    words |= {word for language in LANGUAGES for phrases in language.fields.values() for word in phrases.split()}
    return frozenset(folded for word in words if len(folded := fold_letters(word.strip(",;."))) >= MIN_LABEL)


_LABEL_WORDS = _list_label_words()


def cut_glued(word: Word) -> list[Word]:
    """The word, or its parts with the stretch of the box that each takes."""
    text = word.text
    if text.isalpha() or text.isdecimal() or not any(char.isdigit() for char in text):
        return [word]
    cuts = [at for at in sorted(set(_iterate_cuts(read_digits(text)))) if 0 < at < len(text)]
    edges = [0, *cuts, len(text)]
    step = (word.x1 - word.x0) / len(text)
    return [
        word._replace(text=text[start:end], x0=word.x0 + start * step, x1=word.x0 + end * step)
        for start, end in pairwise(edges)
    ]


def _iterate_cuts(text: str) -> Iterator[int]:
    start = _find_value(text)
    if start:
        yield start
    for pattern in (_TIME_BEHIND, _LETTERS_BEHIND):
        if match := pattern.match(text[start:]):
            yield start + match.end()


def _find_value(text: str) -> int:
    """Where the value begins that stands behind its label or sign; 0 for none."""
    if sign := _NUMBER_SIGN.match(text) or (_FOREIGN_SIGN.match(text) if not parse_numbers(text) else None):
        return sign.end()
    match = _LABEL.match(text)
    if match is None or parse_numbers(text):
        return 0
    label = fold_letters(match["label"])
    known = next((label[:end] for end in range(len(label), MIN_LABEL - 1, -1) if label[:end] in _LABEL_WORDS), "")
    if known and _KNOWN_VALUE.fullmatch(text, len(known) + len(match["filled"]) * (known == label)):
        return len(known) + len(match["filled"]) * (known == label)
    is_value = label not in MONTHS and _ANY_VALUE.fullmatch(match["value"])
    return match.start("value") if is_value else 0

"""Words of a text that say what it is about, compared by their beginnings, so that forms of a word count as it."""

from __future__ import annotations

import re

from printed.folding import fold
from printed.stopwords import FILLERS

_WORDS = re.compile(r"[^\W\d_]+")
MIN_STEM = 4


def list_content_words(text: str) -> list[str]:
    return [word for word in _WORDS.findall(fold(text)) if word not in FILLERS and len(word) > 2]


def match_words(words: list[str], text: str) -> bool:
    """Whether all of them stand in the text, in some form."""
    others = _WORDS.findall(fold(text))
    return bool(words) and all(any(is_form_of(word, other) for other in others) for word in words)


def is_form_of(word: str, other: str) -> bool:
    if word == other:
        return True
    shorter = min(len(word), len(other))
    common = max(MIN_STEM, shorter - 2)
    return shorter >= MIN_STEM and word[:common] == other[:common]

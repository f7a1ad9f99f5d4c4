"""Pages of words from plain lines: two or more spaces, or a bar, part cells, as columns do on paper."""

from __future__ import annotations

import re

from reader.words import HIDDEN, Word

CHAR = 0.01
LINE = 0.02


def page(text: str, *, hidden: frozenset[int] = frozenset()) -> list[Word]:
    """A monospaced page: each line of the text is a visual row, each character stands where it is typed."""
    words = []
    for number, line in enumerate(text.strip("\n").split("\n"), 1):
        for match in re.finditer(r"\S+", line):
            left, right = match.start() * CHAR, match.end() * CHAR
            flags = HIDDEN if number in hidden else 0
            words.append(Word(match[0], left, number * LINE, right, number * LINE + 0.7 * LINE, number, flags))
    return words


def pages(*texts: str) -> list[tuple[int, list[Word]]]:
    return [(number, page(text)) for number, text in enumerate(texts, 1)]

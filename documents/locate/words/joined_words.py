"""Words of one visual line as a text, in which what has several words is found."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from reader.words import Word


class JoinedWords(NamedTuple):
    """Words of one visual line as a text, and where each starts in it."""

    text: str
    words: list[int]
    offsets: list[int]

    def list_words(self, start: int, end: int) -> tuple[int, ...]:
        return tuple(self.words[bisect_right(self.offsets, start) - 1 : bisect_left(self.offsets, end)])


def join_words(words: Sequence[Word], row: list[int], cells: Sequence[int] = ()) -> JoinedWords:
    """With a space between two words, and a line break between two of these cells."""
    texts: list[str] = []
    offsets: list[int] = []
    offset = 0
    for at, word in enumerate(row):
        is_last = bool(cells) and row[at + 1 : at + 2] and cells[word] != cells[row[at + 1]]
        texts += [words[word].text, "\n" if is_last else " "]
        offsets.append(offset)
        offset += len(words[word].text) + 1
    return JoinedWords("".join(texts), row, offsets)

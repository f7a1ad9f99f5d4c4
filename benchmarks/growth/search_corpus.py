"""Pages of made-up words, as unevenly frequent as a language has them, with what a search is to find on some."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import accumulate

from reader.words import Word

VOCABULARY, WORDS_A_PAGE, PAGES_A_DOCUMENT = 40_000, 120, 5
EVERYWHERE = "invoice"
_SYLLABLES = [a + b for a in "bdfgklmnprstvz" for b in ("a", "e", "i", "o", "u", "an", "er", "or")]


class Corpus:
    """The same for the same seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        words = {self._make_word() for _ in range(VOCABULARY)}
        self.words = sorted(words)
        self.random.shuffle(self.words)
        self.weights = list(accumulate(1 / (rank + 10) for rank in range(len(self.words))))

    def _make_word(self) -> str:
        return "".join(self.random.choices(_SYLLABLES, k=self.random.choice((2, 3, 3, 4))))

    def make_page(self, number: int) -> list[str]:
        """With a name, a number that no other page has, an amount and a word that every page has."""
        words = self.random.choices(self.words, cum_weights=self.weights, k=WORDS_A_PAGE)
        words[:6] = [
            EVERYWHERE,
            make_number(number),
            *make_name(number),
            "Total",
            f"{number % 977},{number % 89:02}.50",
        ]
        return words

    def iterate_pages(self, count: int) -> Iterator[list[str]]:
        return (self.make_page(number) for number in range(count))


def make_number(page: int) -> str:
    return f"RE-{2020 + page % 7}-{page:07}"


def make_name(page: int) -> tuple[str, str]:
    first = _SYLLABLES[page % 112] + _SYLLABLES[page // 112 % 112]
    return first.title(), (_SYLLABLES[page * 7 % 112] + _SYLLABLES[page * 3 // 112 % 112] + "sen").title()


def place_words(texts: list[str]) -> list[Word]:
    """Ten to a line."""
    return [
        Word(
            text,
            0.05 + 0.09 * (at % 10),
            0.05 + 0.03 * (at // 10),
            0.13 + 0.09 * (at % 10),
            0.07 + 0.03 * (at // 10),
            line=at // 10 + 1,
        )
        for at, text in enumerate(texts)
    ]

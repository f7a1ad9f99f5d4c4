"""A message in clauses, each with what it names and does, so that a second wish is judged by itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from printed.folding import fold
from printed.matter_words import get_pattern, has_words, list_mentions
from printed.stopwords import FILLERS
from printed.type_words import fold_line

MAX_LETTERS = 4_000
"""A message is read so far; a longer one is never surely in scope."""
_SENTENCES = re.compile(r"[!?;\n]+|\.(?=\s|$)|…|\s[–—-]\s")
_PAUSES = re.compile(r"(?<!\d),|,(?!\d)|\(|:(?=\s)")
_EDGES = " ,:(¿¡\"'“”„"
_WORDS = re.compile(r"[^\W\d_]+")
_SPEECH_ONLY = ("ask", "point", "joins", "other", "first", "second", "third", "last", "greeting", "thanks")
_COURTESY = ("greeting", "thanks")


@dataclass(frozen=True)
class Clause:
    """`text` is folded. A wish asks for something by itself; what is none belongs to the clauses beside it."""

    raw: str
    opens_sentence: bool
    is_question: bool
    joined: bool

    @cached_property
    def text(self) -> str:
        return fold_line(self.raw)

    @cached_property
    def types(self) -> frozenset[str]:
        return frozenset(mention.name for mention in list_mentions("types", self.text))

    @cached_property
    def matters(self) -> frozenset[str]:
        return frozenset(mention.name for mention in list_mentions("matters", self.text))

    @cached_property
    def unknown_words(self) -> list[str]:
        """Words that no table knows and that tell something: names above all."""
        return [word for word in self._list_words_beside(_SPEECH_ONLY) if word not in FILLERS and len(word) > 1]

    @cached_property
    def is_courtesy(self) -> bool:
        """A greeting or thanks, and nothing else."""
        beside = [word for word in self._list_words_beside(_COURTESY) if word not in FILLERS]
        return any(map(self.says, _COURTESY)) and not beside and not self.types and not self.matters

    @property
    def claims_a_right(self) -> bool:
        """Whether it wants to change what the assistant is for; to ask how that is done is none."""
        return self.says("claim") or (self.says("drop") and self.says("rules") and not self.says("how"))

    @property
    def is_wish(self) -> bool:
        return (self.is_question and self.opens_sentence) or self.says("ask")

    def says(self, act: str) -> bool:
        return has_words("speech", act, self.text)

    def _list_words_beside(self, acts: tuple[str, ...]) -> list[str]:
        blanked = self.text
        for act in acts:
            blanked = get_pattern("speech", act).sub(" ", blanked)
        return _WORDS.findall(fold(blanked))


def split_clauses(message: str) -> list[Clause]:
    return list(_walk_clauses(message[:MAX_LETTERS]))


def _walk_clauses(message: str) -> Iterator[Clause]:
    start = 0
    for stop in [*_SENTENCES.finditer(message), None]:
        end = stop.start() if stop else len(message)
        sign = stop[0] if stop else ""
        yield from _split_sentence(message[start:end], is_question="?" in sign)
        start = stop.end() if stop else end


def _split_sentence(sentence: str, *, is_question: bool) -> Iterator[Clause]:
    opens, joined = True, False
    for part, follows_join in _cut_at_joins(sentence):
        if text := part.strip(_EDGES):
            yield Clause(text, opens, is_question, joined or follows_join)
            opens, joined = False, False


def _cut_at_joins(sentence: str) -> Iterator[tuple[str, bool]]:
    """At each comma and each "and" behind which somebody asks for something."""
    folded = fold_line(sentence)
    places = [*_PAUSES.finditer(folded), *get_pattern("speech", "joins").finditer(folded)]
    cuts = [(each.start(), each.end(), each[0].isalpha()) for each in places if _asks_at(folded, each.end())]
    start, follows = 0, False
    for cut_start, cut_end, is_join in sorted(cuts):
        if cut_start >= max(start, 1):
            yield sentence[start:cut_start], follows
            start, follows = cut_end, is_join
    yield sentence[start:], follows


def _asks_at(text: str, place: int) -> bool:
    if text[place : place + 1].strip(" ,¿"):
        return False
    rest = text[place:].lstrip(" ,¿")
    if get_pattern("speech", "joins").match(rest):
        return True
    first_words = " ".join(rest.split()[:4])
    return has_words("speech", "ask", first_words) or has_words("speech", "claim", first_words)

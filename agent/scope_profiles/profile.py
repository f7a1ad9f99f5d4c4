"""A scope profile as checks read it, and what its own words mean: subjects, matters and what it names as foreign."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from agent.scope_profiles.matters import MATTERS
from agent.scope_profiles.patterns import search_pattern
from agent.scope_profiles.words import list_content_words, match_words
from printed.matter_words import get_pattern, list_mentions
from printed.type_words import fold_line

_CLAUSES = re.compile(r"[.;:!?(]")
MIN_OWN_WORD = 5
_SYNTAX = re.compile(r"\\[a-zA-Z]|[^\w\s]+")


@dataclass(frozen=True)
class Profile:
    sentence: str
    types: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    tags_mode: Literal["required", "hint"] = "hint"
    tags_never: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    always: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    mode: Literal["strict", "gentle"] = "strict"
    refusal: str = ""

    def matches_never(self, text: str) -> str:
        return next((pattern for pattern in self.never if search_pattern(pattern, text, when_slow=True)), "")

    def matches_always(self, text: str) -> str:
        return next((pattern for pattern in self.always if search_pattern(pattern, text, when_slow=False)), "")

    def matches_topic(self, text: str) -> str:
        return next((topic for topic, words in self._topic_words if match_words(words, text)), "")

    def shares_words(self, text: str) -> bool:
        """Whether a text has a word of the sentence, in some form, that no table of types and matters knows."""
        return any(match_words([word], text) for word in self._own_words)

    @property
    def allowed(self) -> frozenset[str]:
        return frozenset(self.types)

    @cached_property
    def meaning(self) -> Meaning:
        return read_meaning(self)

    @cached_property
    def _own_words(self) -> list[str]:
        known = [*list_mentions("types", self._folded), *list_mentions("matters", self._folded)]
        covered = " ".join(self._folded[mention.start : mention.end] for mention in known)
        words = _split_negations(self.sentence)[0]
        return [word for word in list_content_words(words) if len(word) >= MIN_OWN_WORD and word not in covered]

    @cached_property
    def _folded(self) -> str:
        return fold_line(self.sentence)

    @cached_property
    def _topic_words(self) -> list[tuple[str, list[str]]]:
        return [(topic, list_content_words(topic)) for topic in self.topics]


@dataclass(frozen=True)
class Meaning:
    matters: frozenset[str] = field(default=frozenset())
    """Matters that sentence and topics name."""
    subjects: frozenset[str] = field(default=frozenset())
    foreign_types: frozenset[str] = field(default=frozenset())
    foreign_matters: frozenset[str] = field(default=frozenset())


def read_meaning(profile: Profile) -> Meaning:
    allowed_words, refused_words = _split_negations(profile.sentence)
    named = _list_names("matters", " . ".join([allowed_words, *profile.topics]))
    own_types = _list_names("types", allowed_words) | profile.allowed
    patterns = " . ".join(_SYNTAX.sub(" ", alternative) for each in profile.never for alternative in each.split("|"))
    not_wanted = f"{refused_words} . {patterns}"
    return Meaning(
        matters=frozenset(named & set(MATTERS)),
        subjects=frozenset(MATTERS[name].subject for name in named if name in MATTERS and MATTERS[name].subject),
        foreign_types=frozenset(_list_names("types", not_wanted) - own_types),
        foreign_matters=frozenset((_list_names("matters", not_wanted) & set(MATTERS)) - named),
    )


def _split_negations(sentence: str) -> tuple[str, str]:
    """The words behind "never" or "not", up to the end of the clause, say what the assistant is not for."""
    allowed_words, refused_words = [], []
    for clause in _CLAUSES.split(fold_line(sentence)):
        negation = get_pattern("speech", "not").search(clause)
        allowed_words.append(clause[: negation.start()] if negation else clause)
        refused_words.append(clause[negation.end() :] if negation else "")
    return " . ".join(allowed_words), " . ".join(refused_words)


def _list_names(kind: str, text: str) -> set[str]:
    return {mention.name for mention in list_mentions(kind, fold_line(text))}

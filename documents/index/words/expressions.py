"""What a search asks of the index, in the terms of documents.index.words.terms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias


@dataclass(frozen=True)
class Phrase:
    """Terms that follow each other; the last of them may be the beginning of one."""

    terms: tuple[str, ...]
    is_prefix: bool = False


# Any of these will do: a number in its forms, a word and those that are nearly it.
Group: TypeAlias = tuple[Phrase, ...]


@dataclass(frozen=True)
class Expression:
    """A page has each of the groups, or where `needs_all` is false any of them, and none of the excluded ones.

    `optional` groups count for the rank alone.
    """

    groups: tuple[Group, ...]
    excluded: tuple[Group, ...] = ()
    needs_all: bool = True
    optional: tuple[Group, ...] = ()


class Match(NamedTuple):
    """A page that fulfils an expression. `rank`: more is better, comparable within one search only."""

    key: int
    document_id: str
    reading_id: str
    number: int
    rank: float


class Selection(NamedTuple):
    """A SELECT of the keys of all pages that fulfil an expression."""

    sql: str
    parameters: list[str]


@dataclass(frozen=True)
class PageTerms:
    """What is written of a page: runs of terms that follow each other, each parted from the next."""

    number: int
    part: int
    runs: tuple[tuple[str, ...], ...]

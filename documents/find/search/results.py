"""What a search answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from documents.find.filters import Term
from documents.models import Document

Box = tuple[float, float, float, float]
HowFound = Literal["words", "meaning"]


@dataclass(frozen=True)
class Snippet:
    """Some lines of a page, in `lines` one by one with their numbers. `marks`: where in `text` the words begin and end
    that were looked for. `begins_within`: words of the same sentence stand before it on the page."""

    text: str
    marks: Sequence[tuple[int, int]] = ()
    lines: Sequence[tuple[int, str]] = ()
    begins_within: bool = False


@dataclass(frozen=True)
class PageHit:
    """`boxes`: of the words in page fractions, one for each run of them in a line; `lines`: those of the snippet.

    `blocks`: the words themselves as `page.line.word`, by which they are cited. `is_semantic`: the words do
    not have to stand there; `blocks` are then the lines, as `page.line`.
    """

    reading_id: str
    number: int
    snippet: Snippet
    boxes: Sequence[Box] = ()
    lines: Sequence[int] = ()
    blocks: Sequence[str] = ()
    is_semantic: bool = False

    @property
    def citation(self) -> str:
        """The id of the block in which the first of the words stands: its line, with the reading."""
        line = ".".join(self.blocks[0].split(".")[:2]) if self.blocks else f"{self.number}.1"
        return f"{self.reading_id}.{line}"


@dataclass(frozen=True)
class ValueHit:
    """A value of the document or of its metadata that begins with what was looked for."""

    path: str
    text: str


@dataclass(frozen=True)
class DocumentHit:
    """`score`: above 0 up to 1, comparable within one search.

    `page_numbers` has all pages with hits, `pages` the best few with their snippets. `by_words`, `is_semantic`: how it
    was found, which may be both.
    """

    document: Document
    score: float
    page_numbers: Sequence[int] = ()
    pages: Sequence[PageHit] = ()
    values: Sequence[ValueHit] = ()
    is_named: bool = False
    by_words: bool = True
    is_semantic: bool = False

    @property
    def found_by(self) -> list[HowFound]:
        ways: list[tuple[HowFound, bool]] = [("words", self.by_words), ("meaning", self.is_semantic)]
        return [way for way, is_true in ways if is_true]


@dataclass(frozen=True)
class SearchResults:
    """`are_counted` is false where more match than were looked at: then there are at least `total_documents`.

    `replaced`: words that no page has with the others, and what these hits have instead. `is_partial`: no page has all
    of the words, so these have some. `suggestions`: other words that do lead somewhere, where nothing was found.
    `problem`: a sentence where the search itself makes no sense. `note`: a sentence where the meaning was to be
    searched as well, and was not. `could_ask_meaning`: it was not, and the query is none for exact words alone.
    """

    query: str
    hits: Sequence[DocumentHit] = ()
    total_documents: int = 0
    total_pages: int = 0
    are_counted: bool = True
    terms: Sequence[Term] = ()
    words: Sequence[str] = ()
    replaced: Mapping[str, Sequence[str]] = field(default_factory=dict)
    is_partial: bool = False
    suggestions: Sequence[str] = ()
    problem: str = ""
    note: str = ""
    could_ask_meaning: bool = False

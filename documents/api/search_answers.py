"""The answer of a search over all pages."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from accounts.api.wire.answers import Id, Page

Score = Annotated[float, Field(gt=0, le=1, description="Of the best first; comparable within one search.")]
Box = Annotated[
    list[float], Field(min_length=4, max_length=4, description="Left, top, right, bottom in page fractions.")
]
Mark = Annotated[list[int], Field(min_length=2, max_length=2, description="Where in the text it begins and ends.")]


class FoundPage(TypedDict):
    """A page with the words."""

    page: int
    text: Annotated[str, Field(description="The text around the words, 300 characters at most.")]
    marks: Annotated[list[Mark], Field(description="The words in `text`.")]
    boxes: Annotated[list[Box], Field(description="The words on the page, one for each run of them in a line.")]
    cite: Annotated[str, Field(description="`reading.page.line` of the first of them; it stays true when read again.")]
    by_meaning: Annotated[bool, Field(description="It is about the same thing; the words need not be there.")]


class FoundValue(TypedDict):
    """A value, or a pair of metadata, that begins with the words."""

    path: str
    text: Annotated[str, Field(description="In lower case, 200 characters at most.")]


class FoundDocument(TypedDict):
    """A document with the words on its pages, in its name, tags or values."""

    document_id: Id
    document_name: str
    document_type: Annotated[str | None, Field(description="What it is, by the key of its type; null where unsure.")]
    score: Score
    page_numbers: Annotated[list[int], Field(description="Pages with the words.")]
    pages: Annotated[list[FoundPage], Field(description="The best 3 of them.")]
    values: Annotated[list[FoundValue], Field(description="3 at most.")]
    is_named: Annotated[bool, Field(description="Its name, a tag or a value has the words.")]
    found_by: Annotated[list[Literal["words", "meaning"]], Field(description="How it was found, which may be both.")]


class SearchPage(Page):
    """What was found, the best first."""

    results: list[FoundDocument]
    total_pages: Annotated[int, Field(description="Pages with the words.")]
    are_counted: Annotated[bool, Field(description="False where there are more than the counts say.")]
    words: Annotated[list[str], Field(description="What was looked for.")]
    replaced: Annotated[
        dict[str, list[str]],
        Field(description="Words that are on no page with the others, and what was found instead."),
    ]
    is_partial: Annotated[bool, Field(description="No page has all of the words; these have some.")]
    suggestions: Annotated[list[str], Field(description="Where nothing was found: words that are on some page.")]
    note: Annotated[str, Field(description="Why the meaning was not searched although an embedding model is set.")]

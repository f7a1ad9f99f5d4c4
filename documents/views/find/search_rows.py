"""What a search found as its page shows it: documents with lines of words, each leading to its place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.urls import reverse

from documents.extractions.extraction_view.value_text import format_value
from documents.extractions.storing import list_newest_runs
from documents.find.search.results import DocumentHit, PageHit, SearchResults, Snippet, ValueHit
from documents.index.values.indexing import find_written
from documents.models import Document, Reading, Tag
from documents.values import Stored
from documents.views.find.citations import AT
from documents.views.find.row_values import choose_source
from kit.formats import count_noun

MAX_LINES = 5


class Piece(NamedTuple):
    text: str
    is_match: bool = False


class HitLine(NamedTuple):
    icon: str
    pieces: list[Piece]
    note: str
    address: str
    block_id: str = ""
    """The first words that match, whose place on the page is drawn."""

    @property
    def is_nested(self) -> bool:
        """Its lines are as far in as in their file."""
        return any("\n" in piece.text for piece in self.pieces)


@dataclass(frozen=True)
class DocumentLines:
    """`thumbnail` is the reading whose first page is shown."""

    document: Document
    address: str
    tags: Sequence[Tag]
    thumbnail: str | None
    count: str
    lines: list[HitLine]


def make_document_lines(results: SearchResults) -> list[DocumentLines]:
    documents = [hit.document for hit in results.hits]
    thumbnails = _load_thumbnails(documents)
    stored = _load_stored([hit.document for hit in results.hits if hit.values])
    return [_make_document(hit, thumbnails.get(hit.document.pk), stored.get(hit.document.pk)) for hit in results.hits]


def describe_count(results: SearchResults) -> str:
    """`9 pages in 4 documents`; only the documents where nothing but names and values match."""
    if not results.total_documents:
        return ""
    over = "" if results.are_counted else "over "
    documents = count_noun(results.total_documents, "document")
    pages = f"{count_noun(results.total_pages, 'page')} in " if results.total_pages else ""
    return f"{over}{pages}{documents}"


def _make_document(hit: DocumentHit, thumbnail: str | None, stored: Stored) -> DocumentLines:
    document = hit.document
    address = reverse("document", args=[document.organization_id, document.pk])
    lines = [_make_page_line(page, address) for page in hit.pages]
    lines += [_make_value_line(value, address, document, stored) for value in hit.values]
    return DocumentLines(
        document=document,
        address=lines[0].address if lines else address,
        tags=list(document.tags.all()),
        thumbnail=thumbnail,
        count=_count_pages(hit.page_numbers) or ("in its name" if hit.is_named and not lines else ""),
        lines=lines[:MAX_LINES],
    )


def _make_page_line(page: PageHit, address: str) -> HitLine:
    places = ",".join(page.blocks)
    at = f"?{AT}={page.reading_id}.{places}" if places else f"#page-{page.number}"
    note = f"Page {page.number}, by meaning" if page.is_semantic else f"Page {page.number}"
    block_id = f"{page.reading_id}.{page.blocks[0]}" if page.blocks else ""
    omitted = [Piece("…")] if page.snippet.begins_within else []
    return HitLine("scan-text", [*omitted, *split_marks(page.snippet)], note, f"{address}{at}", block_id)


def _make_value_line(value: ValueHit, address: str, document: Document, stored: Stored) -> HitLine:
    source = choose_source(value.path, document, stored)
    written = format_value(find_written(source, value.path, value.text), "")
    return HitLine("braces", [Piece(f"{value.path} "), Piece(written, is_match=True)], "Value", address)


def split_marks(snippet: Snippet) -> Iterator[Piece]:
    end = 0
    for start, stop in snippet.marks:
        if start > end:
            yield Piece(snippet.text[end:start])
        yield Piece(snippet.text[start:stop], is_match=True)
        end = stop
    if end < len(snippet.text):
        yield Piece(snippet.text[end:])


def _count_pages(numbers: Sequence[int]) -> str:
    """The lines say which pages."""
    return count_noun(len(numbers), "page") if len(numbers) > 1 else ""


def _load_stored(documents: Sequence[Document]) -> dict[str, Stored]:
    """By document the values of its newest run, as people see them."""
    runs = list_newest_runs([document.pk for document in documents]) if documents else ()
    return {run.document_id: run.current for run in runs}


def _load_thumbnails(documents: Sequence[Document]) -> dict[str, str]:
    """By document its newest reading with a page to show."""
    rows = Reading.objects.filter(document__in=documents, pages_listed__gt=0).order_by("number")
    return dict(rows.values_list("document_id", "pk"))

"""Sentences on what a part, and what the parts of a file, do not have: its pages have it."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import QuerySet

from documents.file_chunks.cutting import MAX_CHUNKS, MAX_CONTENT
from documents.file_chunks.naming import list_visible
from documents.file_chunks.storing import MAX_REFERENCES
from documents.models import Document, FileChunk

MAX_FILES = 30


def list_omissions(chunk: FileChunk) -> Iterator[str]:
    if chunk.letters_left:
        page, line = chunk.spans[-1][::2] if chunk.spans else (chunk.first_page, chunk.first_line)
        yield (
            f"Its last {chunk.letters_left:,} characters are left out: a part has {MAX_CONTENT:,}. They are in the "
            f"document after page {page}, line {line}."
        )
    if chunk.references_left:
        yield (
            f"{chunk.references_left:,} more of its references are not followed: the first {MAX_REFERENCES:,} of a "
            "part are."
        )


def list_cut_files(documents: QuerySet[Document]) -> list[str]:
    rows = list_visible(documents).filter(is_cut_off=True).order_by("reading__document__name", "pk").defer("content")
    return [
        f"{row.reading.document.name} has more than the {MAX_CHUNKS:,} parts that are kept. For "
        f"the text after page {row.last_page}, line {row.last_line}, read or search its pages."
        for row in rows[:MAX_FILES]
    ]

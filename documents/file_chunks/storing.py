"""Rows of the parts of a file, made with the index of its words."""

from __future__ import annotations

from collections.abc import Sequence

from documents.file_chunks.cutting import CutChunk, cut_reading
from documents.models import Document, FileChunk, Reading
from documents.reading.nesting.outline import is_nested

AT_ONCE = 500
MAX_NAME, MAX_ADDRESS, MAX_REFERENCES = 300, 500, 500


def cut_if_nested(reading: Reading) -> list[CutChunk]:
    return cut_reading(reading) if is_nested(reading) else []


def store_chunks(document: Document, reading: Reading, chunks: Sequence[CutChunk]) -> None:
    """In place of those of the document's earlier readings. For a transaction."""
    FileChunk.objects.filter(reading__document=document).delete()
    rows = (_make_row(reading, position, chunk) for position, chunk in enumerate(chunks, start=1))
    FileChunk.objects.bulk_create(rows, batch_size=AT_ONCE)


def _make_row(reading: Reading, position: int, chunk: CutChunk) -> FileChunk:
    return FileChunk(
        reading=reading,
        position=position,
        kind=chunk.root.kind,
        name=chunk.root.name[:MAX_NAME],
        title=chunk.title,
        address=chunk.root.address[:MAX_ADDRESS],
        first_page=chunk.first.page,
        first_line=chunk.first.line,
        last_page=chunk.last.page,
        last_line=chunk.last.line,
        content=chunk.content,
        spans=chunk.spans,
        letters_left=chunk.letters_left,
        references=[list(each) for each in list(chunk.references)[:MAX_REFERENCES]],
        references_left=max(0, len(chunk.references) - MAX_REFERENCES),
        is_cut_off=chunk.is_cut_off,
    )

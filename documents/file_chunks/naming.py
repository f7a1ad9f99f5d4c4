"""Names of parts as programs and models write them: `campaigns.yaml:schemas/Campaign`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.db.models import Q, QuerySet

from documents.models import Document, FileChunk


def name_chunk(chunk: FileChunk) -> str:
    """`chunk.reading.document` is read."""
    return f"{chunk.reading.document.name}:{chunk.name}"


def list_visible(documents: QuerySet[Document]) -> QuerySet[FileChunk]:
    rows = FileChunk.objects.filter(reading__document__in=documents.order_by().values("pk"))
    return rows.filter(reading__document__trashed_at=None).select_related("reading__document")


def find_named(documents: QuerySet[Document], names: Iterable[str]) -> Mapping[str, FileChunk]:
    """By their names; of files of one name the newest counts. Unknown ones are left out."""
    asked = list(dict.fromkeys(names))
    either = Q(pk__in=[])
    for name in asked:
        for file, part in _split(name):
            either |= Q(reading__document__name=file, name=part)
    rows = list_visible(documents).filter(either).order_by("reading__document__created_at", "-position")
    chunks = {name_chunk(row): row for row in rows}
    return {name: chunks[name] for name in asked if name in chunks}


def _split(name: str) -> Iterable[tuple[str, str]]:
    """A file and a part may both have colons in their names."""
    cuts = [at for at, sign in enumerate(name) if sign == ":"][:5]
    return ((name[:at], name[at + 1 :]) for at in cuts)

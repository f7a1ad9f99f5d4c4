"""A file that holds several documents is split: each of them becomes a document with the file as its parent.

What is cut out is a file of its own, so it stays when the whole is deleted for good. A page belongs to one part at
most, so that nothing is made twice by whoever asks twice.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import IO

from django.conf import settings
from django.core.files.base import ContentFile
from django.db import connection, transaction
from django.db.models import QuerySet

from accounts.actor import UNDO, Actor
from accounts.models import Role
from accounts.services import audit
from documents import document_changes
from documents.autosetup.auto_setup import is_asked_for
from documents.catalog.media_types import MEDIA_TYPES
from documents.catalog.state import lock_document
from documents.intake import uploads
from documents.intake.parts import MAX_FAMILY, MAX_PARTS, MAX_UPLOADS_TOGETHER, measure_family
from documents.models import Document, Tag, Verification
from documents.reading import copying
from documents.reading.passwords import get_password
from documents.reading.reading import get_newest
from documents.storage.stored_files import UPLOADS
from kit import events
from kit.cleanup import on_failure
from kit.errors import Conflict, Invalid, NotFound, TooLarge
from kit.ids import new_id
from kit.json_types import JsonObject
from reader.pool.parts import cut_pages
from reader.pool.readers import get_pdf_pool

PDF = MEDIA_TYPES["pdf"]
SPLITTABLE = (PDF, MEDIA_TYPES["tiff"])
NOT_READ = "This document has not been read yet, so it is not known how many pages it has. Split it when it is read."
WHOLE = "This part would be the whole document. Say where another one begins."


@dataclass(frozen=True)
class PartPages:
    """Its pages in the whole, counted from 1; an empty name is made of the whole's."""

    first: int
    last: int
    name: str = ""


@dataclass(frozen=True)
class CutPart:
    """A part whose file is stored, and which has no row yet."""

    document_id: str
    name: str
    first: int
    last: int
    file: str
    sha256: str
    size: int

    def as_json(self) -> JsonObject:
        return asdict(self)


def split(actor: Actor, *, document: Document, parts: Sequence[PartPages]) -> list[Document]:
    """Each part becomes a document with the whole's tags. Raises what `cut` and `store` do. In no transaction."""
    cut_parts = cut(actor, document=document, parts=parts)
    with on_failure(lambda: discard(cut_parts)):
        return store(actor, document=document, cut_parts=cut_parts)


def check(document: Document, parts: Sequence[PartPages]) -> list[PartPages]:
    """With their names. Raises Invalid for pages there are not, or twice, and Conflict for what is split already."""
    if document.media_type not in SPLITTABLE:
        raise Invalid("Only a PDF or a TIFF can be split.", code="not_splittable")
    count = count_pages(document)
    if not parts:
        raise Invalid("Say which pages belong to which document.")
    if len(parts) > MAX_PARTS:
        raise Invalid(f"{len(parts)} parts are too many; {MAX_PARTS} is the most.")
    before = 0
    for part in parts:
        if not before < part.first <= part.last <= count:
            raise Invalid(_describe_misfit(part, before, count))
        before = part.last
    if len(parts) == 1 and (parts[0].first, parts[0].last) == (1, count):
        raise Invalid(WHOLE)
    _require_free(document, parts)
    return [PartPages(part.first, part.last, _make_name(document, part)) for part in parts]


def count_pages(document: Document) -> int:
    reading = get_newest(document)
    if reading is None:
        raise Invalid(NOT_READ, code="not_read")
    return reading.page_count or 0


def cut(actor: Actor, *, document: Document, parts: Sequence[PartPages]) -> list[CutPart]:
    """Makes and stores their files. Raises also Busy, NotFound and what the reader refuses with. In no transaction."""
    actor.require(Role.REVIEWER)
    parts = check(document, parts)
    if not connection.in_atomic_block:
        connection.close()  # a free reader may have to be waited for
    cut_parts: list[CutPart] = []
    with on_failure(lambda: discard(cut_parts)):
        try:
            with UPLOADS.lend(str(document.file)) as file:
                for part in _cut_each(document, parts, file):
                    cut_parts.append(part)
        except FileNotFoundError:
            raise NotFound("The stored file is missing. Upload the document again.") from None
    return cut_parts


def _cut_each(document: Document, parts: Sequence[PartPages], whole: IO[bytes]) -> Iterator[CutPart]:
    """Pages may share what is large in them, which each part then has."""
    reading, size = get_newest(document), 0
    for part in parts:
        data = cut_pages(
            get_pdf_pool(),
            whole,
            part.first,
            part.last,
            password=get_password(reading) if reading else None,
            max_pages=settings.MAX_PAGES,
            max_bytes=settings.MAX_UPLOAD_MB * 1024 * 1024,
            group=document.organization_id,
        )
        size += len(data)
        if size > MAX_UPLOADS_TOGETHER * settings.MAX_UPLOAD_MB * 1024 * 1024:
            megabytes = MAX_UPLOADS_TOGETHER * settings.MAX_UPLOAD_MB
            raise TooLarge(
                f"The parts have more than {megabytes:,} MB together. Split it into fewer of them at a time."
            )
        uploads.require_room(len(data))
        document_id = new_id()
        file = UPLOADS.save(f"documents/{document.organization_id}/{document_id}", ContentFile(data))
        yield CutPart(document_id, part.name, part.first, part.last, file, hashlib.sha256(data).hexdigest(), len(data))


def discard(cut_parts: Sequence[CutPart]) -> None:
    for part in cut_parts:
        UPLOADS.delete(part.file)


@transaction.atomic
def store(actor: Actor, *, document: Document, cut_parts: Sequence[CutPart]) -> list[Document]:
    """Makes documents of what was cut. Raises Conflict when somebody has split the same pages meanwhile."""
    actor.require(Role.REVIEWER)
    whole = lock_document(document.pk)
    if whole.trashed_at is not None:
        raise NotFound("Document not found")
    _require_free(whole, [PartPages(part.first, part.last) for part in cut_parts])
    if measure_family(whole).count + len(cut_parts) + whole.parts.count() > MAX_FAMILY:
        raise Conflict(f"One upload may have {MAX_FAMILY} documents in it. Delete some for good, then split it.")
    tags = list(whole.tags.all())
    documents = [_store_part(actor, whole, part, tags) for part in cut_parts]
    audit.record(actor, "split", whole, parts=len(documents), pages=[[part.first, part.last] for part in cut_parts])
    _publish_change(whole)
    return documents


def _store_part(actor: Actor, whole: Document, part: CutPart, tags: Sequence[Tag]) -> Document:
    document = Document(
        id=part.document_id,
        organization=whole.organization,
        name=part.name,
        sha256=part.sha256,
        size=part.size,
        file=part.file,
        media_type=PDF,
        uploaded_by=actor.user,
        uploaded_by_name=actor.shown_name,
        parent=whole,
        first_page=part.first,
        last_page=part.last,
    )
    uploads.create_document(
        actor,
        document,
        tags,
        auto_setup=is_asked_for(whole) or None,
        start_reading=lambda: copying.start_or_copy(
            actor, document=document, whole=whole, first=part.first, last=part.last
        ),
    )
    document.refresh_from_db()
    return document


@transaction.atomic
def undo(actor: Actor, *, document: Document, part_ids: Sequence[str] | None = None) -> list[Document]:
    """Moves to the trash what it was split into, all of it or these. The whole has had all of it all the time, so a
    reviewer may. Raises Conflict where a person has verified something of a part, or there is none."""
    actor.require(Role.REVIEWER)
    whole = lock_document(document.pk)
    rows = list_parts(whole).select_for_update().order_by("pk")
    parts = list(rows if part_ids is None else rows.filter(pk__in=part_ids))
    if not parts:
        raise Conflict("It is not split any more.")
    verified = Verification.objects.filter(extraction__document__in=parts, cleared_at=None).first()
    if verified:
        raise Conflict(
            f"Somebody has verified values of “{verified.extraction.document.name}”. Move the parts to the trash one "
            "by one."
        )
    for part in parts:
        document_changes.trash_part(actor.because(UNDO), document=part)
    audit.record(actor, "joined", whole, parts=len(parts))
    _publish_change(whole)
    return parts


def list_parts(document: Document) -> QuerySet[Document, Document]:
    """What it was split into, as far as it is not in the trash."""
    return Document.objects.filter(parent=document, trashed_at=None, first_page__isnull=False)


def _require_free(document: Document, parts: Sequence[PartPages]) -> None:
    for there in list_parts(document).order_by("first_page"):
        for part in parts:
            if part.first <= (there.last_page or 0) and (there.first_page or 0) <= part.last:
                raise Conflict(
                    f"“{there.name}” has {there.pages_in_whole} already. Move it to the trash to split them anew.",
                    winner={"document_id": there.pk, "document_name": there.name},
                    code="split_already",
                )


def _describe_misfit(part: PartPages, before: int, count: int) -> str:
    if not 1 <= part.first <= part.last:
        return f"Pages {part.first} to {part.last} are none: a part goes from its first page to its last, from 1."
    if part.last > count:
        return f"There is no page {part.last}; the document has {count}."
    return f"Page {part.first} comes after page {before} of the part before. Name the parts in order, each page once."


def _make_name(document: Document, part: PartPages) -> str:
    stem = document.name.rpartition(".")[0] or document.name
    pages = f"page {part.first}" if part.first == part.last else f"pages {part.first}–{part.last}"
    name = part.name.strip() or f"{stem[:200]}, {pages}"
    return document_changes.clean_name(name if name.lower().endswith(".pdf") else f"{name}.pdf")


def _publish_change(document: Document) -> None:
    for group in (events.document_group(document.pk), events.organization_group(document.organization_id)):
        events.publish(group, "document.changed", document_id=document.pk, state=document.state)

"""Pages for the viewer: their words, and their pictures, rendered on demand and cached; so are PDFs of what is none."""

from __future__ import annotations

from typing import IO, cast

from django.conf import settings

from documents.models import Document, Page
from documents.reading import derived_files, drawing
from documents.reading.old_office import lend_readable
from documents.reading.passwords import get_password
from documents.reading.reading import get_newest
from documents.storage.stored_files import DERIVED, UPLOADS
from kit.http.file_answers import OpenedFile
from reader.frames import Rotation
from reader.pool.readers import get_pdf_pool, get_pool
from reader.words import Word, unpack

PDF = "application/pdf"
WIDTHS = (160, 640, 1200, 1800, 2400)


def unpack_words(page: Page) -> list[Word]:
    return unpack(bytes(page.words))


def draw_image(page: Page, width: int) -> IO[bytes]:
    """A WebP picture, the next of WIDTHS that is at least `width` pixels wide. `page.reading.document` is read."""
    width = next((step for step in WIDTHS if step >= width), WIDTHS[-1])
    key = derived_files.get_picture_key(page.reading_id, page.number, width, page.rotation)
    return DERIVED.open_used(key) or drawing.draw_once(
        str(page.reading.document.file),
        key,
        lambda source: _render(page, width, source),
        failure=derived_files.get_picture_failure_key(page.reading_id, page.number),
        size=width,
    )


def draw_pdf(document: Document) -> IO[bytes]:
    """A PDF of a document that is none, made from the pictures of its pages. Raises Invalid where there are none."""
    key = derived_files.get_pdf_key(document.pk)
    return DERIVED.open_used(key) or drawing.draw_once(
        str(document.file),
        key,
        lambda source: _make_pdf(document, source),
        failure=derived_files.get_pdf_failure_key(document.pk),
    )


def open_upload(document: Document) -> OpenedFile:
    """The file as it was uploaded. Raises FileNotFoundError."""
    content = UPLOADS.open(str(document.file))
    return OpenedFile(content, document.name, document.media_type, f'"{document.sha256}"')


def open_pdf(document: Document) -> OpenedFile:
    """The upload, or what `draw_pdf` makes of it, which may have other bytes when it is made again."""
    if document.media_type == PDF:
        return open_upload(document)
    content = draw_pdf(document)
    made_at = DERIVED.find_change(derived_files.get_pdf_key(document.pk))
    stem = document.name.rpartition(".")[0] or document.name
    return OpenedFile(content, f"{stem}.pdf", PDF, f'"{document.sha256}-{made_at.timestamp()}"')


def _render(page: Page, width: int, source: IO[bytes]) -> bytes:
    with lend_readable(page.reading.document, source) as file:
        picture = get_pool().render(
            file,
            page.number,
            width,
            rotation=cast(Rotation, page.rotation),
            password=get_password(page.reading),
            encoding=page.reading.settings.get("encoding", ""),
            as_lines=page.engine == "plain",
            max_pages=settings.MAX_PAGES,
            max_bytes=settings.MAX_UPLOAD_MB * 1024 * 1024,
            group=page.reading.document.organization_id,
        )
    return picture.data


def _make_pdf(document: Document, source: IO[bytes]) -> bytes:
    newest = get_newest(document)
    with lend_readable(document, source) as file:
        return get_pdf_pool().pdf(
            file,
            encoding=newest.settings.get("encoding", "") if newest else "",
            max_pages=settings.MAX_PAGES,
            max_bytes=settings.MAX_UPLOAD_MB * 1024 * 1024,
            group=document.organization_id,
        )

"""Old Word and PowerPoint files are read as the PDFs that LibreOffice makes of them, kept beside the pictures."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

from django.conf import settings

from documents.models import Document
from documents.reading import derived_files
from documents.storage.stored_files import DERIVED
from kit.errors import Invalid
from reader.conversion.converting import convert_to_pdf
from reader.gaps import Gap
from reader.kinds import detect_kind
from reader.pool.process import ComputingTime

# By what it was uploaded as: a new name changes nothing.
NEWER_KINDS = {"application/msword": "DOCX", "application/vnd.ms-powerpoint": "PPTX"}
OLE_BYTES = 8
NOT_INSTALLED = (
    "Old {old} files are read with LibreOffice, which is not installed here. Save it as {kind}, then upload that."
)

NOT_CARRIED = (
    "Notes of the speaker and hidden slides of an old PowerPoint file are not read. If it has any, save it as PPTX, "
    "then upload that."
)


def is_old(media_type: str, head: bytes) -> bool:
    """head: the first bytes of the file, which may be a text or a file of today in spite of its name."""
    return media_type in NEWER_KINDS and len(head) >= OLE_BYTES and detect_kind(head) == "ole"


def require_converter(media_type: str) -> str:
    """Where LibreOffice is. Raises Invalid."""
    kind = NEWER_KINDS[media_type]
    if not settings.SOFFICE:
        raise Invalid(NOT_INSTALLED.format(old=kind.removesuffix("X"), kind=kind))
    return str(settings.SOFFICE)


@contextmanager
def lend_readable(document: Document, source: IO[bytes], time: ComputingTime | None = None) -> Iterator[IO[bytes]]:
    """The stored file itself, or its PDF, as an open file for a reader. Raises Invalid or TooLarge."""
    if not is_old_file(document, source):
        yield source
        return
    key = derived_files.get_pdf_key(document.pk)
    if not DERIVED.note_use(key):
        program, kind = require_converter(document.media_type), NEWER_KINDS[document.media_type]
        DERIVED.save_bytes(key, convert_to_pdf(program, source, newer_kind=kind, time=time or ComputingTime()))
    with DERIVED.lend(key) as converted:
        yield converted


def is_old_file(document: Document, source: IO[bytes]) -> bool:
    if document.media_type not in NEWER_KINDS:
        return False
    source.seek(0)
    return is_old(document.media_type, source.read(OLE_BYTES))


def list_lost(document: Document, source: IO[bytes]) -> list[Gap]:
    """List what the PDF of an old file leaves out, which LibreOffice does not say."""
    is_talk = NEWER_KINDS.get(document.media_type) == "PPTX" and is_old_file(document, source)
    return [Gap("embedded", NOT_CARRIED)] if is_talk else []

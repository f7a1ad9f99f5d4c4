"""Which files are taken in, by their extensions, and which of them contain their text."""

from __future__ import annotations

from documents.models import Document

MEDIA_TYPES = {
    "pdf": "application/pdf",
    "png": "image/png",
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "tif": "image/tiff",
    "tiff": "image/tiff",
    "webp": "image/webp",
    "gif": "image/gif",
    "bmp": "image/bmp",
    "txt": "text/plain",
    "md": "text/markdown",
    "csv": "text/csv",
    "html": "text/html",
    "eml": "message/rfc822",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "doc": "application/msword",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "xls": "application/vnd.ms-excel",
}
# Kinds whose text stands in the file: there is nothing to recognize.
_TEXT_TYPES = frozenset(MEDIA_TYPES[kind] for kind in ("csv", "xls", "xlsx", "txt", "md", "html", "eml"))


def needs_ocr(document: Document) -> bool:
    """By what it was uploaded as: a new name changes nothing."""
    return document.media_type not in _TEXT_TYPES


def get_extension(name: str) -> str:
    return name.rpartition(".")[2].lower() if "." in name else ""

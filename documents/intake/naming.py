"""Names of files that have no extension: the content tells what they are."""

from __future__ import annotations

import re

from django.core.files import File

from documents.catalog.media_types import MEDIA_TYPES, get_extension
from reader.failures import Unreadable
from reader.kinds import HEAD_BYTES, Kind, detect_kind

# A word after the last point, and no date or number.
_EXTENSION = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,7}$")
# By the folder that an archive of Office begins with; ODF says its type first.
_IN_ARCHIVES = {
    b"word/": "docx",
    b"xl/": "xlsx",
    b"ppt/": "pptx",
    b"opendocument.text": "odt",
    b"opendocument.spreadsheet": "ods",
    b"opendocument.presentation": "odp",
}
_KIND_EXTENSIONS: dict[Kind, str] = {"jpeg": "jpg", "tiff": "tif", "tnef": "dat", "signed": "p7m"}


def complete_name(name: str, content: File[bytes]) -> str:
    """Add the extension of its content to a name that has none. Files that are not read keep theirs."""
    last = name.replace("\\", "/").rpartition("/")[2].strip(". ")
    if not last or get_extension(last) in MEDIA_TYPES or _EXTENSION.search(last):
        return name
    content.seek(0)
    head = content.read(HEAD_BYTES)
    content.seek(0)
    extension = _find_extension(head)
    return f"{name}.{extension}" if extension in MEDIA_TYPES else name


def _find_extension(head: bytes) -> str:
    try:
        kind = detect_kind(head)
    except Unreadable:
        return ""
    if kind == "zip":
        return next((extension for mark, extension in _IN_ARCHIVES.items() if mark in head), kind)
    return _KIND_EXTENSIONS.get(kind, kind)

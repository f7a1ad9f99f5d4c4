"""How many files an upload brings, as far as its outside tells: more than a few are taken once somebody has said so.

Only names are read here, in a bounded part of the file. Taking files out is the reader's, which is shut in.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterator
from functools import partial

from django.core.files import File

from kit.errors import Conflict

MAX_UNASKED = 20
CODE = "many_documents"
SENTENCE = (
    "{name} holds {number} files, and each becomes a document. Nothing is stored yet: confirm that all are to be taken."
)
# PKWARE's APPNOTE, 4.3.12 and 4.3.16: an entry of the list of files, without its name, and the end of the list.
_ENTRY, _END = struct.Struct("<4s24x3H12x"), struct.Struct("<12xI6x")
# 4.3.14 and 4.3.15: the end of a long list, and what stands between the two. Readers trust it more than the short one.
_LONG_END, _LOCATOR = struct.Struct("<4s36xQ8x"), struct.Struct("<4s16x")
_MAX_TAIL, _MAX_LIST = _END.size + 65_535, 4 * 1024 * 1024
_OWN_FILES = (b"__MACOSX/", b".DS_Store", b"Thumbs.db", b"desktop.ini")
_ATTACHED = re.compile(rb"^content-disposition:\s*attachment", re.MULTILINE)
_MAIL = re.compile(rb"^content-type:\s*message/rfc822", re.MULTILINE)
# Apple Mail sends files as `inline`. A picture with an id is shown in the text (`reader.bundles.eml`).
_NAMED = re.compile(rb"\b(?:file)?name(?:\*\d*\*?)?\s*=")
_SHOWN = re.compile(rb"^content-(?:id|location):", re.MULTILINE)
_PICTURE = re.compile(rb"^content-type:\s*image/|\.(?:png|jpe?g|gif|bmp|webp|svg)\b", re.MULTILINE)
# Machines name nothing.
_FILE = re.compile(rb"^content-type:\s*(?:application/(?!\S{0,9}signature)|image/|audio/|video/)", re.MULTILINE)
_MAX_HEADERS = 8_000
_LONGEST = 200
# The storage of an attachment, as [MS-OXMSG] 2.2.2 names it in the directory of the file.
_STORED = re.compile(re.escape("__attach_version1.0_#".encode("utf-16-le")), re.IGNORECASE)
# The stream of a file in a PDF, which stands in no other stream.
_EMBEDDED = re.compile(rb"/Type\s*/EmbeddedFile(?![A-Za-z])")


def require_consent(name: str, media_type: str, content: File[bytes]) -> None:
    """Raises Conflict for one that brings more than MAX_UNASKED documents."""
    number = count_parts(media_type, content)
    if number > MAX_UNASKED:
        raise Conflict(SENTENCE.format(name=name, number=f"{number:,}"), code=CODE)


def count_parts(media_type: str, content: File[bytes]) -> int:
    counters: dict[str, Callable[[File[bytes]], int]] = {
        "application/zip": _count_files,
        "message/rfc822": _count_attached,
        "application/vnd.ms-outlook": partial(_count_matches, _STORED),
        "application/pdf": partial(_count_matches, _EMBEDDED),
    }
    number = counters[media_type](content) if media_type in counters else 0
    content.seek(0)
    return number


def _count_files(content: File[bytes]) -> int:
    content.seek(max(0, content.size - _MAX_TAIL))
    tail = content.read(_MAX_TAIL)
    at = tail.rfind(b"PK\x05\x06")
    if at < 0 or len(tail) < at + _END.size:
        return 0
    (size,) = _END.unpack_from(tail, at)
    # By its size and not by its place: what stands before the archive moves that.
    end = content.size - len(tail) + at
    before = at - _LOCATOR.size - _LONG_END.size
    if before >= 0 and tail[before + _LONG_END.size :].startswith(b"PK\x06\x07"):
        sign, long_size = _LONG_END.unpack_from(tail, before)
        end, size = (end - at + before, long_size) if sign == b"PK\x06\x06" else (end, size)
    content.seek(max(0, end - size))
    return sum(1 for _ in _iterate_files(content.read(min(size, _MAX_LIST))))


def _iterate_files(entries: bytes) -> Iterator[bytes]:
    at = 0
    while at + _ENTRY.size <= len(entries):
        sign, name_length, extra_length, comment_length = _ENTRY.unpack_from(entries, at)
        if sign != b"PK\x01\x02":
            return
        name = entries[at + _ENTRY.size :][:name_length]
        if not name.endswith((b"/", *_OWN_FILES)) and not name.startswith(_OWN_FILES):
            yield name
        at += _ENTRY.size + name_length + extra_length + comment_length


def _count_attached(content: File[bytes]) -> int:
    content.seek(0)
    return sum(map(_count_in_headers, _iterate_headers(content)))


def _iterate_headers(content: File[bytes]) -> Iterator[bytes]:
    """The lines that begin with `Content-`, and those that go on with them, up to each empty line."""
    headers, goes_on = b"", False
    for line in content:
        if not line.strip():
            yield headers
            headers, goes_on = b"", False
            continue
        goes_on = line[:8].lower() == b"content-" or (goes_on and line[:1] in (b" ", b"\t"))
        if goes_on and len(headers) < _MAX_HEADERS:
            headers += line[:_MAX_HEADERS].lower()
    yield headers


def _count_in_headers(headers: bytes) -> int:
    attached = len(_ATTACHED.findall(headers))
    is_shown = _SHOWN.search(headers) and _PICTURE.search(headers)
    is_file = _NAMED.search(headers) or _FILE.search(headers)
    return attached or int(bool(_MAIL.search(headers) or (is_file and not is_shown)))


def _count_matches(sign: re.Pattern[bytes], content: File[bytes]) -> int:
    """Each once, also one that stands between two pieces of the file."""
    content.seek(0)
    count, kept = 0, b""
    for chunk in content.chunks():
        text = kept + chunk
        count += sum(match.end() > len(kept) for match in sign.finditer(text))
        kept = text[-_LONGEST:]
    return count

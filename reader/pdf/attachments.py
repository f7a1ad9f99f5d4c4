"""Files in a PDF: of its list of them, of paper clips on its pages, and those that it is associated with.

ISO 32000-2, 7.11.4 (embedded files), 12.3.5 (collections), 12.5.6.15 (paper clips), 14.13 (associated files).
"""

import ctypes
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import chain
from typing import BinaryIO

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from reader.bundles.parts import BundlePart, require_size
from reader.failures import OverLimit, Unreadable
from reader.gaps import Gap
from reader.pages import Limits
from reader.pdf.annotations import open_annotation
from reader.pdf.damage import OpenedPdf, open_pdf
from reader.pdf.filters import is_bomb, unpack_file
from reader.pdf.objects import MAX_ANNOTATIONS
from reader.pdf.structure import REFERENCE, PlacedObject, Structure

# A stream stands in no other one, so these are seen without unpacking anything.
SIGN = re.compile(rb"/EmbeddedFile|/FileAttachment|/Params\s*<<\s*/(?:Size|CheckSum|CreationDate|ModDate)")
CATALOG, COLLECTION = re.compile(rb"/Type\s*/Catalog(?![A-Za-z])"), re.compile(rb"/Collection(?![A-Za-z])")
ASSOCIATED = re.compile(rb"/AF\s*(?:\[([^\]]*)\]|([0-9]+\s+[0-9]+\s+R))")
EMBEDDED = re.compile(rb"/EF\s*<<[^>]*?/U?F\s+([0-9]{1,8})\s+[0-9]{1,5}\s+R")
NAME = re.compile(rb"/U?F\s*\(((?:[^()\\]|\\.)*)\)", re.S)
UNNAMED = "attachment"
MAX_NAME = 2000
# In one file, those that come twice included; and of their bytes, in times of what one may have.
MAX_FILES, MAX_TIMES = 1000, 4
# One of so many times what it may have is no longer unpacked by PDFium.
BOMB_TIMES = 2
# Opening a page takes as long as drawing needs to begin; of more, unpacking finds out whether one has a paper clip.
MAX_PAGES_FIRST = 50
TOO_MANY = f"The PDF holds more than {MAX_FILES:,} files; the others were not looked at."
TOO_LARGE = "The files in the PDF are too large together; the others were not looked at."
LOCKED = "Files that this encrypted PDF names were not taken out. Save it without a password, then upload that."
PORTFOLIO = (
    "This PDF is a portfolio: its own page is a cover in front of the files in it. They are documents of their own."
)


@dataclass(frozen=True)
class AttachedFile:
    name: str
    load: Callable[[], bytes]


def look_for_files(file: BinaryIO, password: str | None, limits: Limits) -> tuple[bool, list[Gap]]:
    """Whether it holds files, and what must be said of its own pages then. Of others only the bytes are looked at."""
    file.seek(0)
    if not SIGN.search(file.read()):
        return False, []
    opened = open_pdf(file, password, limits)
    try:
        if len(opened.sizes) <= MAX_PAGES_FIRST and next(list_files(opened, limits.max_bytes), None) is None:
            return False, [Gap("encrypted", LOCKED)] if names_locked_files(opened.structure) else []
        return True, [Gap("cover", PORTFOLIO)] if is_portfolio(opened.structure) else []
    finally:
        opened.document.close()


def names_locked_files(structure: Structure) -> bool:
    """Whether an encrypted PDF is associated with files that PDFium does not list."""
    return structure.is_encrypted and any(ASSOCIATED.search(item.dictionary) for item in structure.objects.values())


def is_portfolio(structure: Structure) -> bool:
    """Its catalog may have the number of one in a file in it, so all of them are looked at."""
    items = chain(structure.objects.values(), structure.list_plain_objects())
    return any(CATALOG.search(item.dictionary) and COLLECTION.search(item.dictionary) for item in items)


def list_parts(file: BinaryIO, limits: Limits, password: str | None) -> Iterator[BundlePart]:
    """Each content once: an invoice's data often stands in two lists."""
    opened = open_pdf(file, password, replace(limits, max_pages=sys.maxsize))
    seen, room = set(), MAX_TIMES * limits.max_bytes
    try:
        for count, attached in enumerate(list_files(opened, limits.max_bytes)):
            if count == MAX_FILES or room < 0:
                yield make_failed(UNNAMED, OverLimit(TOO_LARGE if room < 0 else TOO_MANY))
                return
            part = make_part(attached, limits)
            room -= part.size
            digest = sha256(part.load()).digest() if part.size else attached.name.encode("utf-8", "replace")
            if digest not in seen:
                seen.add(digest)
                yield part
    finally:
        opened.document.close()


def make_part(attached: AttachedFile, limits: Limits) -> BundlePart:
    try:
        data = attached.load()
        require_size(attached.name, len(data), limits)
    except Unreadable as error:
        return make_failed(attached.name, error)
    return BundlePart(attached.name, len(data), lambda: data)


def make_failed(name: str, error: Unreadable) -> BundlePart:
    def fail() -> bytes:
        raise error

    return BundlePart(name, 0, fail)


def list_files(opened: OpenedPdf, room: int) -> Iterator[AttachedFile]:
    """room: bytes that one may have. PDFium unpacks a file whole or not at all, so beside a bomb it is not asked."""
    if holds_bomb(opened.structure, room):
        yield from list_associated(opened.structure, room, is_rebuilt=True)
        return
    document = opened.document
    for index in range(raw.FPDFDoc_GetAttachmentCount(document)):
        yield from wrap(raw.FPDFDoc_GetAttachment(document, index))
    for number in range(1, len(opened.sizes) + 1):
        if number not in opened.missing:
            yield from list_paper_clips(document[number - 1])
    yield from list_associated(opened.structure, room, is_rebuilt=opened.rebuilt is not None)


def list_paper_clips(page: pdfium.PdfPage) -> Iterator[AttachedFile]:
    for index in range(min(raw.FPDFPage_GetAnnotCount(page), MAX_ANNOTATIONS)):
        with open_annotation(page, index) as annotation:
            if raw.FPDFAnnot_GetSubtype(annotation) == raw.FPDF_ANNOT_FILEATTACHMENT:
                yield from wrap(raw.FPDFAnnot_GetFileAttachment(annotation))


def wrap(attachment: raw.FPDF_ATTACHMENT) -> Iterator[AttachedFile]:
    """Nothing of a place in the list where no file stands."""
    if attachment:
        yield AttachedFile(read_name(attachment) or UNNAMED, lambda: load(attachment))


def read_name(attachment: raw.FPDF_ATTACHMENT) -> str:
    length = raw.FPDFAttachment_GetName(attachment, None, 0)
    buffer = ctypes.create_string_buffer(length)
    raw.FPDFAttachment_GetName(attachment, ctypes.cast(buffer, ctypes.POINTER(raw.FPDF_WCHAR)), length)
    return buffer.raw[: 2 * MAX_NAME].decode("utf-16-le", "replace").rstrip("\0")


def load(attachment: raw.FPDF_ATTACHMENT) -> bytes:
    length = ctypes.c_ulong()
    if not raw.FPDFAttachment_GetFile(attachment, None, 0, length):
        raise Unreadable("Its content is not in the file.")
    buffer = ctypes.create_string_buffer(length.value)
    if not raw.FPDFAttachment_GetFile(attachment, buffer, length.value, length):
        raise Unreadable("Its content cannot be unpacked.")
    return buffer.raw[: length.value]


def list_associated(structure: Structure, room: int, *, is_rebuilt: bool) -> Iterator[AttachedFile]:
    """PDFium lists none of them. A file that was put together again has lost all its lists, so each counts there."""
    if structure.is_encrypted:
        return
    if is_rebuilt:
        numbers = list(structure.objects)
    else:
        fields = (match for item in structure.objects.values() for match in ASSOCIATED.finditer(item.dictionary))
        numbers = [number for match in fields for number in list_references(structure, match[1], match[2])]
    for spec, stream in list_embedded(structure, numbers):
        yield make_associated(structure, spec, stream, room)


def list_embedded(structure: Structure, numbers: list[int]) -> Iterator[tuple[PlacedObject, PlacedObject]]:
    """The objects among them that describe a file in the PDF, and those that hold it."""
    for number in dict.fromkeys(numbers):
        spec = structure.objects.get(number)
        embedded = EMBEDDED.search(spec.dictionary) if spec else None
        stream = structure.objects.get(int(embedded[1])) if embedded else None
        if spec and stream:
            yield spec, stream


def holds_bomb(structure: Structure, room: int) -> bool:
    """One of the files becomes so large that PDFium would end with it. Nothing is known of encrypted ones."""
    if structure.is_encrypted:
        return False
    streams = {stream.number: stream for _, stream in list_embedded(structure, list(structure.objects))}
    return any(is_bomb(structure, stream, BOMB_TIMES * room) for stream in streams.values())


def list_references(structure: Structure, listed: bytes | None, single: bytes | None) -> list[int]:
    """Their numbers; a list may stand in an object of its own."""
    numbers = [int(number) for number in REFERENCE.findall(listed or single or b"")]
    inner = structure.objects.get(numbers[0]) if single and numbers else None
    is_list = inner is not None and inner.dictionary.lstrip().startswith(b"[")
    return [int(number) for number in REFERENCE.findall(inner.dictionary)] if inner and is_list else numbers


def make_associated(structure: Structure, spec: PlacedObject, stream: PlacedObject, room: int) -> AttachedFile:
    match = NAME.search(spec.dictionary)
    name = decode_name(match[1]) if match else ""
    return AttachedFile(name or UNNAMED, lambda: unpack_file(structure, stream, room))


def decode_name(text: bytes) -> str:
    plain = re.sub(rb"\\(.)", rb"\1", text[:MAX_NAME], flags=re.S)
    return (
        plain.decode("utf-16", "replace") if plain.startswith((b"\xfe\xff", b"\xff\xfe")) else plain.decode("latin-1")
    )

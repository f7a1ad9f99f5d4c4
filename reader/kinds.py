"""Kinds of files, told by their content."""

import re
from base64 import b64decode
from collections.abc import Callable
from typing import Literal, get_args

from reader.bare_yaml import is_bare_yaml
from reader.encodings import count_controls, find_wide
from reader.failures import Unreadable

Picture = Literal["png", "jpeg", "tiff", "webp", "gif", "bmp", "heic", "avif", "jp2", "svg"]
Markup = Literal["csv", "json", "yaml", "xml", "html", "rtf", "ics"]
Office = Literal["docx", "pptx", "xlsx", "xls", "ods", "odf"]
# Files that hold others.
Bundle = Literal["eml", "msg", "zip", "tnef", "signed"]
Kind = Literal[Picture, Markup, Office, Bundle, "pdf", "txt", "ole"]
BUNDLES: frozenset[Kind] = frozenset(get_args(Bundle))

# Text of up to 4 kB may stand before a PDF.
HEAD_BYTES = 4096 + 8
TEXT_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
SVG_ROOT = re.compile(rb"<svg[\s>]")
FLAT_ROOT, FLAT_SHEET = re.compile(rb"<office:document[\s>]"), re.compile(rb"office:mimetype=\S+\.spreadsheet")
HTML_ROOT = re.compile(rb"<(!doctype\s+html|html[\s>])", re.I)
# An XML file without a declaration begins with an element that names its namespace, as business documents do.
START_TAG = re.compile(
    rb"""(?:<!--.{0,2000}?-->\s*)?<[A-Za-z_][\w.:-]*(?:\s+[\w.:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*?\s+xmlns""", re.S
)
# Behind the mark of a box file stands who may read it; of several brands the first one decides.
HEIF_BRANDS = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1")

# Kinds of signed and encrypted data (RFC 5652, 3083, 5083), as they stand in the file.
# 1.2.840.113549.1.7.2 and 3, 1.2.840.113549.1.9.16.1.9 and 23.
ARMOUR_WORDS = (b"PKCS7-----", b"PKCS", b"CMS-----", b"SIGNED", b"DATA-----")
SIGNED, ENVELOPED = bytes.fromhex("2a864886f70d010702"), bytes.fromhex("2a864886f70d010703")
COMPRESSED, AUTHENTICATED = bytes.fromhex("2a864886f70d0109100109"), bytes.fromhex("2a864886f70d0109100117")


def is_armoured_cms(head: bytes) -> bool:
    """In letters, with a line in front that names it or without."""
    lines = head.split()
    letters = b"".join(line for line in lines if b"-" not in line and line not in ARMOUR_WORDS)[:44]
    try:
        return is_cms(b64decode(letters, validate=True))
    except ValueError:
        return False


def is_cms(head: bytes) -> bool:
    names = (SIGNED, ENVELOPED, COMPRESSED, AUTHENTICATED)
    return head[:1] == b"\x30" and any(bytes([6, len(name)]) + name in head[:32] for name in names)


# `zip` and `ole` hold several kinds, which only the whole file tells apart.
MAGIC: list[tuple[Kind, Callable[[bytes], bool]]] = [
    ("png", lambda head: head.startswith(b"\x89PNG\r\n\x1a\n")),
    ("jpeg", lambda head: head.startswith(b"\xff\xd8\xff")),
    ("tiff", lambda head: head[:4] in (b"II*\0", b"MM\0*", b"II+\0", b"MM\0+")),
    ("webp", lambda head: head[:4] == b"RIFF" and head[8:12] == b"WEBP"),
    ("gif", lambda head: head[:6] in (b"GIF87a", b"GIF89a")),
    ("bmp", lambda head: head[:2] == b"BM" and head[6:10] == b"\0\0\0\0"),
    ("heic", lambda head: head[4:8] == b"ftyp" and head[8:12] in HEIF_BRANDS),
    ("avif", lambda head: head[4:12] in (b"ftypavif", b"ftypavis")),
    ("jp2", lambda head: head.startswith((b"\0\0\0\x0cjP  \r\n\x87\n", b"\xff\x4f\xff\x51"))),
    ("zip", lambda head: head.startswith((b"PK\x03\x04", b"PK\x05\x06"))),
    ("ole", lambda head: head.startswith(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")),
    ("rtf", lambda head: head.startswith(b"{\\rtf")),
    ("tnef", lambda head: head.startswith(b"\x78\x9f\x3e\x22")),
    ("signed", is_cms),
    ("signed", lambda head: head[:1] in b"M-" and is_armoured_cms(head)),
]

NOT_YET: list[tuple[str, Callable[[bytes], bool]]] = [
    ("PostScript files", lambda head: head.startswith(b"%!PS")),
    ("Films and sounds", lambda head: head[4:8] == b"ftyp"),
    (
        "Compressed archives",
        lambda head: head.startswith((b"\x1f\x8b", b"7z\xbc\xaf", b"Rar!", b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd")),
    ),
]

# The first sign tells the kind; whether it is that to its end shows when it is read.
MARKUP: list[tuple[Kind, Callable[[bytes], bool]]] = [
    ("html", lambda start: HTML_ROOT.search(start[:1024]) is not None and start.startswith(b"<")),
    ("svg", lambda start: start.startswith(b"<") and SVG_ROOT.search(start) is not None),
    # OpenDocument without an archive around it.
    ("ods", lambda start: FLAT_ROOT.search(start) is not None and FLAT_SHEET.search(start) is not None),
    ("odf", lambda start: FLAT_ROOT.search(start) is not None),
    ("xml", lambda start: start.startswith(b"<?xml") or START_TAG.match(start) is not None),
    ("json", lambda start: start.startswith((b"{", b"["))),
    ("ics", lambda start: start[:15].upper() == b"BEGIN:VCALENDAR"),
    ("yaml", lambda start: start.startswith((b"---\n", b"---\r\n", b"%YAML")) or is_bare_yaml(start)),
]


def detect_kind(head: bytes) -> Kind:
    """head: the first HEAD_BYTES of the file. Raises Unreadable for what is not read."""
    if not head:
        raise Unreadable("The file is empty.")
    for kind, matches in MAGIC:
        if matches(head):
            return kind
    if looks_like_mail(head):
        return "eml"
    # Junk may stand before a PDF (ISO 32000-1, annex H). Archives and mails may hold one near their start.
    if b"%PDF-" in head:
        return "pdf"
    for name, matches in NOT_YET:
        if matches(head):
            raise Unreadable(f"{name} are not read yet.")
    if is_binary(head):
        raise Unreadable("The file is of a kind that is not read: neither PDF, nor picture, nor text.")
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    return next((kind for kind, matches in MARKUP if matches(start)), "txt")


def looks_like_mail(head: bytes) -> bool:
    """Two or more of the headers that every mail carries, before the first empty line."""
    block = head.replace(b"\r\n", b"\n").split(b"\n\n", 1)[0]
    names = {line.split(b":", 1)[0].lower() for line in block.split(b"\n") if b":" in line}
    return len(names & {b"from", b"received", b"message-id", b"mime-version", b"return-path"}) >= 2


def is_binary(head: bytes) -> bool:
    if head.startswith(TEXT_MARKS):
        return False
    controls = count_controls(head)
    return controls > 0 and not find_wide(head) and (0 in head or controls > len(head) * 0.02)

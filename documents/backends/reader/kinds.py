"""Which kind of file this is, by its content."""

from collections.abc import Callable
from typing import Literal

from documents.backends.reader.failures import Unreadable

Kind = Literal["pdf", "png", "jpeg", "tiff", "webp", "gif", "bmp", "txt"]

HEAD_BYTES = 4096
TEXT_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")

MAGIC: list[tuple[Kind, Callable[[bytes], bool]]] = [
    ("pdf", lambda head: b"%PDF-" in head[:1024]),
    ("png", lambda head: head.startswith(b"\x89PNG\r\n\x1a\n")),
    ("jpeg", lambda head: head.startswith(b"\xff\xd8\xff")),
    ("tiff", lambda head: head[:4] in (b"II*\0", b"MM\0*", b"II+\0", b"MM\0+")),
    ("webp", lambda head: head[:4] == b"RIFF" and head[8:12] == b"WEBP"),
    ("gif", lambda head: head[:6] in (b"GIF87a", b"GIF89a")),
    ("bmp", lambda head: head[:2] == b"BM" and head[6:10] == b"\0\0\0\0"),
]

NOT_YET: list[tuple[str, Callable[[bytes], bool]]] = [
    ("Office files and other ZIP archives", lambda head: head.startswith((b"PK\x03\x04", b"PK\x05\x06"))),
    ("Old Office files (DOC, XLS, PPT)", lambda head: head.startswith(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")),
    ("RTF files", lambda head: head.startswith(b"{\\rtf")),
    ("PostScript files", lambda head: head.startswith(b"%!PS")),
    ("HEIC and AVIF pictures", lambda head: head[4:8] == b"ftyp"),
    (
        "HTML pages",
        lambda head: head.lstrip(b"\xef\xbb\xbf \t\r\n")[:14].lower().startswith((b"<!doctype html", b"<html")),
    ),
    ("E-mails", lambda head: looks_like_mail(head)),
    (
        "Compressed archives",
        lambda head: head.startswith((b"\x1f\x8b", b"7z\xbc\xaf", b"Rar!", b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd")),
    ),
]


def detect_kind(head: bytes) -> Kind:
    """head: the first HEAD_BYTES of the file. Raises Unreadable for what is not read."""
    if not head:
        raise Unreadable("The file is empty.")
    for kind, matches in MAGIC:
        if matches(head):
            return kind
    for name, matches in NOT_YET:
        if matches(head):
            raise Unreadable(f"{name} are not read yet.")
    if is_binary(head):
        raise Unreadable("The file is of a kind that is not read: neither PDF, nor picture, nor text.")
    return "txt"


def looks_like_mail(head: bytes) -> bool:
    """Two or more of the headers that every mail carries, before the first empty line."""
    block = head.replace(b"\r\n", b"\n").split(b"\n\n", 1)[0]
    names = {line.split(b":", 1)[0].lower() for line in block.split(b"\n") if b":" in line}
    return len(names & {b"from", b"received", b"message-id", b"mime-version", b"return-path"}) >= 2


def is_binary(head: bytes) -> bool:
    if head.startswith(TEXT_MARKS):
        return False
    controls = sum(byte < 32 and byte not in b"\t\n\v\f\r\x1b" for byte in head)
    return 0 in head or controls > len(head) * 0.02

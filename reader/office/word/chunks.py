"""Files that a DOCX takes in as they are (w:altChunk): pages of HTML, RTF, plain text, other DOCX files."""

import io
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from email import message_from_bytes, policy
from importlib import import_module

from reader.encodings import decode_text
from reader.failures import OverLimit, Unreadable
from reader.gaps import Gap
from reader.kinds import HEAD_BYTES, Kind, detect_kind
from reader.layout.blocks import Block, Paragraph
from reader.pages import Limits

# Their libraries are loaded with the first file that needs them.
READERS: dict[Kind, str] = {"html": "reader.markup.html", "rtf": "reader.markup.rtf", "zip": "reader.office.docx"}
MAX_NESTED, MAX_FILES = 3, 200
REASON = "A part of another kind, {}, is not read. Open it in Word, save it, then upload that."


@dataclass(frozen=True)
class Nesting:
    """`depth`: how many files a DOCX stands in. `left`: a number for each that the outermost may still take in."""

    depth: int = 0
    left: Iterator[int] = field(default_factory=lambda: iter(range(MAX_FILES)))

    def enter(self) -> "Nesting | None":
        is_allowed = self.depth < MAX_NESTED and next(self.left, None) is not None
        return replace(self, depth=self.depth + 1) if is_allowed else None


def find_page(data: bytes) -> bytes:
    """The page of an MHTML file, which is a mail of a page and its pictures; any other file as it is."""
    if b"mime-version:" not in data[:HEAD_BYTES].lower():
        return data
    message = message_from_bytes(data, policy=policy.default)
    pages = (part for part in message.walk() if part.get_content_type() == "text/html")
    payload = next((part.get_payload(decode=True) for part in pages), None)
    return payload if isinstance(payload, bytes) else data


def read_chunk(data: bytes, name: str, limits: Limits, nesting: Nesting) -> Iterator[Block | Gap]:
    own_name = name.rpartition("/")[2] or "which lies elsewhere"
    gap = Gap("embedded", REASON.format(own_name[:80]), None, name.rpartition("/")[2])
    try:
        data = find_page(data)
        kind = detect_kind(data[:HEAD_BYTES])
        if kind in ("txt", "xml") and data.lstrip().startswith(b"<") and not data.lstrip().startswith(b"<?xml"):
            # A piece of a page, without its beginning.
            kind = "html"
        if kind == "txt":
            decoded = decode_text(data)
            yield from decoded.list_gaps()
            yield from (Paragraph(line.strip()) for line in decoded.text.splitlines() if line.strip())
        elif kind == "zip" and (inner := nesting.enter()):
            yield from import_module(READERS[kind]).list_blocks(io.BytesIO(data), limits, inner)
        elif kind in ("html", "rtf"):
            yield from import_module(READERS[kind]).read_blocks(io.BytesIO(data), limits)
        else:
            yield gap
    except OverLimit:
        raise
    except Unreadable:
        yield gap

"""Files that a DOCX takes in as they are (w:altChunk): pages of HTML, RTF, plain text, other DOCX files."""

import io
from collections.abc import Iterator
from importlib import import_module

from reader.failures import OverLimit, Unreadable
from reader.gaps import Gap
from reader.kinds import HEAD_BYTES, Kind, detect_kind
from reader.layout.blocks import Block, Paragraph
from reader.pages import Limits
from reader.texts import decode

# Their libraries are loaded with the first file that needs them.
READERS: dict[Kind, str] = {"html": "reader.markup.html", "rtf": "reader.markup.rtf", "zip": "reader.office.docx"}
MAX_NESTED = 3
REASON = "A part of another kind, {}, stands in the file and is not read. Open it in Word, save it, then upload that."


def read_chunk(data: bytes, name: str, limits: Limits, nested: int) -> Iterator[Block | Gap]:
    """nested: how many files it stands in."""
    gap = Gap("embedded", REASON.format(name.rpartition("/")[2][:80]), None, name.rpartition("/")[2])
    try:
        kind = detect_kind(data[:HEAD_BYTES])
        if kind == "txt":
            yield from (Paragraph(line.strip()) for line in decode(data).splitlines() if line.strip())
        elif kind == "zip" and nested < MAX_NESTED:
            yield from import_module(READERS[kind]).list_blocks(io.BytesIO(data), limits, nested + 1)
        elif kind in ("html", "rtf"):
            yield from import_module(READERS[kind]).read_blocks(io.BytesIO(data), limits)
        else:
            yield gap
    except OverLimit:
        raise
    except Unreadable:
        yield gap

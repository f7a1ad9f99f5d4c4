"""The text of a file, line by line, where its structure is broken or means more than it should."""

from collections.abc import Iterator
from typing import BinaryIO

from reader.encodings import DecodedText, decode_text
from reader.failures import OverLimit
from reader.layout.blocks import PlainLine
from reader.pages import Limits

# Text with a structure takes ten times its size in memory. The pages of a document hold less.
MAX_BYTES = 12_000_000


def read_bytes(file: BinaryIO) -> bytes:
    data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise OverLimit(f"The file has more than {MAX_BYTES // 1_000_000} MB of text.")
    return data


def read_text(file: BinaryIO, limits: Limits) -> DecodedText:
    return decode_text(read_bytes(file), chosen=limits.encoding)


def list_lines(text: str) -> Iterator[PlainLine]:
    return (PlainLine(line) for line in text.splitlines())

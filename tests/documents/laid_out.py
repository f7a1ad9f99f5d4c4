"""Files laid out in this process: what the reader of their kind makes of them, without the reader around it."""

import tempfile

from documents.reading.tables.marked_lines import mark_lines
from documents.reading.tables.page_blocks import find_blocks
from reader.layout.source import LaidOutSource
from reader.opening import open_source
from reader.pages import Limits
from reader.words import Word


def lay_out(data: bytes, max_pages: int = 50) -> LaidOutSource:
    """Raises Unreadable."""
    with tempfile.TemporaryFile() as file:
        file.write(data)
        file.seek(0)
        _, source = open_source(file, None, Limits(10_000_000, max_pages, 1_000_000))
    assert isinstance(source, LaidOutSource)
    return source


def list_words(data: bytes) -> list[Word]:
    """Of all its pages."""
    source = lay_out(data)
    return [word for number in range(1, len(source.sizes) + 1) for word in source.read(number, "auto").words]


def list_rows(data: bytes) -> list[str]:
    """What a model reads: the rows of all pages, with a bar between cells."""
    source = lay_out(data)
    blocks = [
        block for at in range(1, len(source.sizes) + 1) for block in find_blocks(1, source.read(at, "auto").words)
    ]
    return [line.partition("] ")[2] for line in mark_lines(1, blocks)]


def list_addresses(data: bytes) -> dict[str, str]:
    """Words with where they stand in the file."""
    return {word.text: word.address for word in list_words(data)}

"""Lines and tables of the pages of a reading."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from documents.models import Page, Reading
from documents.reading import pages
from documents.reading.tables.carried_heads import (
    continue_table,
    find_last_table,
    has_open_table,
    is_open_throughout,
)
from documents.reading.tables.page_blocks import find_blocks
from documents.reading.tables.structure import Block, Table

# How far back the head of a table is looked for that goes on over pages.
MAX_PAGES_BACK, PAGES_AT_ONCE = 40, 4


def find_tables(reading: Reading) -> list[Table]:
    return [block for _, blocks in iterate_pages(reading) for block in blocks if isinstance(block, Table)]


def iterate_pages(reading: Reading) -> Iterator[tuple[int, list[Block]]]:
    """(page number, its lines of text and its tables, in reading order). Hidden words are left out."""
    for page, blocks in iterate_blocks(reading, reading.pages.order_by("number").iterator()):
        yield page.number, blocks


def iterate_blocks(reading: Reading, some_pages: Iterable[Page]) -> Iterator[tuple[Page, list[Block]]]:
    """Of some pages in order; tables that go on from earlier pages have their heads from there."""
    before: int = 0
    last: Table | None = None
    for page in some_pages:
        blocks = find_blocks_of(page)
        if before != page.number - 1:
            last = find_earlier_table(reading, page.number) if has_open_table(blocks) else None
        blocks = continue_table(blocks, last)
        before, last = page.number, find_last_table(blocks)
        yield page, blocks


def find_earlier_table(reading: Reading, number: int) -> Table | None:
    """The one that the page before ends with. Pages are read back to where it begins."""
    earlier = reading.pages.filter(number__lt=number, number__gte=number - MAX_PAGES_BACK).order_by("-number")
    pages: list[list[Block]] = []
    for page in earlier.only("reading", "number", "words").iterator(chunk_size=PAGES_AT_ONCE):
        pages.append(find_blocks_of(page))
        if not is_open_throughout(pages[-1]):
            break
    last: Table | None = None
    for blocks in reversed(pages):
        last = find_last_table(continue_table(blocks, last))
    return last


def find_blocks_of(page: Page) -> list[Block]:
    return find_blocks(page.number, [word for word in pages.unpack_words(page) if not word.hidden])

"""Lines and tables of the pages of a reading."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from documents.models import Page, Reading
from documents.reading import pages
from documents.reading.tables.carried_heads import continue_table, find_last_table, has_open_table
from documents.reading.tables.page_blocks import find_blocks
from documents.reading.tables.structure import Block, Table

# How far back the head of a table is looked for that goes on over pages.
MAX_PAGES_BACK = 40


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
    """The one that the page before ends with."""
    last: Table | None = None
    earlier = reading.pages.filter(number__lt=number, number__gte=number - MAX_PAGES_BACK).order_by("number")
    for page in earlier.only("reading", "number", "words").iterator():
        last = find_last_table(continue_table(find_blocks_of(page), last))
    return last


def find_blocks_of(page: Page) -> list[Block]:
    return find_blocks(page.number, [word for word in pages.unpack_words(page) if not word.hidden])

"""Tables that go on over pages, read from the middle."""

from __future__ import annotations

import pytest

from accounts.models import Organization
from documents.models import Page, Reading
from documents.reading.page_text import mark_pages
from documents.reading.tables.reading_tables import find_earlier_table
from tests.documents.reading_rows import document_with

HEAD = "SKU|Description|Amount"


@pytest.fixture
def reading(organization: Organization) -> Reading:
    """Of eight pages; the columns are named on the first and the fourth."""
    rows = [[f"P-{page}{at}|Pipe|{at}.50" for at in range(8)] for page in range(8)]
    return document_with(
        organization, *([HEAD, *rows[at]] if at in (0, 3) else rows[at] for at in range(8))
    ).readings.get()


@pytest.mark.parametrize(("number", "page"), [(2, 1), (3, 1), (5, 4), (8, 4)])
def test_a_page_begins_with_the_names_of_its_columns(reading: Reading, number: int, page: int) -> None:
    assert (
        f'<page number="{number}">\n[{page}.1] SKU | Description | Amount' in mark_pages(reading, pages=[number]).text
    )


def test_no_more_pages_are_read_than_to_where_the_table_begins(reading: Reading) -> None:
    Page.objects.filter(reading=reading, number__lt=4).update(words=b"\1nonsense")
    last = find_earlier_table(reading, 7)
    assert last and (last.page, last.carried_page) == (6, 4)
    with pytest.raises(ValueError, match="damaged"):
        find_earlier_table(reading, 3)

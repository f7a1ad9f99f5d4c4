"""What stands close to a column, or above it, without being of it."""

from __future__ import annotations

from documents.reading.tables.marked_lines import mark_lines
from documents.reading.tables.page_blocks import find_blocks
from reader.order.lines import number_lines
from tests.documents.words_builder import page

CLOSE = """
Pos    Description              Qty     Amount
1      Hydraulic pump, HP-40 S  2       980.00
2      Gasket set                       44.50
3      Installation by two      1       260.00
       fitters
"""
LIST = """
•      First point of the list
•      Second point
Pos    Description              Qty     Amount
1      Gasket set               2       44.50
"""


def list_rows(text: str) -> list[str]:
    return mark_lines(1, find_blocks(1, number_lines(page(text))))


def test_what_begins_right_at_a_column_is_not_the_end_of_the_text_before_it() -> None:
    assert list_rows(CLOSE) == [
        "[1.1] Pos | Description | Qty | Amount",
        "[1.2] 1 | Hydraulic pump, HP-40 S | 2 | 980.00",
        "[1.3] 2 | Gasket set |  | 44.50",
        "[1.4] 3 | Installation by two fitters | 1 | 260.00",
    ]


def test_bullets_above_a_table_are_no_names_of_its_columns() -> None:
    assert list_rows(LIST) == [
        "[1.1] • First point of the list",
        "[1.2] • Second point",
        "[1.3] Pos | Description | Qty | Amount",
        "[1.4] 1 | Gasket set | 2 | 44.50",
    ]

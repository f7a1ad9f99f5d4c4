"""Tables of a page as models get them: aligned rows, empty cells kept, long cells in one row."""

from __future__ import annotations

import random
import time

import pytest

from documents.reading.tables.marked_lines import mark_lines
from documents.reading.tables.page_blocks import MAX_PLACES, find_blocks
from documents.reading.tables.spans import place_rows
from documents.reading.tables.structure import Table
from reader.order.lines import number_lines
from reader.words import CellPlace, Word, number_rows, pack, parse_cell_place, unpack
from tests.documents.words_builder import page

GOODS = """
Invoice no. 7

No. Description                       Qty     Price    Amount
1    Paper A4 white, wood free and    3       2.50     7.50
     acid free
2    Pens                                     1.00     10.00
3    Binder with a long text that     10      2.00     20.00
     goes on and on until the end
     of the third line
                              Subtotal                 37.50
Thank you for your order
"""
YEARS = """
                 2025                 2026
Item         Qty     Amount       Qty    Amount
Paper          3       7.50               8.50
Pens          10      10.00       12     12.00
"""
REGIONS = """
Region           Last year             This year
             Qty     Amount       Qty    Amount
North          3       7.50               8.50
South         10      10.00       12     12.00
"""
NAMES_IN_TWO_LINES = """
Description             Unit      Line
                        price     total
Paper A4 white          2.50      7.50
80 g, 500 sheets
Pens                              1.00
"""
SECTIONS = """
Item                 Debit     Credit
Rent                 500.00
Sale                           700.00
Services
Cleaning             50.00
"""
DATA_ABOVE = """
Ostrava Tools s.r.o.                                INVOICE
Bill to:                    Invoice no.             INV-2025-498
Delmar Logistics            Invoice date            2026-04-04
SKU      Description        Qty     Unit price      Amount
X4514    Printed leaflet    15      25.19           377.85
B6390    Packing tape       10      234.05          2,340.50
"""
NUMBER_ABOVE = """
Invoice no.     INV-7
Item            Qty           Amount
Paper           3             7.50
Pens            10            1.00
"""
TWO_TEXTS = """
Item       Colour and size of it       Note               Price
Chair      brown, made of oak, and     for members of     25.00
           as high as a table          the club only
Table                                  for all            40.00
"""
BESIDE = """
Item           Qty      Amount
Paper white          3              7.50
Pens blue           10             10.00
"""
PARTS = """
Item                 Debit     Credit
Services
Cleaning             50.00
Rent                 500.00    1.00
"""
CAPITALS = """
No.   Item               Price
1     Kestrel            25.00
      Binder
2     Pens               40.00
"""
FORM = """
Name:           John Smith
street:         12 Harbour Road
town:           Dover
"""


def list_rows(text: str) -> list[str]:
    return mark_lines(1, find_blocks(1, number_lines(page(text))))


def find_table(text: str) -> Table:
    return next(block for block in find_blocks(1, number_lines(page(text))) if isinstance(block, Table))


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        (
            GOODS,
            [
                "[1.1] Invoice no. 7",
                "[1.2] No. | Description | Qty | Price | Amount",
                "[1.3] 1 | Paper A4 white, wood free and acid free | 3 | 2.50 | 7.50",
                "[1.5] 2 | Pens |  | 1.00 | 10.00",
                "[1.6] 3 | Binder with a long text that goes on and on until the end of the third line"
                " | 10 | 2.00 | 20.00",
                "[1.9]  | Subtotal |  |  | 37.50",
                "[1.10] Thank you for your order",
            ],
        ),
        (
            YEARS,
            [
                "[1.1]  | 2025 | 2025 | 2026 | 2026",
                "[1.2] Item | Qty | Amount | Qty | Amount",
                "[1.3] Paper | 3 | 7.50 |  | 8.50",
                "[1.4] Pens | 10 | 10.00 | 12 | 12.00",
            ],
        ),
        (
            NAMES_IN_TWO_LINES,
            [
                "[1.1] Description | Unit price | Line total",
                "[1.3] Paper A4 white 80 g, 500 sheets | 2.50 | 7.50",
                "[1.5] Pens |  | 1.00",
            ],
        ),
        (
            SECTIONS,
            [
                "[1.1] Item | Debit | Credit",
                "[1.2] Rent | 500.00 | ",
                "[1.3] Sale |  | 700.00",
                "[1.4] Services |  | ",
                "[1.5] Cleaning | 50.00 | ",
            ],
        ),
        (
            DATA_ABOVE,
            [
                "[1.1] Ostrava Tools s.r.o. |  | INVOICE",
                "[1.2] Bill to: | Invoice no. | INV-2025-498",
                "[1.3] Delmar Logistics | Invoice date | 2026-04-04",
                "[1.4] SKU | Description | Qty | Unit price | Amount",
                "[1.5] X4514 | Printed leaflet | 15 | 25.19 | 377.85",
                "[1.6] B6390 | Packing tape | 10 | 234.05 | 2,340.50",
            ],
        ),
        (
            NUMBER_ABOVE,
            [
                "[1.1] Invoice no. | INV-7 | ",
                "[1.2] Item | Qty | Amount",
                "[1.3] Paper | 3 | 7.50",
                "[1.4] Pens | 10 | 1.00",
            ],
        ),
        (
            TWO_TEXTS,
            [
                "[1.1] Item | Colour and size of it | Note | Price",
                "[1.2] Chair | brown, made of oak, and as high as a table | for members of the club only | 25.00",
                "[1.4] Table |  | for all | 40.00",
            ],
        ),
        (
            BESIDE,
            ["[1.1] Item | Qty | Amount", "[1.2] Paper white | 3 | 7.50", "[1.3] Pens blue | 10 | 10.00"],
        ),
        (
            PARTS,
            [
                "[1.1] Item | Debit | Credit",
                "[1.2] Services |  | ",
                "[1.3] Cleaning | 50.00 | ",
                "[1.4] Rent | 500.00 | 1.00",
            ],
        ),
        (CAPITALS, ["[1.1] No. | Item | Price", "[1.2] 1 | Kestrel Binder | 25.00", "[1.4] 2 | Pens | 40.00"]),
        (FORM, ["[1.1] Name: | John Smith", "[1.2] street: | 12 Harbour Road", "[1.3] town: | Dover"]),
    ],
    ids=[
        "goods",
        "years",
        "names in two lines",
        "sections",
        "data above",
        "a number above",
        "two texts",
        "names beside",
        "parts",
        "capitals",
        "form",
    ],
)
def test_a_table_is_aligned_rows(text: str, rows: list[str]) -> None:
    assert list_rows(text) == rows


def test_a_head_of_two_levels_has_spans() -> None:
    table = find_table(REGIONS)

    heads = [[(c.text, c.column, c.row_span, c.col_span) for c in row.cells] for row in table.head_rows]
    assert heads == [
        [("Region", 0, 2, 1), ("Last year", 1, 1, 2), ("This year", 3, 1, 2)],
        [("Qty", 1, 1, 1), ("Amount", 2, 1, 1), ("Qty", 3, 1, 1), ("Amount", 4, 1, 1)],
    ]
    placed = [[(cell.text, cell.column) for cell in row] for row in place_rows(table.head_rows, table.width)]
    assert placed == [
        [("Region", 0), ("Last year", 1), ("This year", 3)],
        [("Qty", 1), ("Amount", 2), ("Qty", 3), ("Amount", 4)],
    ]


def test_rows_far_apart_are_no_table() -> None:
    words = [Word(text, x, y, x + 0.05, y + 0.01) for y in (0.1, 0.4, 0.7) for x, text in ((0.1, "one"), (0.6, "two"))]

    assert mark_lines(1, find_blocks(1, number_rows(words)))[0] == "[1.1] one | two"
    assert not any(isinstance(block, Table) for block in find_blocks(1, number_rows(words)))


def put_in(cell: CellPlace, text: str, y: float) -> Word:
    return Word(text, 0.1 * cell.column, y, 0.1 * cell.column + 0.05, y + 0.01, cell=str(cell))


def test_a_file_says_which_cells_its_tables_have() -> None:
    head = [put_in(CellPlace(1, 1, 1, 1, 2, True), "Both", 0.1), put_in(CellPlace(1, 1, 3, 1, 1, True), "Sum", 0.1)]
    body = [put_in(CellPlace(1, 2, 1), "one", 0.2), put_in(CellPlace(1, 2, 1), "more", 0.22)]
    words = number_rows([*head, *body, put_in(CellPlace(1, 2, 3), "7", 0.22), Word("after", 0.1, 0.5, 0.2, 0.51)])

    assert mark_lines(1, find_blocks(1, unpack(pack(words)))) == [
        "[1.1] Both | Both | Sum",
        "[1.2] one more |  | 7",
        "[1.4] after",
    ]


@pytest.mark.parametrize("cell", [CellPlace(1, 2, 3), CellPlace(1, 2, 3, 4, 5), CellPlace(1, 2, 3, is_head=True)])
def test_the_place_of_a_cell_is_read_as_it_was_written(cell: CellPlace) -> None:
    assert parse_cell_place(str(cell)) == cell


def test_a_table_with_too_many_places_is_its_lines() -> None:
    far = [put_in(CellPlace(1, 1, 399), "wide", 0.1)]
    rows = [put_in(CellPlace(1, 2 + at, 1), "7", 0.2 + at / 1000) for at in range(MAX_PLACES // 399 + 1)]

    assert not any(isinstance(block, Table) for block in find_blocks(1, number_rows([*far, *rows])))


def make_words(kind: str) -> list[Word]:
    chance = random.Random(1)
    places = {
        "grid": lambda at: ((at % 20) / 20, (at // 20) / 1000, 0.01, 0.0008),
        "columns": lambda at: ((at % 1_000) / 1_000, (at // 1_000) / 10, 0.0003, 0.005),
        "random": lambda at: (chance.random(), chance.random(), 0.01, 0.0005),
        "one place": lambda at: (0.5, 0.5, 0.1, 0.1),
        "no size": lambda at: (0.5, chance.random(), 0.0, 0.0),
        "negative": lambda at: (0.5, chance.random(), -1.0, -0.1),
    }
    boxes = map(places[kind], range(3_000))
    return [Word("7" if at % 3 else "word", x, y, x + w, y + h) for at, (x, y, w, h) in enumerate(boxes)]


@pytest.mark.parametrize("kind", ["grid", "columns", "random", "one place", "no size", "negative"])
def test_it_loses_no_word_of_a_strange_page_and_ends(kind: str) -> None:
    words = number_rows(make_words(kind))

    began = time.process_time()
    text = " ".join(mark_lines(1, find_blocks(1, words)))
    assert time.process_time() - began < 2
    assert text.count("word") == 1_000

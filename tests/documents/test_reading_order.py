"""In which order lines are read: column by column where there are columns, row by row where there are rows."""

from __future__ import annotations

import io
import random
import time

import pytest

from reader.order.lines import number_lines, tilt
from reader.pages import Limits
from reader.pdf.source import PdfSource
from reader.words import Word, join_text, number_rows
from tests.documents.reader_files import pdf, text_at
from tests.documents.words_builder import page

NEWS = """
                  The harbour paper of this May
The quay was closed in the   Fishing went well in the   The new school opens in
first week of the month and  months of the year. The    autumn with two hundred
opened again after repairs   boats landed more than in  pupils and ten teachers
to its northern wall. The    the year before, says the  who were found in the
town thanks all who helped.  office, and prices were    region after a search
                             good for sellers.          of some months.
Rates are due in June and
can be paid at the office
until the end of the month
"""
HEAD = """
Kestrel Parts Ltd                       Invoice no.   INV-118
12 Harbour Road                         Date          12 March 2026
Dover CT17 9BU                          Due           26 March 2026
United Kingdom                          Customer      4711

Item              Qty     Price     Amount
Paper A4          3       2.50      7.50
Pens              10      1.00      10.00
"""
FORM = """
Name of the holder:                     John Smith
Street and number 12:                   12 Harbour Road
Town and code:                          20457 Hamburg
"""
LABELS = """
Address line 1                          12 Harbour Road
Address line 2                          Dover
Telephone                               01304 22 33 44
"""
LONG_CELLS = """
Requirement of the buyer        Response of the seller now
The system shall keep all of    Yes, it keeps every file as
the files as they were sent     it was uploaded.
to it, and give them back in
the form that they had.
It reads scans of any age and   Yes, but of some old papers
of all paper, with stamps.      a person has to look at the
                                words that it could not see
                                well enough.
Users can be invited by mail    Yes, by links which end two
and removed again by those      weeks later.
who invited them before.
Copies are made while all of    A command makes them while it
it goes on.                     runs, and a second one says
                                whether they can be used.
"""
NAMES = """
Holder of the account                   John Smith
Street and number                       12 Harbour Road
Town and code                           20457 Hamburg
"""
FIGURES = """
No.  Description                        Note on the goods
1    Paper A4 white, wood free and      sold by the box, and only to
     acid free                          members of the club
2    Pens                               sold by the piece
3    Binder with a long text that       sold by the box
"""
SUMS = """
Goods and services, as listed in 12             17.50
Value added tax of the country                   3.33
All that is to be paid                          20.83
"""


def read_text(words: list[Word]) -> list[str]:
    return join_text(number_lines(words)).split("\n")


def test_it_reads_three_columns_one_after_the_other_below_their_heading() -> None:
    lines = read_text(page(NEWS))

    assert lines[0] == "The harbour paper of this May"
    firsts = [lines.index(first) for first in ("The quay was closed in the", "Fishing went well in the")]
    assert firsts == [1, 9]
    assert lines[8:10] == ["until the end of the month", "Fishing went well in the"]
    assert lines[-1] == "of some months."


def test_it_reads_the_sender_before_what_names_the_invoice_and_a_table_by_rows() -> None:
    assert read_text(page(HEAD)) == [
        *("Kestrel Parts Ltd", "12 Harbour Road", "Dover CT17 9BU", "United Kingdom"),
        *("Invoice no. INV-118", "Date 12 March 2026", "Due 26 March 2026", "Customer 4711"),
        *("Item Qty Price Amount", "Paper A4 3 2.50 7.50", "Pens 10 1.00 10.00"),
    ]


@pytest.mark.parametrize("text", [FORM, LABELS, NAMES, LONG_CELLS, FIGURES, SUMS], ids=range(6))
def test_it_keeps_rows_whose_cells_stand_level(text: str) -> None:
    assert read_text(page(text)) == join_text(number_rows(page(text))).split("\n")


def test_it_reads_columns_whose_lines_do_not_stand_level() -> None:
    left = [Word(text, 0.1, y, 0.3, y + 0.012) for text, y in zip("abcdef", steps(0.1), strict=True)]
    right = [Word(text, 0.5, y, 0.7, y + 0.012) for text, y in zip("uvwxyz", steps(0.106), strict=True)]
    words = [word._replace(text=5 * word.text) for word in left + right]

    assert "".join(line[0] for line in read_text(words)) == "abcdefuvwxyz"


def test_it_reads_a_footer_last_that_stands_below_one_column() -> None:
    footer = Word("Footer", 0.0, 0.5, 0.06, 0.51)

    assert read_text([*page(NEWS), footer])[-1] == "Footer"


def test_it_keeps_the_rows_of_a_table_between_columns() -> None:
    text = (
        NEWS
        + "\nItem in the stock here       3          2.50            7.50\nOther                        10         1.00           10.00\n"
        + NEWS
    )

    lines = read_text(page(text.replace("\n\n", "\n")))

    assert lines.index("Item in the stock here 3 2.50 7.50") + 1 == lines.index("Other 10 1.00 10.00")
    assert lines.index("of some months.") < lines.index("Item in the stock here 3 2.50 7.50")


def test_a_skewed_scan_has_the_same_order_and_its_own_boxes() -> None:
    skewed = tilt(page(HEAD), 0.03)

    lines = number_lines(skewed, 0.03)

    assert [word.text for word in lines] == [word.text for word in number_lines(page(HEAD))]
    boxes = {(round(word.x0, 6), round(word.y0, 6), word.text) for word in lines}
    assert boxes == {(round(word.x0, 6), round(word.y0, 6), word.text) for word in skewed}


def test_a_line_is_one_of_a_column_and_hidden_words_come_last() -> None:
    lines = number_lines(page(HEAD + "\n ignore all that", hidden=frozenset({10})))

    assert max(word.x1 for word in lines if word.line <= 4) < 0.2
    assert [word.text for word in lines[-3:]] == ["ignore", "all", "that"]


def test_it_reads_the_columns_of_a_pdf() -> None:
    rows = HEAD.strip("\n").split("\n")[:4]
    content = "".join(
        text_at(x, 780 - 14 * n, row[cut].strip(), size=9)
        for n, row in enumerate(rows)
        for x, cut in ((50, slice(0, 40)), (330, slice(40, 54)), (420, slice(54, None)))
    )
    source = PdfSource(io.BytesIO(pdf([content], page="/MediaBox [0 0 595 842]")), None, Limits(10**6, 3, 10**7))

    text = join_text(source.read(1, "text-layer").words)

    assert text.startswith("Kestrel Parts Ltd\n12 Harbour Road\nDover CT17 9BU\nUnited Kingdom\nInvoice no. INV-118")


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
    return [Word("word", x, y, x + width, y + height) for x, y, width, height in boxes]


@pytest.mark.parametrize("kind", ["grid", "columns", "random", "one place", "no size", "negative"])
def test_it_loses_no_word_of_a_strange_page_and_ends(kind: str) -> None:
    words = make_words(kind)

    started = time.process_time()
    assert len(number_lines(words)) == len(words)
    assert time.process_time() - started < 2


def steps(first: float) -> list[float]:
    return [first + 0.015 * at for at in range(6)]

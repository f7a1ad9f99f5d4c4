"""What a sheet shows besides its values: formats of old files, merged cells, comments, and numbers at the right."""

import io
import struct
import zipfile

import openpyxl
from openpyxl.comments import Comment

from documents.backends.reader.layout.blocks import Cell, Heading, Table
from documents.backends.reader.layout.typesetter import Typesetter
from documents.backends.reader.office import xlsx
from documents.backends.reader.office.xls_formats import Book
from documents.backends.reader.pages import Limits
from tests.documents.hostile_containers import record
from tests.documents.laid_out import list_addresses, list_rows
from tests.documents.office_files import open_document, pack

LIMITS = Limits(1_000_000, 5, 1_000_000)
BEGIN, END = record(0x0809, struct.pack("<HH", 0x0600, 5)), record(0x000A)


def make_book(*cells: bytes) -> bytes:
    """Looks 0 to 2: General, of its own, and two places."""
    own = "0.0 €".encode("utf-16-le")
    looks = b"".join(record(0x00E0, struct.pack("<HH", 0, number)) for number in (0, 164, 4))
    format_record = record(0x041E, struct.pack("<HHB", 164, 5, 1) + own)
    place = len(BEGIN + format_record + looks + record(0x0085, bytes(8)) + END)
    named = record(0x0085, struct.pack("<IHBB", place, 0, 0, 0))
    return BEGIN + format_record + looks + named + END + BEGIN + b"".join(cells) + END


def make_sheet() -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet["A1"], sheet["A2"], sheet["B2"], sheet["C2"] = "Costs of the first half", "Rent", 1200.5, "net"
    sheet.merge_cells("A1:C1")
    sheet["B2"].comment = Comment("since May", "Ada")
    data = io.BytesIO()
    book.save(data)
    return data.getvalue()


def test_cells_of_an_old_book_know_how_they_look() -> None:
    number = record(0x0203, struct.pack("<HHHd", 3, 1, 1, 7.5))
    several = record(0x00BD, struct.pack("<HHHIHIH", 4, 2, 2, 0, 0, 0, 3))
    chart = BEGIN + END
    after = record(0x027E, struct.pack("<HHHI", 5, 0, 2, 0))
    [formats] = Book(make_book(number, several, chart, after)).list_sheets()
    assert formats == {(3, 1): "0.0 €", (4, 2): "#,##0.00", (4, 3): "General", (5, 0): "#,##0.00"}


def test_a_look_that_there_is_not_is_none() -> None:
    [formats] = Book(make_book(record(0x0203, struct.pack("<HHHd", 0, 0, 900, 1.0)))).list_sheets()
    assert formats == {(0, 0): "General"}


def test_merged_cells_comments_and_numbers_of_a_book() -> None:
    _, heading, table, comment = xlsx.read_blocks(io.BytesIO(make_sheet()), LIMITS)
    assert isinstance(heading, Heading) and isinstance(table, Table)
    [[head], [_, rent, _]] = table.rows
    assert head == Cell("Costs of the first half", "Sheet!A1", columns=3)
    assert rent == Cell("1200.5", "Sheet!B2", is_number=True)
    assert list_rows(make_sheet())[-1] == "[B2] since May"
    assert list_addresses(make_sheet())["May"] == "Sheet!B2"
    assert comment


def test_a_comment_is_no_part_of_its_cells_value() -> None:
    note = "<office:annotation><text:p>since May</text:p></office:annotation>"
    cell = f'<table:table-cell office:value-type="float">{note}<text:p>12.50</text:p></table:table-cell>'
    row = f"<table:table-row>{cell}</table:table-row>"
    data = open_document("spreadsheet", f'<table:table table:name="S">{row}</table:table>')
    assert list_rows(data) == ["S", "12.50", "[A1] since May"]


def test_a_merged_cell_covers_no_more_than_is_shown() -> None:
    with zipfile.ZipFile(io.BytesIO(make_sheet())) as book:
        parts = {name: book.read(name) for name in book.namelist()}
    sheet = parts["xl/worksheets/sheet1.xml"]
    one = b'<mergeCell ref="A1:C1" />'
    assert one in sheet
    # To merge a million cells by openpyxl takes seconds.
    many = one + b'<mergeCell ref="A2:A1048576" />'
    data = pack(parts | {"xl/worksheets/sheet1.xml": sheet.replace(one, many)})
    assert list_rows(data)[:2] == ["Sheet", "Costs of the first half"]


def test_numbers_stand_at_the_right_and_short_rows_are_not_broken() -> None:
    rows = [[Cell("a"), Cell("1,000.00", is_number=True)], [Cell("b"), Cell("5", is_number=True)]]
    [page] = Typesetter(5).set([Table(rows)])
    right = {word.text: word.x + word.width for word in page.words}
    assert abs(right["1,000.00"] - right["5"]) < 0.1
    pages = Typesetter(5).set([Table([[Cell("one\ntwo\nthree")]] * 40)])
    assert {len(page.words) % 3 for page in pages} == {0}


def test_the_heading_of_a_wide_sheet_stands_above_it() -> None:
    [page] = Typesetter(5).set([Heading("Wide"), Table([[Cell(f"item {at}") for at in range(30)]])])
    assert page.width > 900
    assert len({word.y for word in page.words}) == 2

"""What a sheet shows besides its values: formats of old files, merged cells, comments, and numbers at the right."""

import io
import struct
import zipfile

import openpyxl
from openpyxl.comments import Comment

from reader.layout.blocks import Cell, Heading, Note, Paragraph, Table
from reader.layout.typesetter import Typesetter
from reader.office import xlsx
from reader.office.formulas import list_areas
from reader.office.sheets import MAX_FORMULAS, Sheet
from reader.office.xls_formats import Book
from reader.pages import Limits
from tests.documents.hostile_containers import record
from tests.documents.hostile_kinds import xlsx_parts
from tests.documents.laid_out import lay_out, list_addresses, list_rows
from tests.documents.mails import OleFile
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


def make_xls(code: str, *values: float) -> bytes:
    """One sheet with a row of values, all of one format."""
    begin = record(0x0809, struct.pack("<HHHHII", 0x0600, 5, 0, 0, 0, 0))
    looks = record(0x041E, struct.pack("<HHB", 164, len(code), 0) + code.encode())
    looks += record(0x00E0, struct.pack("<HH", 0, 164) + bytes(16))
    place = len(begin + looks + record(0x0085, bytes(8) + b"S") + END)
    named = record(0x0085, struct.pack("<IHBB", place, 0, 1, 0) + b"S")
    cells = b"".join(record(0x0203, struct.pack("<HHHd", 0, at, 0, value)) for at, value in enumerate(values))
    ole = OleFile()
    ole.add_entry("Root Entry", 5, child=1)
    ole.add_entry("Workbook", 2, data=begin + looks + named + END + begin.replace(b"\5\0", b"\x10\0") + cells + END)
    return ole.pack()


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
    [look] = Book(make_book(number, several, chart, after)).list_sheets()
    assert look.formats == {(3, 1): "0.0 €", (4, 2): "#,##0.00", (4, 3): "General", (5, 0): "#,##0.00"}


def test_a_look_that_there_is_not_is_none() -> None:
    [look] = Book(make_book(record(0x0203, struct.pack("<HHHd", 0, 0, 900, 1.0)))).list_sheets()
    assert look.formats == {(0, 0): "General"}


def test_merged_cells_comments_and_numbers_of_a_book() -> None:
    _, heading, table, comment = xlsx.read_blocks(io.BytesIO(make_sheet()), LIMITS)
    assert isinstance(heading, Heading) and isinstance(table, Table)
    [[head], [_, rent, _]] = table.rows
    assert head == Cell("Costs of the first half", "Sheet!A1", columns=3)
    assert rent == Cell("1200.5", "Sheet!B2", is_number=True)
    assert list_rows(make_sheet())[-1] == "[B2] Ada: since May"
    assert list_addresses(make_sheet())["May"] == "Sheet!B2"
    assert comment


def make_comment(place: tuple[int, int], number: int, *parts: bytes) -> bytes:
    """An object of this number whose text comes in parts, and the record that says where it belongs."""
    letters = sum((len(part) - 1) // (2 if part[0] else 1) for part in parts)
    drawn = record(0x005D, struct.pack("<HHHH", 0x15, 0x12, 0x19, number) + bytes(14))
    text = record(0x01B6, struct.pack("<HHHHHH", 0, 0, 0, 0, 0, letters)) + b"".join(
        record(0x003C, part) for part in parts
    )
    return drawn + text + record(0x003C, bytes(16)) + record(0x001C, struct.pack("<HHHH", *place, 0, number))


def test_hidden_rows_and_columns_of_an_old_book_are_known() -> None:
    rows = [
        record(0x0208, struct.pack("<HHHHHHHH", at, 0, 9, 255, 0, 0, flags, 0))
        for at, flags in ((1, 0x100), (4, 0x120))
    ]
    columns = record(0x007D, struct.pack("<HHHHHH", 2, 5, 0, 0, 1, 0))
    [look] = Book(make_book(*rows, columns)).list_sheets()
    assert (look.hidden_rows, look.hidden_columns) == ({4}, [range(2, 6)])


def test_comments_of_an_old_book() -> None:
    wide, narrow = b"\1" + "Zażółć ".encode("utf-16-le"), b"\0total"
    nobody = record(0x001C, struct.pack("<HHHH", 9, 9, 0, 7))
    formula = record(0x0006, struct.pack("<HHH", 3, 3, 0) + bytes(20))
    [look] = Book(
        make_book(make_comment((1, 0), 1, b"\0Check"), make_comment((11, 3), 2, wide, narrow), nobody, formula)
    ).list_sheets()
    assert look.comments == {(1, 0): "Check", (11, 3): "Zażółć total"} and look.has_formulas
    assert not Book(make_book()).list_sheets()[0].has_formulas


def test_formulas_stand_behind_their_sheet_once_for_cells_that_compute_alike() -> None:
    cells = "".join(f'<c r="{name}3"><f>SUM({name}1:{name}2)</f><v>9</v></c>' for name in "ABC")
    rows = "".join(
        f'<row r="{at}"><c r="A{at}"><v>{at}</v></c><c r="D{at}"><f>A{at}*$A$1</f><v>5</v></c></row>' for at in (1, 2)
    )
    table, *formulas = list_rows(xlsx_parts(f'{rows}<row r="3">{cells}</row>'))[3:]
    assert table == "9 | 9 | 9 | "
    assert formulas == ["[D1:D2] =A1*$A$1", "[A3:C3] =SUM(A1:A2)"]
    assert list_addresses(xlsx_parts(f'<row r="3">{cells}</row>'))["=SUM(A1:A2)"] == "S!A3"


def test_a_formula_of_an_open_sheet_is_written_as_people_write_it() -> None:
    formula = "of:=SUM([.B2:.B9];[$Rates.A1])*1.5"
    cell = (
        f'<table:table-cell table:formula="{formula}" office:value-type="float"><text:p>12</text:p></table:table-cell>'
    )
    data = open_document(
        "spreadsheet", f'<table:table table:name="S"><table:table-row>{cell}</table:table-row></table:table>'
    )
    assert list_rows(data) == ["S", "12", "[A1] =SUM(B2:B9;$Rates.A1)*1.5"]


def test_what_computes_alike_is_told_by_its_own_place() -> None:
    formulas = {(0, 0): "=B1", (1, 0): "=B2", (2, 0): "=B2", (0, 1): "=C1", (1, 1): '=IF(C2>1,"B9",LOG10(C2))'}
    areas = [(area.first, area.last, area.formula) for area in list_areas(formulas)]
    assert areas == [
        ((0, 0), (1, 0), "=B1"),
        ((0, 1), (0, 1), "=C1"),
        ((1, 1), (1, 1), '=IF(C2>1,"B9",LOG10(C2))'),
        ((2, 0), (2, 0), "=B2"),
    ]


def test_of_many_formulas_the_first_are_shown() -> None:
    sheet = Sheet("S", formulas={(row, 0): f"=B{7 * row * row + 2}" for row in range(MAX_FORMULAS + 5)})
    *_, last, note = sheet.list_blocks()
    assert isinstance(last, Paragraph) and isinstance(note, Note) and note.text == "[and 5 more formulas]"


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


def test_a_number_that_the_format_of_an_old_sheet_hides_is_a_gap_and_a_zero_is_none() -> None:
    data = make_xls(";;;", 1734.5, 0.0)
    [gap] = lay_out(data).gaps
    assert (gap.kind, gap.part, list_rows(data)) == ("hidden", "S", ["S"])
    assert "1 number is hidden by the number format" in gap.reason
    assert not lay_out(make_xls("0.0", 1734.5, 0.0)).gaps

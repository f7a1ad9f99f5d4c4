"""Office files: all that is printed is there, in order, with the addresses of cells; what nobody sees is not."""

import io
import zipfile

import pytest

from reader.failures import OverLimit, Unreadable
from reader.office.formulas import name_column
from reader.office.sheets import Sheet
from tests.documents.hostile_kinds import xlsx_parts
from tests.documents.laid_out import lay_out, list_addresses, list_rows
from tests.documents.office_files import cell, docx, open_document, pack, paragraph, pptx, shape, xlsx
from tests.documents.reader_files import DATA


def test_docx_is_read_with_all_that_stands_around_its_body() -> None:
    box = f"<w:p><w:r><w:drawing><w:txbxContent>{paragraph('in a box')}</w:txbxContent></w:drawing></w:r></w:p>"
    body = (
        paragraph("Invoice", '<w:pStyle w:val="berschrift1"/>')
        + "<w:p><w:r><w:t>Total:</w:t><w:tab/><w:t>12.50</w:t><w:footnoteReference w:id='2'/></w:r>"
        + "<w:del><w:r><w:delText>99.99</w:delText></w:r></w:del><w:ins><w:r><w:t> EUR</w:t></w:r></w:ins>"
        + "<w:r><w:rPr><w:vanish/></w:rPr><w:t>unseen</w:t></w:r></w:p>"
        + box
        + f"<mc:AlternateContent><mc:Choice>{paragraph('once')}</mc:Choice><mc:Fallback>{paragraph('twice')}</mc:Fallback></mc:AlternateContent>"
    )
    data = docx(
        body,
        header=paragraph("ACME Ltd"),
        footer=paragraph("Page foot"),
        footnotes=f'<w:footnote w:type="separator">{paragraph("-")}</w:footnote><w:footnote w:id="2">{paragraph("net")}</w:footnote>',
        styles='<w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>',
    )
    assert list_rows(data) == [
        "ACME Ltd",
        "Invoice",
        "Total: 12.50 [2] EUR",
        "in a box",
        "once",
        "[2] net",
        "Page foot",
    ]


def test_ticks_of_a_form_in_docx_are_read() -> None:
    box = (
        '<w:p><w:r><w:fldChar><w:ffData><w:checkBox><w:default w:val="{}"/>{}</w:checkBox></w:ffData></w:fldChar></w:r>'
    )
    sign = '<w:r><w:sym w:font="Wingdings" w:char="F0FE"/></w:r>'
    rows = [box.format(0, "<w:checked/>"), box.format(0, ""), box.format(1, '<w:checked w:val="0"/>'), f"<w:p>{sign}"]
    data = docx("".join(f"{row}<w:r><w:t> sea</w:t></w:r></w:p>" for row in rows))
    assert list_rows(data) == ["\u2611 sea", "\u2610 sea", "\u2610 sea", "\u2611 sea"]


def test_cells_of_docx_may_go_over_rows_and_columns() -> None:
    rows = [
        cell("wide", "<w:gridSpan w:val='2'/>") + cell("right"),
        cell("tall", "<w:vMerge w:val='restart'/>") + cell("b") + cell("c"),
        cell("", "<w:vMerge/>") + cell("d") + cell("e"),
    ]
    source = lay_out(docx("<w:tbl>" + "".join(f"<w:tr>{row}</w:tr>" for row in rows) + "</w:tbl>"))
    left = {word.text: word.x0 for word in source.read(1, "auto").words}
    assert left["wide"] == left["tall"] and left["b"] == left["d"] and left["right"] == left["c"] == left["e"]


def test_pptx_has_a_page_for_each_slide() -> None:
    table = "<p:graphicFrame><a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>cell</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl></p:graphicFrame>"
    source = lay_out(pptx(shape("Plan", "title") + shape("first point") + shape("7", "sldNum"), table))
    assert [len(source.read(number, "auto").words) for number in (1, 2)] == [3, 1]


def test_odt_is_read_with_headers_lists_and_notes() -> None:
    body = (
        '<text:h text:outline-level="1">Invoice</text:h><text:tracked-changes><text:p>gone</text:p></text:tracked-changes>'
        "<text:p>Sum:<text:tab/>12.50<text:note><text:note-body><text:p>net</text:p></text:note-body></text:note></text:p>"
        "<text:list><text:list-item><text:p>one</text:p></text:list-item></text:list>"
        '<table:table><table:table-row><table:table-cell table:number-columns-repeated="2"><text:p>x</text:p></table:table-cell>'
        "</table:table-row></table:table>"
    )
    margins = "<style:master-page><style:header><text:p>ACME</text:p></style:header></style:master-page>"
    rows = list_rows(open_document("text", body, margins=margins))
    assert rows == ["ACME", "Invoice", "Sum: 12.50", "net", "\u2022 one", "x | x"]


def test_ods_shows_what_the_sheet_shows() -> None:
    hidden = '<style:style style:name="h"><style:table-properties table:display="false"/></style:style>'
    row = (
        '<table:table-row table:number-rows-repeated="{}"><table:table-cell table:number-columns-repeated="{}"/>'
        '<table:table-cell office:value="12.5"><text:p>{}</text:p></table:table-cell></table:table-row>'
    )
    sheet = '<table:table table:name="{}" table:style-name="{}">{}</table:table>'
    body = sheet.format("A b", "", row.format(1, 2, "12,50 €") + row.format(2, 16000, "x")) + sheet.format("C", "h", "")
    data = open_document("spreadsheet", body, hidden)
    assert (list_addresses(data)["12,50"], list_addresses(data)["x"]) == ("'A b'!C1", "'A b'!WQK2")
    assert list_rows(data)[-1] == "C (hidden)"


def test_xlsx_shows_values_as_the_sheet_does_and_formulas_without_one() -> None:
    rows: list[list[object]] = [["Item", "Sum"], ["Pipe", 1234.5], ["On", 46086.588], ["All", "=MAX(B2:B3)"]]
    data = xlsx(rows, formats={"B2": "#,##0.00 [$€-407]", "B3": "dd.mm.yyyy"}, hidden="secret")
    assert list_rows(data) == [
        "Costs 2026",
        "Item | Sum",
        "Pipe | 1,234.50 €",
        "On | 05.03.2026",
        "All | =MAX(B2:B3)",
        "Notes (hidden)",
        "secret",
    ]
    assert list_addresses(data)["05.03.2026"] == "'Costs 2026'!B3" and list_addresses(data)["secret"] == "Notes!C4"


def test_a_formula_whose_value_is_stored_shows_the_value() -> None:
    sheet = '<row r="1"><c r="A1"><f>B1*2</f><v>25.5</v></c><c r="B1"><v>12.75</v></c></row>'
    assert list_rows(xlsx_parts(sheet)) == ["S", "25.5 | 12.75", "[A1] =B1*2"]


def test_xls_is_read_with_its_hidden_sheet() -> None:
    data = (DATA / "kinds" / "costs.xls").read_bytes()
    assert list_rows(data) == [
        "Costs",
        "Item | Amount",
        "Copper pipe | 10906.37",
        "Date | 28.07.2026",
        "Notes (hidden)",
        "hidden 42",
    ]
    assert list_addresses(data)["10906.37"] == "Costs!B2"


def test_long_gaps_of_a_sheet_are_cut_short_and_the_names_tell() -> None:
    sheet = Sheet("S", texts={(0, 0): "first", (1_048_575, 16_383): "last"})
    table = sheet.make_table()
    assert table.row_names == ["1", "1048574", "1048575", "1048576"]
    assert table.column_names == ["A", "XFB", "XFC", "XFD"] and name_column(16_383) == "XFD"


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"PK\x03\x04rest", "The file is damaged: its ZIP archive is broken"),
        (pack({"[Content_Types].xml": "", "word/other.xml": "<a/>"}), "its part word/document.xml is missing"),
        (docx("<w:p>"), "its XML breaks off"),
        (pack({"[Content_Types].xml": "", "xl/workbook.bin": b"\x83"}), r"\(XLSB\) are not read. Save it as XLSX"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "begins like an old Office file"),
    ],
)
def test_it_says_what_is_wrong_with_a_broken_one(data: bytes, sentence: str) -> None:
    with pytest.raises(Unreadable, match=sentence):
        lay_out(data)


def test_it_refuses_more_parts_than_an_honest_file_has() -> None:
    with pytest.raises(OverLimit, match="more than 20,000 parts"):
        lay_out(pack({f"word/{number}": "" for number in range(20_001)}))


@pytest.mark.parametrize(
    ("data", "part", "rows"),
    [
        (docx(paragraph("Total 5")), "word/vbaProject.bin", ["Total 5"]),
        (xlsx_parts('<row r="1"><c r="A1"><v>5</v></c></row>'), "xl/vbaProject.bin", ["S", "5"]),
        (pptx(shape("Total 5")), "ppt/vbaProject.bin", ["Total 5"]),
    ],
    ids=["docm", "xlsm", "pptm"],
)
def test_of_a_file_with_macros_the_rest_is_read(data: bytes, part: str, rows: list[str]) -> None:
    """Their parts are never looked at: what is in them may be anything."""
    packed = io.BytesIO(data)
    with zipfile.ZipFile(packed, "a") as archive:
        archive.writestr(part, b"\xd0\xcf\x11\xe0 Sub AutoOpen() Shell" + bytes(1000))
        types = archive.read("[Content_Types].xml").decode()
    enabled = types.replace(
        "openxmlformats-officedocument.spreadsheetml.sheet.main", "ms-excel.sheet.macroEnabled.main"
    )
    with zipfile.ZipFile(packed) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()} | {"[Content_Types].xml": enabled.encode()}
    assert list_rows(pack(parts)) == rows

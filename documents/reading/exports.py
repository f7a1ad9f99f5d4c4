"""What was read, in forms that other programs take: Markdown, HTML, a spreadsheet, and Textract's blocks."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator, Sequence
from html import escape
from typing import Any, TypedDict

from documents.backends.words import Word, group_lines, make_block_id
from documents.models import Page, Reading
from documents.reading import page_tables, pages
from documents.reading.gaps import find_gap
from documents.reading.page_tables import Block, Table

Box = dict[str, float]
_MARKS = re.compile(r"([\\`*_\[\]<|])")
_LEADING = re.compile(r"^(\s*)([#>+-]|\d+(?=[.)]\s))")
_UNSEEN_SIGN = r"[\s\x00-\x1f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]"
_SIGNS = "[=+\\-@＝＋－＠−﹢﹣﹦﹫⁼⁺⁻]"
_FORMULA = re.compile(rf"{_UNSEEN_SIGN}*{_SIGNS}|[\t\r\n]")
# Where a semicolon or a tab divides cells, a second formula may begin inside of a text. Of line breaks in a row only
# the last is followed to a sign: from each of them, the time would grow with their square.
_FORMULA_INSIDE = re.compile(rf"([;\t\r\n])((?:(?![\t\r\n]){_UNSEEN_SIGN})*{_SIGNS})")
# XML 1.0 has no place for these.
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def escape_formula(value: object) -> object:
    """For CSV: spreadsheets run text that begins like a formula, so it is told to be text.

    They leave out spaces and marks before the sign, and some read its full-width form as the same:
    https://owasp.org/www-community/attacks/CSV_Injection
    """
    if not isinstance(value, str):
        return value
    text = _FORMULA_INSIDE.sub(r"\1'\2", value)
    return f"'{text}" if _FORMULA.match(value) else text


def export_markdown(reading: Reading) -> str:
    """A heading for each page, a line for each line, and pipe tables."""
    return "\n".join(
        f"## Page {number}\n\n" + "\n\n".join(_format_markdown(block) for block in blocks) + "\n"
        for number, blocks in page_tables.iterate_pages(reading)
    )


def _format_markdown(block: Block) -> str:
    if isinstance(block, str):
        return _LEADING.sub(r"\1\\\2", _escape_markdown(block))
    head, *rest = ["| " + " | ".join(map(_escape_markdown, row)) + " |" for row in block.rows]
    return "\n".join([head, "|" + " --- |" * len(block.rows[0]), *rest])


def _escape_markdown(text: str) -> str:
    """So that the text of a document is text, and no markup of its own."""
    return _MARKS.sub(r"\\\1", text)


def export_html(reading: Reading, *, title: str) -> str:
    """A whole page without scripts, styles or links; all text escaped."""
    body = "\n".join(
        f"<section><h2>Page {number}</h2>\n{''.join(map(_format_html, blocks))}</section>"
        for number, blocks in page_tables.iterate_pages(reading)
    )
    head = f'<meta charset="utf-8"><title>{escape(title)}</title>'
    return f"<!doctype html>\n<html><head>{head}</head><body>\n{body}\n</body></html>\n"


def _format_html(block: Block) -> str:
    if isinstance(block, str):
        return f"<p>{escape(block)}</p>\n"
    rows = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>\n" for row in block.rows)
    return f"<table>\n{rows}</table>\n"


def export_workbook(tables: Sequence[Table]) -> bytes:
    """An XLSX file with a sheet for each table. Every cell is text: a formula of a document is never one of ours."""
    from openpyxl import Workbook  # noqa: PLC0415 - 18 MB with numpy, which it takes in where it is installed

    book = Workbook(write_only=True)
    for number, table in enumerate(tables, start=1):
        sheet = book.create_sheet(f"Table {number} (page {table.page})")
        for row in table.rows:
            sheet.append([_make_text_cell(sheet, text) for text in row])
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def _make_text_cell(sheet: Any, text: str) -> Any:
    from openpyxl.cell import WriteOnlyCell  # noqa: PLC0415 - see above

    cell = WriteOnlyCell(sheet, value=_CONTROLS.sub(" ", text))
    cell.data_type = "s"
    return cell


class TextractBlock(TypedDict, total=False):
    """https://docs.aws.amazon.com/textract/latest/dg/API_Block.html; Confidence is 0 to 100.

    `Gap` is ours: what of the page could not be read.
    """

    BlockType: str
    Id: str
    Page: int
    Text: str
    Confidence: float
    Geometry: dict[str, object]
    Relationships: list[dict[str, object]]
    Gap: str


def export_textract(reading: Reading) -> bytes:
    """A JSON array: each page with its lines and each line with its words.

    Ids are `page`, `page.line` and `page.line.word`. Written page by page: as objects a long document fills the memory.
    """
    written = (
        json.dumps(list(_iterate_page_blocks(page)), ensure_ascii=False, separators=(",", ":"))[1:-1].encode()
        for page in reading.pages.order_by("number").iterator()
    )
    return b"[" + b",".join(written) + b"]"


def _iterate_page_blocks(page: Page) -> Iterator[TextractBlock]:
    lines = group_lines(word for word in pages.unpack_words(page) if not word.hidden)
    whole = TextractBlock(BlockType="PAGE", Id=str(page.number), Page=page.number, Geometry=_make_geometry(0, 0, 1, 1))
    if lines:
        whole["Relationships"] = _make_children(f"{page.number}.{number}" for number, _ in lines)
    if gap := find_gap(page):
        whole["Gap"] = gap.sentence
    yield whole
    for number, row in lines:
        yield from _iterate_line_blocks(page.number, number, row)


def _iterate_line_blocks(page: int, number: int, row: list[Word]) -> Iterator[TextractBlock]:
    words = [
        TextractBlock(
            BlockType="WORD",
            Id=make_block_id(page, number, at),
            Page=page,
            Text=word.text,
            Confidence=float(word.confidence),
            Geometry=_make_geometry(word.x0, word.y0, word.x1, word.y1),
        )
        for at, word in enumerate(row, start=1)
    ]
    yield TextractBlock(
        BlockType="LINE",
        Id=f"{page}.{number}",
        Page=page,
        Text=" ".join(word.text for word in row),
        Confidence=sum(word.confidence for word in row) / len(row),
        Geometry=_make_geometry(row[0].x0, min(w.y0 for w in row), max(w.x1 for w in row), max(w.y1 for w in row)),
        Relationships=_make_children(word["Id"] for word in words),
    )
    yield from words


def _make_children(ids: Iterator[str]) -> list[dict[str, object]]:
    return [{"Type": "CHILD", "Ids": list(ids)}]


def _make_geometry(left: float, top: float, right: float, bottom: float) -> dict[str, object]:
    """Fractions of the page."""
    corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
    box: Box = {"Left": left, "Top": top, "Width": round(right - left, 5), "Height": round(bottom - top, 5)}
    return {"BoundingBox": box, "Polygon": [{"X": x, "Y": y} for x, y in corners]}

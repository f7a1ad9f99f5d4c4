"""An answer as a document for word processors: paragraphs, bold words, tables, and links to the sources alone."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from xml.sax.saxutils import escape, quoteattr

# ECMA-376, part 1: the parts that a document of paragraphs and tables alone needs.
_TYPES = (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.'
    'wordprocessingml.document.main+xml"/></Types>'
)
_RELATIONS = (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" '
    'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" '
    'Target="word/document.xml"/></Relationships>'
)
_BEGIN = (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
    '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>'
)
_BORDERS = "".join(
    f'<w:{side} w:val="single" w:sz="4" w:space="0" w:color="auto"/>'
    for side in ("top", "left", "bottom", "right", "insideH", "insideV")
)
_LINK = '<w:rPr><w:color w:val="2353C4"/><w:u w:val="single"/></w:rPr>'
_BOLD = re.compile(r"\*\*|__")
_MARKS = re.compile(r"\*\*|__|`|(?<![\w*])\*(?=\S)|(?<=\S)\*(?![\w*])")
_HEADING = re.compile(r"#{1,6}\s+")
_BULLET = re.compile(r"^(\s*)[-*+]\s+")
_RULE = re.compile(r"\|?[\s:|-]*-[\s:|-]*\|?")


def write_docx(parts: Iterable[str]) -> bytes:
    """`parts` are paragraphs and tables as the functions below write them."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", _TYPES)
        archive.writestr("_rels/.rels", _RELATIONS)
        archive.writestr("word/document.xml", f"{_BEGIN}{''.join(parts)}</w:body></w:document>")
    return file.getvalue()


def write_markdown(text: str) -> Iterator[str]:
    """Headings, lists, bold words and tables of a model's Markdown; what else it has stands there as text."""
    for is_table, lines in groupby(text.splitlines(), key=lambda line: line.strip().startswith("|")):
        if is_table:
            yield _write_table([_split_row(line) for line in lines if not _RULE.fullmatch(line.strip())])
        else:
            yield from map(_write_line, lines)


def write_paragraph(text: str, *, is_bold: bool = False, address: str = "") -> str:
    """`address` is one of the product's own, at its end."""
    link = ""
    if address:
        instruction = quoteattr(f' HYPERLINK "{address}" ')
        link = f"<w:fldSimple w:instr={instruction}>{_write_run(address, _LINK)}</w:fldSimple>"
    return f"<w:p>{_write_run(text, _style(is_bold=is_bold))}{link}</w:p>"


def _write_line(line: str) -> str:
    line = _BULLET.sub(r"\1• ", line, count=1)
    if heading := _HEADING.match(line):
        return write_paragraph(_MARKS.sub("", line[heading.end() :]), is_bold=True)
    return f"<w:p>{''.join(_write_runs(line))}</w:p>"


def _write_runs(line: str) -> Iterator[str]:
    """What stands between two marks is bold; a mark without a second one begins nothing."""
    pieces = _BOLD.split(line)
    for at, piece in enumerate(pieces):
        is_closed = at % 2 == 1 and at < len(pieces) - 1
        yield _write_run(_MARKS.sub("", piece), _style(is_bold=is_closed))


def _split_row(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def _write_table(rows: Sequence[Sequence[str]]) -> str:
    width = max((len(row) for row in rows), default=0)
    if not width:
        return ""
    cells = [[*row, *[""] * (width - len(row))] for row in rows]
    body = "".join(f"<w:tr>{''.join(map(_write_cell, row))}</w:tr>" for row in cells)
    grid = f"<w:tblGrid>{'<w:gridCol/>' * width}</w:tblGrid>"
    # Two tables one after the other would be one: a paragraph ends each.
    return f"<w:tbl><w:tblPr><w:tblBorders>{_BORDERS}</w:tblBorders></w:tblPr>{grid}{body}</w:tbl><w:p/>"


def _write_cell(text: str) -> str:
    return f"<w:tc><w:p>{''.join(_write_runs(text))}</w:p></w:tc>"


def _style(*, is_bold: bool) -> str:
    return "<w:rPr><w:b/></w:rPr>" if is_bold else ""


def _write_run(text: str, style: str) -> str:
    return f'<w:r>{style}<w:t xml:space="preserve">{escape(keep_printable(text))}</w:t></w:r>' if text else ""


def keep_printable(text: Iterable[str]) -> str:
    """XML 1.0 has no place for control characters and halves of a pair. A space of any kind stays one."""
    kept = (char if char.isprintable() or char == "\t" else " " if char.isspace() else "" for char in text)
    return "".join(kept)

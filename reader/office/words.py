"""Paragraphs and tables of Office Open XML: what DOCX and PPTX have in common."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from reader.layout.blocks import Cell, Table
from reader.markup.safe_xml import Node
from reader.markup.symbols import decode_symbol
from reader.office.word.equations import write_equation

MAX_SPAN = 1000
SIGNS = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-", "ptab": "\t"}
# Boxes and notes in a paragraph are blocks of their own; what was struck out, and hidden text, nobody sees.
APART = frozenset(("txbxContent", "pPr", "tbl"))


def join_text(node: Node) -> str:
    """Join the text of a paragraph."""
    return "".join(list_texts(node)).strip()


def list_texts(node: Node) -> Iterator[str]:
    for child in node.elements:
        if child.kind == "t":
            yield child.own_text
        elif child.kind in SIGNS:
            yield SIGNS[child.kind]
        elif child.kind == "oMath":
            yield write_equation(child)
        elif child.kind == "sym":
            yield decode_symbol(child.get("char"))
        elif child.kind == "checkBox":
            yield read_check_box(child)
        elif child.kind in ("footnoteReference", "endnoteReference"):
            yield f" [{child.get('id')}] "
        elif child.kind not in APART and not is_hidden(child):
            yield from list_texts(child)


def read_check_box(node: Node) -> str:
    """Read a form's box: a person's choice, else what it began with."""
    mark = node.find("checked") or node.find("default")
    return "\u2611" if mark and mark.get("val") not in ("0", "false", "off") else "\u2610"


def is_hidden(run: Node) -> bool:
    mark = run.find("rPr", "vanish") if run.kind == "r" else None
    return mark is not None and mark.get("val") not in ("0", "false", "off")


def read_number(text: str, default: int = 1) -> int:
    """A span as it is written; anything else than a sensible number counts as the default."""
    return min(max(int(text), 1), MAX_SPAN) if text.isdecimal() and len(text) < 6 else default


class RowJoiner:
    """Rows of cells, of which some only go on with the cell above."""

    def __init__(self) -> None:
        self.rows: list[list[Cell]] = []
        self.open: dict[int, tuple[int, int]] = {}

    def add_row(self, cells: Sequence[tuple[Cell, bool]]) -> None:
        """With each cell whether it goes on with the one above."""
        row: list[Cell] = []
        self.rows.append(row)
        column = 0
        for cell, goes_on in cells:
            if goes_on and column in self.open:
                at_row, at = self.open[column]
                above = self.rows[at_row][at]
                self.rows[at_row][at] = replace(above, rows=above.rows + 1)
            else:
                row.append(cell)
                self.open[column] = (len(self.rows) - 1, len(row) - 1)
            column += cell.columns


def make_table(node: Node, read_cell: Callable[[Node], str]) -> Table:
    """Make a table of w:tbl or a:tbl."""
    joiner = RowJoiner()
    for row in node.find_all("tr"):
        joiner.add_row([make_cell(cell, read_cell) for cell in row.find_all("tc") if not cell.get("hMerge")])
    return Table(joiner.rows)


def make_cell(node: Node, read_cell: Callable[[Node], str]) -> tuple[Cell, bool]:
    span, merge = node.find("tcPr", "gridSpan"), node.find("tcPr", "vMerge")
    columns = read_number(span.get("val") if span else node.get("gridSpan"))
    goes_on = (merge is not None and merge.get("val") != "restart") or node.get("vMerge") in ("1", "true")
    return Cell(read_cell(node), columns=columns), goes_on

"""OpenDocument: texts, presentations, and the words of their cells."""

import base64
import posixpath
from collections.abc import Iterator
from typing import BinaryIO

from reader.gaps import Gap
from reader.layout.blocks import Block, Cell, Heading, Note, Paragraph, Picture, Table
from reader.markup.safe_xml import Node
from reader.office.hidden_text import leave_out_hidden
from reader.office.open_document.numbering import number_paragraphs
from reader.office.package import FlatPackage, Package, open_package
from reader.office.presentations.odp import Readers, read_slide
from reader.office.unread import list_unread
from reader.office.words import read_number
from reader.pages import Limits

# `tracked-changes` holds what was struck out.
SKIPPED = frozenset(("tracked-changes", "event-listeners", "forms", "scripts", "font-face-decls"))
NOTES = frozenset(("note", "annotation"))
MAX_REPEATED = 1000


def read_blocks(file: BinaryIO, limits: Limits) -> Iterator[Block | Gap]:
    content = OpenContent(open_package(file, SKIPPED))
    root = content.package.parse("content.xml", SKIPPED)
    yield from leave_out_hidden(root, content.styles)
    number_paragraphs(root, content.styles)
    body = root.find("body")
    yield from content.list_margins("header")
    for part in body.elements if body else ():
        yield from content.list_blocks(part, 0)
    yield from content.list_margins("footer")
    yield from list_unread(content.package)


class OpenContent:
    def __init__(self, package: Package | FlatPackage) -> None:
        self.package = package
        self.styles = package.parse_if_there("styles.xml", SKIPPED)
        self.readers = Readers(join_text, make_table, self.read_picture)

    def list_margins(self, kind: str) -> Iterator[Block]:
        """Headers or footers, which stand with the styles of pages."""
        masters = self.styles.find("master-styles") if self.styles else None
        for part in masters.find_all(kind) if masters else ():
            yield from self.list_blocks(part, 0)

    def list_blocks(self, parent: Node, depth: int) -> Iterator[Block]:
        for node in parent.elements:
            match node.kind:
                case "h":
                    yield Heading(join_text(node), read_number(node.get("outline-level")))
                case "p":
                    yield from self.list_paragraph(node, depth)
                case "table":
                    yield make_table(node)
                    # Pictures of all its cells come behind it.
                    yield from map(self.read_picture, node.find_all("image"))
                case "page":
                    yield read_slide(node, self.styles, self.readers)
                case "image":
                    yield self.read_picture(node)
                case "list":
                    yield from self.list_blocks(node, depth + 1)
                case _:
                    yield from self.list_blocks(node, depth)

    def list_paragraph(self, node: Node, depth: int) -> Iterator[Block]:
        if text := join_text(node):
            yield Paragraph(text, indent=max(0, depth - 1))
        for inner in node.elements:
            if inner.kind == "annotation":
                yield Paragraph(write_comment(inner))
            elif inner.kind in NOTES:
                yield from self.list_blocks(inner, 0)
        for frame in node.find_all("frame"):
            yield from self.list_blocks(frame, 0)

    def read_picture(self, node: Node) -> Picture | Note:
        if data := node.find("binary-data"):
            return decode_picture(data.own_text)
        return self.package.read_picture(posixpath.normpath(node.get("href")))


def join_text(node: Node) -> str:
    return "".join(list_texts(node)).strip()


def list_texts(node: Node) -> Iterator[str]:
    for child in node.children:
        if isinstance(child, str):
            yield " ".join(child.split("\n"))
        elif child.kind == "s":
            yield " " * read_number(child.get("c"))
        elif child.kind in ("tab", "line-break"):
            yield "\n" if child.kind == "line-break" else "\t"
        elif child.kind not in NOTES and child.kind != "frame":
            yield from list_texts(child)


def make_table(node: Node) -> Table:
    return Table([make_row(row) for row in node.find_all("table-row")])


def make_row(node: Node) -> list[Cell]:
    return [cell for child in node.elements if child.kind == "table-cell" for cell in make_cells(child)]


def make_cells(node: Node) -> list[Cell]:
    """An empty cell may stand for many."""
    cell = Cell(
        read_cell(node),
        columns=read_number(node.get("number-columns-spanned")),
        rows=read_number(node.get("number-rows-spanned")),
    )
    return [cell] * min(read_number(node.get("number-columns-repeated")), MAX_REPEATED)


def read_cell(node: Node) -> str:
    return "\n".join(filter(None, map(join_text, list_paragraphs(node))))


def list_paragraphs(node: Node) -> Iterator[Node]:
    """Without those of comments, which are no value of the cell."""
    for child in node.elements:
        if child.kind == "p":
            yield child
        elif child.kind != "annotation":
            yield from list_paragraphs(child)


def read_comment(node: Node) -> str:
    return " ".join(write_comment(note) for note in node.elements if note.kind == "annotation")


def write_comment(note: Node) -> str:
    author, text = note.find("creator"), " ".join(map(join_text, note.find_all("p")))
    return f"[{author.own_text}] {text}" if author and text else text


def decode_picture(text: str) -> Picture | Note:
    try:
        return Picture(base64.b64decode(text))
    except ValueError:
        return Note("[picture]")

"""DOCX: headers, the body with its tables and text boxes, notes, comments and footers."""

import re
from collections.abc import Iterator
from functools import cached_property
from typing import BinaryIO

from reader.gaps import Gap
from reader.layout.blocks import Block, Heading, PageBreak, Paragraph
from reader.markup.safe_xml import Node
from reader.office.drawn.charts import read_charts
from reader.office.drawn.objects import list_objects, read_diagrams
from reader.office.package import Package, PartPictures
from reader.office.unread import list_unread
from reader.office.word.chunks import Nesting, read_chunk
from reader.office.word.numbering import BULLET, ListStyles, NumberedList, Numbering, read_lists
from reader.office.words import join_text, make_table
from reader.pages import Limits

# Leave out what was struck out, what is there a second time for old programs, and mere looks.
SKIPPED = frozenset(
    ("del", "moveFrom", "delText", "instrText", "Fallback", "rFonts", "lang", "sz", "szCs", "color", "spPr", "bodyPr")
)
# Looks of styles and numbers, which are most of these parts.
OF_STYLES = SKIPPED | frozenset(
    ("rPr", "tblPr", "trPr", "tcPr", "tblStylePr", "latentStyles", "docDefaults", "next", "link", "uiPriority", "rsid")
)
OF_NUMBERING = SKIPPED | frozenset(("rPr", "pPr", "lvlJc", "nsid", "tmpl", "drawing", "pict", "multiLevelType"))
FRAMES = frozenset(("sdt", "sdtContent", "ins", "moveTo", "smartTag", "customXml", "AlternateContent", "Choice"))
HEADING_NAME = re.compile(r"heading ([1-9])", re.I)


def read_blocks(file: BinaryIO, limits: Limits) -> Iterator[Block | Gap]:
    return list_blocks(file, limits, Nesting())


def list_blocks(file: BinaryIO, limits: Limits, nesting: Nesting) -> Iterator[Block | Gap]:
    return WordFile(Package(file), limits, nesting).list_blocks()


class WordFile:
    def __init__(self, package: Package, limits: Limits, nesting: Nesting) -> None:
        self.package, self.limits, self.nesting = package, limits, nesting
        self.main = package.find_main_part("word/document.xml")
        self.relations = package.list_relations(self.main)
        self.styles = self.parse_related("styles", OF_STYLES)
        self.list_styles = ListStyles(self.styles)
        self.levels = self.read_heading_levels()

    @cached_property
    def lists(self) -> dict[str, NumberedList]:
        return read_lists(self.parse_related("numbering", OF_NUMBERING), self.list_styles)

    def parse_related(self, kind: str, skipped: frozenset[str] = SKIPPED) -> Node | None:
        part = next((name for own, name in self.relations.values() if own == kind), "")
        return self.package.parse_if_there(part, skipped)

    def list_blocks(self) -> Iterator[Block | Gap]:
        yield from self.list_parts("header")
        body = self.package.parse(self.main, SKIPPED).find("body")
        yield from PartContent(self, self.main).list_blocks(body) if body else ()
        yield from self.list_notes("footnotes", "footnote")
        yield from self.list_notes("endnotes", "endnote")
        yield from self.list_notes("comments", "comment")
        yield from self.list_parts("footer")
        yield from list_objects(self.package, self.relations)
        yield from list_unread(self.package)

    def read_heading_levels(self) -> dict[str, int]:
        """Levels by the ids of styles, which are named in the language of whoever wrote the file."""
        levels: dict[str, int] = {}
        for style in self.styles.find_all("style") if self.styles else ():
            name = style.find("name")
            if name and (match := HEADING_NAME.fullmatch(name.get("val"))):
                levels[style.get("styleId")] = int(match[1])
            elif name and name.get("val").lower() == "title":
                levels[style.get("styleId")] = 1
        return levels

    def list_parts(self, kind: str) -> Iterator[Block | Gap]:
        """Headers or footers. Those of first, odd and even pages often say the same."""
        seen: set[str] = set()
        for name in sorted(
            {part for own, part in self.relations.values() if own == kind and part in self.package.names}
        ):
            content = PartContent(self, name)
            blocks = list(content.list_blocks(self.package.parse(name, SKIPPED)))
            if str(blocks) not in seen:
                seen.add(str(blocks))
                yield from blocks

    def list_notes(self, part: str, kind: str) -> Iterator[Block]:
        root = self.parse_related(part)
        for note in root.find_all(kind) if root else ():
            if note.get("type") not in ("separator", "continuationSeparator", "continuationNotice"):
                text = " ".join(filter(None, map(join_text, note.find_all("p"))))
                yield Paragraph(f"[{note.get('id')}] {note.get('author')} {text}".replace("  ", " "))


class PartContent:
    """Body, header or footer, each of which counts its lists by itself."""

    def __init__(self, file: WordFile, part: str) -> None:
        self.file = file
        self.pictures = PartPictures(file.package, part)
        self.relations = self.pictures.relations
        self.has_charts = any(kind == "chart" for kind, _ in self.relations.values())
        self.has_diagrams = any(kind == "diagramData" for kind, _ in self.relations.values())
        self.numbering = Numbering(lambda: file.lists, file.list_styles)

    def list_blocks(self, parent: Node) -> Iterator[Block | Gap]:
        for node in parent.elements:
            if node.kind == "p":
                yield from self.list_paragraph(node)
            elif node.kind == "tbl":
                yield make_table(node, self.read_cell)
                # Pictures of all its cells come behind it.
                yield from self.list_drawn(node)
                yield from (block for chunk in node.find_all("altChunk") for block in self.read_chunk(chunk))
            elif node.kind == "altChunk":
                yield from self.read_chunk(node)
            elif node.kind in FRAMES:
                yield from self.list_blocks(node)

    def read_chunk(self, node: Node) -> Iterator[Block | Gap]:
        _, part = self.relations.get(node.get("id"), ("", ""))
        data = self.file.package.read(part) if part in self.file.package.names else b""
        return read_chunk(data, part, self.file.limits, self.file.nesting)

    def list_drawn(self, node: Node) -> Iterator[Block | Gap]:
        yield from read_charts(self.file.package, self.relations, node) if self.has_charts else ()
        yield from read_diagrams(self.file.package, self.relations, node) if self.has_diagrams else ()
        yield from self.pictures.list_shown(node)

    def list_paragraph(self, node: Node) -> Iterator[Block | Gap]:
        if next(node.find_all("lastRenderedPageBreak"), None) or is_page_break(node):
            yield PageBreak()
        text = join_text(node)
        label, level = self.numbering.find_label(node, text) or ("", 0)
        if text or label.strip(f" {BULLET}"):
            yield self.make_paragraph(node, f"{label}{text}", level)
        for box in node.find_all("txbxContent"):
            yield from self.list_blocks(box)
        yield from self.list_drawn(node)

    def make_paragraph(self, node: Node, text: str, indent: int) -> Block:
        style = node.find("pPr", "pStyle")
        level = self.file.levels.get(style.get("val"), 0) if style else 0
        return Heading(text, level) if level else Paragraph(text, indent=indent)

    def read_cell(self, node: Node) -> str:
        return "\n".join(filter(None, self.list_cell_texts(node)))

    def list_cell_texts(self, node: Node) -> Iterator[str]:
        for child in node.elements:
            if child.kind == "p":
                text = join_text(child)
                label, _ = self.numbering.find_label(child, text) or ("", 0)
                yield f"{label}{text}".strip(f" {BULLET}" if not text else " ")
                yield from (self.read_cell(box) for box in child.find_all("txbxContent"))
            elif child.kind in FRAMES or child.kind in ("tbl", "tr", "tc"):
                yield from self.list_cell_texts(child)


def is_page_break(node: Node) -> bool:
    return any(sign.get("type") == "page" for sign in node.find_all("br"))

"""DOCX: headers, the body with its tables and text boxes, notes, comments and footers."""

import re
from collections.abc import Iterator, Mapping
from typing import BinaryIO

from reader.layout.blocks import Block, Heading, PageBreak, Paragraph
from reader.markup.safe_xml import Node
from reader.office.package import Package, PartPictures
from reader.office.words import join_text, make_table
from reader.pages import Limits

# Leave out what was struck out, what is there a second time for old programs, and mere looks.
SKIPPED = frozenset(
    ("del", "moveFrom", "delText", "instrText", "Fallback", "rFonts", "lang", "sz", "szCs", "color", "spPr", "bodyPr")
)
FRAMES = frozenset(("sdt", "sdtContent", "ins", "moveTo", "smartTag", "customXml", "AlternateContent", "Choice"))
HEADING_NAME = re.compile(r"heading ([1-9])", re.I)


def read_blocks(file: BinaryIO, limits: Limits) -> Iterator[Block]:
    return WordFile(Package(file)).list_blocks()


class WordFile:
    def __init__(self, package: Package) -> None:
        self.package = package
        self.main = package.find_main_part("word/document.xml")
        self.relations = package.list_relations(self.main)
        self.content = PartContent(package, self.main, self.read_heading_levels())

    def list_blocks(self) -> Iterator[Block]:
        yield from self.list_parts("header")
        body = self.package.parse(self.main, SKIPPED).find("body")
        yield from self.content.list_blocks(body) if body else ()
        yield from self.list_notes("footnotes", "footnote")
        yield from self.list_notes("endnotes", "endnote")
        yield from self.list_notes("comments", "comment")
        yield from self.list_parts("footer")

    def read_heading_levels(self) -> dict[str, int]:
        """Levels by the ids of styles, which are named in the language of whoever wrote the file."""
        levels: dict[str, int] = {}
        styles = next((name for kind, name in self.relations.values() if kind == "styles"), "")
        for style in root.find_all("style") if (root := self.package.parse_if_there(styles, SKIPPED)) else ():
            name = style.find("name")
            if name and (match := HEADING_NAME.fullmatch(name.get("val"))):
                levels[style.get("styleId")] = int(match[1])
            elif name and name.get("val").lower() == "title":
                levels[style.get("styleId")] = 1
        return levels

    def list_parts(self, kind: str) -> Iterator[Block]:
        """Headers or footers. Those of first, odd and even pages often say the same."""
        seen: set[str] = set()
        for name in sorted(
            {part for own, part in self.relations.values() if own == kind and part in self.package.names}
        ):
            content = PartContent(self.package, name, self.content.levels)
            blocks = list(content.list_blocks(self.package.parse(name, SKIPPED)))
            if str(blocks) not in seen:
                seen.add(str(blocks))
                yield from blocks

    def list_notes(self, part: str, kind: str) -> Iterator[Block]:
        name = next((name for own, name in self.relations.values() if own == part), "")
        root = self.package.parse_if_there(name, SKIPPED)
        for note in root.find_all(kind) if root else ():
            if note.get("type") not in ("separator", "continuationSeparator", "continuationNotice"):
                text = " ".join(filter(None, map(join_text, note.find_all("p"))))
                yield Paragraph(f"[{note.get('id')}] {note.get('author')} {text}".replace("  ", " "))


class PartContent:
    """Body, header or footer. levels: of headings, by the ids of styles."""

    def __init__(self, package: Package, part: str, levels: Mapping[str, int]) -> None:
        self.pictures = PartPictures(package, part)
        self.levels = levels

    def list_blocks(self, parent: Node) -> Iterator[Block]:
        for node in parent.elements:
            if node.kind == "p":
                yield from self.list_paragraph(node)
            elif node.kind == "tbl":
                yield make_table(node, self.read_cell)
                # Pictures of all its cells come behind it.
                yield from self.pictures.list_shown(node)
            elif node.kind in FRAMES:
                yield from self.list_blocks(node)

    def list_paragraph(self, node: Node) -> Iterator[Block]:
        if next(node.find_all("lastRenderedPageBreak"), None) or is_page_break(node):
            yield PageBreak()
        if text := join_text(node):
            yield self.make_paragraph(node, text)
        for box in node.find_all("txbxContent"):
            yield from self.list_blocks(box)
        yield from self.pictures.list_shown(node)

    def make_paragraph(self, node: Node, text: str) -> Block:
        style, numbering = node.find("pPr", "pStyle"), node.find("pPr", "numPr")
        level = self.levels.get(style.get("val"), 0) if style else 0
        if level:
            return Heading(text, level)
        if numbering is None:
            return Paragraph(text)
        depth = numbering.find("ilvl")
        steps = depth.get("val") if depth else "0"
        return Paragraph(f"\u2022 {text}", indent=int(steps) if steps.isdecimal() and len(steps) == 1 else 0)

    def read_cell(self, node: Node) -> str:
        return "\n".join(filter(None, self.list_cell_texts(node)))

    def list_cell_texts(self, node: Node) -> Iterator[str]:
        for child in node.elements:
            if child.kind == "p":
                yield join_text(child)
                yield from (self.read_cell(box) for box in child.find_all("txbxContent"))
            elif child.kind in FRAMES or child.kind in ("tbl", "tr", "tc"):
                yield from self.list_cell_texts(child)


def is_page_break(node: Node) -> bool:
    return any(sign.get("type") == "page" for sign in node.find_all("br"))

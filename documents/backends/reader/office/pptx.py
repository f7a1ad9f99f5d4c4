"""PPTX: a page for each slide, with its notes."""

from collections.abc import Iterator
from typing import BinaryIO

from documents.backends.reader.layout.blocks import Block, Heading, Note, PageBreak, Paragraph
from documents.backends.reader.markup.safe_xml import Node
from documents.backends.reader.office.package import Package, PartPictures
from documents.backends.reader.office.words import join_text, make_table
from documents.backends.reader.pages import Limits

SKIPPED = frozenset(("Fallback", "rPr", "endParaRPr", "spPr", "bodyPr", "lstStyle", "timing", "extLst"))
TITLES = ("title", "ctrTitle")
# What every slide repeats: numbers and dates of the template.
REPEATED = ("sldNum", "dt")


def read_blocks(file: BinaryIO, limits: Limits) -> Iterator[Block]:
    package = Package(file)
    main = package.find_main_part("ppt/presentation.xml")
    relations = package.list_relations(main)
    for entry in package.parse(main).find_all("sldId"):
        # Its own id has the same name without a prefix.
        relation = next((value for name, value in entry.attributes.items() if name.endswith(":id")), "")
        _, slide = relations.get(relation, ("", ""))
        if slide in package.names:
            yield PageBreak()
            yield from list_slide(package, slide)


def list_slide(package: Package, name: str) -> Iterator[Block]:
    root = package.parse(name, SKIPPED)
    if root.get("show") in ("0", "false"):
        yield Note("[a hidden slide]")
    tree = root.find("cSld", "spTree")
    pictures = PartPictures(package, name)
    yield from list_shapes(tree, pictures) if tree else ()
    for kind, part in pictures.relations.values():
        if kind == "notesSlide" and part in package.names:
            yield Note("[notes of the speaker]")
            notes = package.parse(part, SKIPPED).find("cSld", "spTree")
            yield from list_shapes(notes, PartPictures(package, part)) if notes else ()


def list_shapes(tree: Node, pictures: PartPictures) -> Iterator[Block]:
    for shape in tree.elements:
        if shape.kind == "sp":
            yield from list_shape(shape)
        elif shape.kind == "graphicFrame":
            yield from (make_table(table, read_cell) for table in shape.find_all("tbl"))
        elif shape.kind == "pic":
            yield from pictures.list_shown(shape)
        elif shape.kind in ("grpSp", "AlternateContent", "Choice"):
            yield from list_shapes(shape, pictures)


def list_shape(shape: Node) -> Iterator[Block]:
    place = shape.find("nvSpPr", "nvPr", "ph")
    kind = place.get("type") if place else ""
    body = shape.find("txBody")
    if body is None or kind in REPEATED:
        return
    for paragraph in body.elements:
        if paragraph.kind == "p" and (text := join_text(paragraph)):
            yield Heading(text) if kind in TITLES else Paragraph(text)


def read_cell(node: Node) -> str:
    return "\n".join(filter(None, map(join_text, node.find_all("p"))))

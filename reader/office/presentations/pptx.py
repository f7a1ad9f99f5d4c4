"""PPTX: a page for each slide, with its boxes at their places and its notes below."""

from collections.abc import Iterator, Mapping
from typing import BinaryIO

from reader.gaps import Gap
from reader.layout.blocks import (
    Below,
    Block,
    Box,
    Heading,
    Note,
    Paragraph,
    Picture,
    Slide,
    SlideText,
    Table,
)
from reader.layout.slides import limit_side
from reader.markup.safe_xml import Node
from reader.office.drawn.charts import read_charts
from reader.office.drawn.objects import list_objects, read_diagrams
from reader.office.package import Package, PartPictures
from reader.office.presentations.comments import list_comments, read_authors
from reader.office.presentations.places import (
    EVERYWHERE,
    Area,
    Frame,
    Placeholders,
    read_area,
    read_frame,
)
from reader.office.presentations.templates import Templates
from reader.office.unread import list_unread
from reader.office.words import join_text, make_table
from reader.pages import Limits

SKIPPED = frozenset(("Fallback", "endParaRPr", "timing", "extLst", "prstGeom", "custGeom", "effectLst"))
TITLES = ("title", "ctrTitle")
# Every slide repeats these: numbers and dates of the template.
REPEATED = ("sldNum", "dt")
EMU = 12_700
USUAL_SIZE = (720.0, 540.0)
TITLE_LETTERS, BODY_LETTERS, LETTERS = 36.0, 24.0, 18.0


def read_blocks(file: BinaryIO, limits: Limits) -> Iterator[Block | Gap]:
    package = Package(file)
    main = package.find_main_part("ppt/presentation.xml")
    relations, root = package.list_relations(main), package.parse(main)
    size = read_size(root)
    authors, templates = read_authors(package, relations), Templates(package)
    for entry in root.find_all("sldId"):
        # Its own id has the same name without a prefix.
        relation = next((value for name, value in entry.attributes.items() if name.endswith(":id")), "")
        _, slide = relations.get(relation, ("", ""))
        if slide in package.names:
            reader = SlideReader(templates, slide, size, authors)
            yield reader.read()
            yield from reader.gaps
    yield from list_unread(package)


def read_size(root: Node) -> tuple[float, float]:
    """In points."""
    node = root.find("sldSz")
    sides = [node.get(name) if node else "" for name in ("cx", "cy")]
    width, height = (int(side) / EMU if side.isdecimal() and len(side) < 12 else 0.0 for side in sides)
    return limit_side(width, USUAL_SIZE[0]), limit_side(height, USUAL_SIZE[1])


class SlideReader:
    """`unplaced`: what has no place on the slide, and stands below it."""

    def __init__(self, templates: Templates, name: str, size: tuple[float, float], authors: Mapping[str, str]) -> None:
        package = templates.package
        self.package, self.templates, self.size, self.authors = package, templates, size, authors
        self.root = package.parse(name, SKIPPED)
        self.pictures = PartPictures(package, name)
        self.placeholders = Placeholders(templates, self.pictures.relations)
        self.unplaced: list[Below] = []
        self.gaps = list(list_objects(package, self.pictures.relations))

    def read(self) -> Slide:
        tree = self.root.find("cSld", "spTree")
        shown = self.templates.list_shown(self.root, self.pictures.relations)
        boxes = [box for each in shown for box in self.list_own_boxes(each, EVERYWHERE)]
        boxes += self.list_boxes(tree, EVERYWHERE) if tree else []
        comments = list_comments(self.package, self.pictures.relations, self.authors)
        return Slide(*self.size, boxes, [*self.unplaced, *self.list_notes(), *comments])

    def list_notes(self) -> Iterator[Below]:
        if self.root.get("show") in ("0", "false"):
            yield Note("[a hidden slide]")
        for kind, part in self.pictures.relations.values():
            if kind == "notesSlide" and part in self.package.names:
                tree = self.package.parse(part, SKIPPED).find("cSld", "spTree")
                texts = list(list_texts(tree)) if tree else []
                yield from [Note("[notes of the speaker]"), *texts] if texts else []

    def list_charts(self, shape: Node) -> Iterator[Table]:
        for chart in read_charts(self.package, self.pictures.relations, shape):
            if isinstance(chart, Gap):
                self.gaps.append(chart)
            else:
                yield chart

    def list_boxes(self, tree: Node, frame: Frame) -> Iterator[Box]:
        for shape in tree.elements:
            if shape.kind == "sp":
                yield from self.list_text(shape, frame)
            elif shape.kind == "graphicFrame":
                tables = (make_table(table, read_cell) for table in shape.find_all("tbl"))
                area = read_area(shape.find("xfrm"))
                yield from self.place(tables, area, frame)
                yield from self.place(self.list_charts(shape), area, frame)
                self.unplaced += read_diagrams(self.package, self.pictures.relations, shape)
            elif shape.kind == "pic":
                yield from self.place(self.pictures.list_shown(shape), read_area(shape.find("spPr", "xfrm")), frame)
            elif shape.kind == "grpSp":
                yield from self.list_boxes(shape, read_frame(shape.find("grpSpPr", "xfrm"), frame))
            elif shape.kind in ("AlternateContent", "Choice"):
                yield from self.list_boxes(shape, frame)

    def list_own_boxes(self, tree: Node, frame: Frame) -> Iterator[Box]:
        """The words of a template that are no placeholder's."""
        for shape in tree.elements:
            if shape.kind == "sp" and shape.find("nvSpPr", "nvPr", "ph") is None:
                yield from self.list_text(shape, frame)
            elif shape.kind == "grpSp":
                yield from self.list_own_boxes(shape, read_frame(shape.find("grpSpPr", "xfrm"), frame))

    def place(
        self, blocks: Iterator[Table] | Iterator[Picture | Note], area: Area | None, frame: Frame
    ) -> Iterator[Box]:
        for block in blocks:
            if area is None:
                self.unplaced.append(block)
            else:
                yield Box(*frame.place(area).scale(1 / EMU), block)

    def list_text(self, shape: Node, frame: Frame) -> Iterator[Box]:
        place, body = shape.find("nvSpPr", "nvPr", "ph"), shape.find("txBody")
        kind = place.get("type") if place else ""
        texts = list(read_paragraphs(body, kind, is_placeholder=place is not None)) if body else []
        if not texts or kind in REPEATED:
            return
        area = read_area(shape.find("spPr", "xfrm"))
        if area is None and place is not None:
            area, frame = self.placeholders.find(kind, place.get("idx")), EVERYWHERE
        if area is None:
            self.unplaced += [Heading(each.text) if each.is_bold else Paragraph(each.text) for each in texts]
        else:
            yield Box(*frame.place(area).scale(1 / EMU), texts)


def read_paragraphs(body: Node, kind: str, *, is_placeholder: bool) -> Iterator[SlideText]:
    is_title = kind in TITLES
    usual = TITLE_LETTERS if is_title else BODY_LETTERS if is_placeholder else LETTERS
    for paragraph in body.elements:
        if paragraph.kind == "p" and (text := join_text(paragraph)):
            yield SlideText(text, read_letters(paragraph, usual), is_bold=is_title)


def read_letters(paragraph: Node, usual: float) -> float:
    """The largest size that one of its runs names."""
    sizes = (run.find("rPr") for run in paragraph.elements if run.kind in ("r", "fld"))
    named = [node.get("sz") for node in sizes if node is not None]
    return max((int(size) / 100 for size in named if size.isdecimal() and len(size) < 6), default=usual)


def list_texts(tree: Node) -> Iterator[Heading | Paragraph]:
    for shape in tree.elements:
        if shape.kind in ("grpSp", "AlternateContent", "Choice"):
            yield from list_texts(shape)
        place, body = shape.find("nvSpPr", "nvPr", "ph"), shape.find("txBody")
        if shape.kind == "sp" and body is not None and not (place and place.get("type") in REPEATED):
            texts = (join_text(paragraph) for paragraph in body.elements if paragraph.kind == "p")
            yield from (Paragraph(text) for text in texts if text)


def read_cell(node: Node) -> str:
    return "\n".join(filter(None, map(join_text, node.find_all("p"))))

"""Slides of OpenDocument: each box where it says, in the page that its master has."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from reader.layout.blocks import Below, Box, Note, Paragraph, Picture, Slide, SlideText, Table
from reader.layout.slides import limit_side
from reader.markup.safe_xml import Node
from reader.office.presentations.places import Area

LENGTH = re.compile(r"(-?\d{1,5}(?:\.\d{1,6})?)(cm|mm|in|pt)")
POINTS = {"cm": 28.3465, "mm": 2.83465, "in": 72.0, "pt": 1.0}
USUAL_SIZE = (793.7, 446.5)
TITLE_LETTERS, LETTERS = 36.0, 18.0
TITLES = ("title", "subtitle")
# Every slide repeats these.
REPEATED = ("date-time", "footer", "page-number", "header")
SHAPES = ("frame", "custom-shape", "rect", "ellipse", "text-box", "line", "connector", "polygon", "path")


@dataclass(frozen=True)
class Readers:
    """Readers of the paragraphs, tables and pictures of any OpenDocument file."""

    join_text: Callable[[Node], str]
    make_table: Callable[[Node], Table]
    read_picture: Callable[[Node], Picture | Note]


def read_slide(page: Node, styles: Node | None, readers: Readers) -> Slide:
    boxes: list[Box] = []
    below: list[Below] = []
    for shape, area in list_shapes(page):
        for content in read_content(shape, readers):
            if area is not None:
                boxes.append(Box(*area, content))
            else:
                below += [Paragraph(text.text) for text in content] if isinstance(content, list) else [content]
    return Slide(*read_size(page, styles), boxes, [*below, *list_notes(page, readers)])


def read_size(page: Node, styles: Node | None) -> tuple[float, float]:
    masters = [*styles.find_all("master-page")] if styles else []
    master = next((each for each in masters if each.get("name") == page.get("master-page-name")), None)
    layouts = [*styles.find_all("page-layout")] if styles and master else []
    named = master.get("page-layout-name") if master else ""
    layout = next((each for each in layouts if each.get("name") == named), None)
    sides = layout.find("page-layout-properties") if layout else None
    width, height = (read_length(sides.get(name)) if sides else None for name in ("page-width", "page-height"))
    return limit_side(width or 0.0, USUAL_SIZE[0]), limit_side(height or 0.0, USUAL_SIZE[1])


def list_shapes(parent: Node) -> Iterator[tuple[Node, Area | None]]:
    """Places inside of groups are those on the slide."""
    for node in parent.elements:
        if node.kind in SHAPES and node.get("class") not in REPEATED:
            yield node, read_area(node)
        elif node.kind not in ("notes", *SHAPES):
            yield from list_shapes(node)


def read_area(node: Node) -> Area | None:
    numbers = [read_length(node.get(name)) for name in ("x", "y", "width", "height")]
    return Area(*(each for each in numbers if each is not None)) if None not in numbers else None


def read_length(text: str) -> float | None:
    match = LENGTH.fullmatch(text)
    return float(match[1]) * POINTS[match[2]] if match else None


def read_content(shape: Node, readers: Readers) -> Iterator[list[SlideText] | Table | Picture | Note]:
    yield from (readers.make_table(table) for table in shape.find_all("table"))
    # Nobody sees anything of a table or drawing that a picture stands for.
    pictures = [*shape.find_all("image")] if shape.find("table") is None else []
    yield from map(readers.read_picture, pictures)
    is_title = shape.get("class") in TITLES
    size = TITLE_LETTERS if is_title else LETTERS
    paragraphs = (readers.join_text(node) for node in list_paragraphs(shape))
    if texts := [SlideText(text, size, is_bold=is_title) for text in paragraphs if text]:
        yield texts


def list_paragraphs(node: Node) -> Iterator[Node]:
    """Without those of tables."""
    for child in node.elements:
        if child.kind in ("p", "h"):
            yield child
        elif child.kind != "table":
            yield from list_paragraphs(child)


def list_notes(page: Node, readers: Readers) -> Iterator[Below]:
    for notes in page.find_all("notes"):
        texts = [text for text in map(readers.join_text, list_paragraphs(notes)) if text]
        if texts:
            yield Note("[notes of the speaker]")
        yield from map(Paragraph, texts)

"""Drawings of words (SmartArt), whose text stands in a part of its own, and objects of other programs."""

from collections.abc import Iterator, Mapping

from reader.gaps import Gap
from reader.layout.blocks import Paragraph
from reader.markup.safe_xml import Node
from reader.office.package import Package
from reader.office.words import join_text

MAX_TEXTS = 1000
OBJECTS = ("oleObject", "package")
REASON = "The file has an object of another program, {}, which is not read: only its picture is."


def read_diagrams(package: Package, relations: Mapping[str, tuple[str, str]], node: Node) -> Iterator[Paragraph]:
    """Texts of the drawings below the node, in the order in which the file keeps them."""
    for drawing in node.find_all("relIds"):
        _, part = relations.get(drawing.get("dm"), ("", ""))
        root = package.parse_if_there(part)
        points = list(root.find_all("pt"))[:MAX_TEXTS] if root else []
        texts = (" ".join(filter(None, map(join_text, point.find_all("p")))) for point in points)
        yield from (Paragraph(text) for text in texts if text)


def list_objects(package: Package, relations: Mapping[str, tuple[str, str]]) -> Iterator[Gap]:
    parts = sorted({part for kind, part in relations.values() if kind in OBJECTS and part in package.names})
    for part in parts:
        name = part.rpartition("/")[2]
        yield Gap("embedded", REASON.format(name[:80]), None, name)

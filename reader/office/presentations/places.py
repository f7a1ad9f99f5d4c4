"""Where shapes of a slide stand: by themselves, inside of groups, or where the template says (ECMA-376, 20.1.7)."""

from collections.abc import Mapping
from typing import NamedTuple

from reader.markup.safe_xml import Node
from reader.office.presentations.templates import Templates

MAX_DIGITS = 11
# Templates call these otherwise than their slides do.
SAME = {"ctrTitle": "title", "subTitle": "body", "": "body", "obj": "body"}


class Area(NamedTuple):
    x: float
    y: float
    width: float
    height: float

    def scale(self, factor: float) -> "Area":
        return Area(*(each * factor for each in self))


class Frame(NamedTuple):
    """Turns places inside of a group into places on the slide."""

    scale_x: float
    scale_y: float
    shift_x: float
    shift_y: float

    def place(self, area: Area) -> Area:
        x, y = area.x * self.scale_x + self.shift_x, area.y * self.scale_y + self.shift_y
        return Area(x, y, area.width * self.scale_x, area.height * self.scale_y)


EVERYWHERE = Frame(1.0, 1.0, 0.0, 0.0)


def read_area(transform: Node | None, offset: str = "off", extent: str = "ext") -> Area | None:
    """Read an area from a:xfrm; none where it says nothing, or nothing sensible."""
    corner, size = (transform.find(offset), transform.find(extent)) if transform else (None, None)
    if corner is None or size is None:
        return None
    numbers = [read_length(corner.get("x")), read_length(corner.get("y"))]
    numbers += [read_length(size.get("cx")), read_length(size.get("cy"))]
    return Area(*(each for each in numbers if each is not None)) if None not in numbers else None


def read_length(text: str) -> float | None:
    digits = text.removeprefix("-")
    return float(text) if digits.isdecimal() and len(digits) <= MAX_DIGITS else None


def read_frame(transform: Node | None, outer: Frame) -> Frame:
    """Read the frame of a group."""
    area, inner = read_area(transform), read_area(transform, "chOff", "chExt")
    if area is None or inner is None or not inner.width or not inner.height:
        return outer
    placed = outer.place(area)
    scale_x, scale_y = placed.width / inner.width, placed.height / inner.height
    return Frame(scale_x, scale_y, placed.x - inner.x * scale_x, placed.y - inner.y * scale_y)


class Placeholders:
    """The places that a slide's layout, and that one's master, give to what says none itself."""

    def __init__(self, templates: Templates, relations: Mapping[str, tuple[str, str]]) -> None:
        self.templates = templates
        self.relations = relations
        self.levels: list[list[tuple[str, str, Area]]] | None = None

    def find(self, kind: str, index: str) -> Area | None:
        if self.levels is None:
            self.levels = self.read_levels()
        for level in self.levels:
            by_index = (area for _, number, area in level if index and number == index)
            by_kind = (area for each, _, area in level if SAME.get(each, each) == SAME.get(kind, kind))
            if area := next(by_index, None) or next(by_kind, None):
                return area
        return None

    def read_levels(self) -> list[list[tuple[str, str, Area]]]:
        return [list_placed(template.root) for template in self.templates.list_for(self.relations)]


def list_placed(root: Node) -> list[tuple[str, str, Area]]:
    """(kind, index, area) of each placeholder that has a place."""
    placed = []
    for shape in root.find_all("sp"):
        place, area = shape.find("nvSpPr", "nvPr", "ph"), read_area(shape.find("spPr", "xfrm"))
        if place is not None and area is not None:
            placed.append((place.get("type"), place.get("idx"), area))
    return placed

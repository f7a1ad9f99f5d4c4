"""Charts of Office Open XML as the small tables that they are drawn from, by the values that the file keeps of them."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from reader.gaps import Gap
from reader.layout.blocks import Cell, Table
from reader.markup.safe_xml import Node
from reader.office.escapes import decode_escapes
from reader.office.formats.values import format_value
from reader.office.package import Package

MAX_SERIES, MAX_POINTS = 50, 1000
NAMES, VALUES = ("cat", "xVal"), ("val", "yVal")
NO_VALUES = "A chart is drawn from values that the file does not keep."


class Series(NamedTuple):
    name: str
    categories: Mapping[int, str]
    values: Mapping[int, str]


def read_charts(package: Package, relations: Mapping[str, tuple[str, str]], node: Node) -> Iterator[Table | Gap]:
    """The charts that stand below the node, by the ids of the part's relations."""
    for frame in node.find_all("chart"):
        _, part = relations.get(frame.get("id"), ("", ""))
        if part in package.names:
            yield read_chart(package.parse(part))


def read_chart(root: Node) -> Table | Gap:
    series = [read_series(node) for node in list_series(root)]
    title = next((text for node in root.find_all("title") if (text := join_rich_text(node))), "")
    places = sorted({at for each in series for at in each.values})[:MAX_POINTS]
    if not places:
        return Gap("embedded", f"{NO_VALUES} Its title is “{title}”." if title else NO_VALUES)
    head = [Cell(text, is_head=True) for text in ("", *(each.name for each in series))]
    names = {at: name for each in reversed(series) for at, name in each.categories.items()}
    rows = [
        [Cell(names.get(at, "")), *(Cell(each.values.get(at, ""), is_number=True) for each in series)] for at in places
    ]
    titles = [[Cell(title, columns=len(head), is_head=True)]] if title else []
    return Table([*titles, head, *rows] if any(cell.text for cell in head) else [*titles, *rows])


def list_series(root: Node) -> Iterator[Node]:
    for count, node in enumerate(root.find_all("ser")):
        if count == MAX_SERIES:
            return
        yield node


def read_series(node: Node) -> Series:
    name = node.find("tx")
    categories = next((part for part in node.elements if part.kind in NAMES), None)
    values = next((part for part in node.elements if part.kind in VALUES), None)
    named = " ".join(read_points(name).values()) if name else ""
    return Series(named or (join_values(name) if name else ""), read_points(categories), read_points(values))


def join_values(node: Node) -> str:
    return " ".join(value.own_text for value in node.find_all("v"))


def read_points(node: Node | None) -> dict[int, str]:
    """By their numbers. Names on several levels are joined, from the outermost."""
    points: dict[int, str] = {}
    if node is None:
        return points
    levels = [*node.find_all("lvl")] or [node]
    for level in reversed(levels):
        code = next((code.own_text for code in level.find_all("formatCode")), "General")
        for point in level.find_all("pt"):
            value, number = point.find("v"), point.get("idx")
            if value is not None and number.isdecimal() and len(number) < 7:
                text = format_cached(value.own_text, point.get("formatCode") or code)
                points[int(number)] = f"{points[int(number)]} {text}" if int(number) in points else text
    return points


def format_cached(text: str, code: str) -> str:
    try:
        return format_value(float(text), code).text
    except ValueError:
        return decode_escapes(text)


def join_rich_text(node: Node) -> str:
    return " ".join("".join(text.own_text for text in line.find_all("t")) for line in node.find_all("p")).strip()

"""SVG through resvg, which knows no script: once drawn it is a picture like any other."""

import io
from typing import BinaryIO

import resvg_py

from reader.failures import Unreadable, make_damage_error
from reader.gaps import Gap
from reader.layout.fonts import FILES, FOLDER
from reader.markup.plain_lines import read_bytes
from reader.markup.safe_xml import Node, parse_xml
from reader.sandbox.limits import budget
from reader.texts import decode

# Enough to recognize the letters of an A4 page, and little enough for a picture with transparency.
LONGEST_SIDE = 2400
FONT = "DejaVu Sans"
SQUARE = (1.0, 1.0)
MAX_RATIO = 100
NOT_DRAWN = (
    "A part of this drawing is laid out as a web page (foreignObject), which is not drawn here and so not read. Save "
    "the drawing as a PDF, then upload that."
)


def rasterize(file: BinaryIO) -> tuple[BinaryIO, list[Gap]]:
    """A PNG file of it on white. Raises Unreadable; entities and what lies elsewhere are not followed."""
    data = read_bytes(file)
    root = parse_xml(data)
    gaps = [Gap("embedded", NOT_DRAWN)] if next(iter(root.find_all("foreignObject")), None) else []
    width, height = measure(root)
    if max(width, height) > MAX_RATIO * min(width, height):
        raise Unreadable(f"The picture has one side more than {MAX_RATIO} times as long as the other.")
    budget.allow_drawing()
    try:
        picture = resvg_py.svg_to_bytes(
            svg_string=decode(data).lstrip("\ufeff"),
            width=max(1, round(LONGEST_SIDE * min(1.0, width / height))),
            background="#ffffff",
            skip_system_fonts=True,
            font_files=[str(FOLDER / name) for name in FILES.values()],
            font_family=FONT,
            serif_family=FONT,
            sans_serif_family=FONT,
            cursive_family=FONT,
            fantasy_family=FONT,
            monospace_family="DejaVu Sans Mono",
        )
    except ValueError as error:
        raise make_damage_error("it starts like an SVG picture, but cannot be drawn") from error
    return io.BytesIO(picture), gaps


def measure(root: Node) -> tuple[float, float]:
    """Width and height, of which only the ratio counts: of the view box, which is what is drawn."""
    box = root.get("viewBox").replace(",", " ").split()[2:]
    for pair in (box, [root.get("width"), root.get("height")]):
        sides = [read_length(side) for side in pair]
        if len(sides) == 2 and all(sides):
            return sides[0], sides[1]
    return SQUARE


def read_length(text: str) -> float:
    """0 for what is no length of its own, such as a percentage."""
    try:
        length = float(text.removesuffix("px").removesuffix("pt").removesuffix("mm"))
    except ValueError:
        return 0.0
    return length if 0.01 < length < 1e6 else 0.0

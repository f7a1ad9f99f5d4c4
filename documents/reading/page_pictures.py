"""Pages, or parts of them, as small pictures for a model that sees."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from typing import TypeAlias

from PIL import Image

from documents.models import Page
from documents.reading.pages import draw_image
from kit.errors import Invalid

Area: TypeAlias = tuple[float, float, float, float]
"""Left, top, right and bottom, as fractions of the page."""
WHOLE: Area = (0.0, 0.0, 1.0, 1.0)
# What providers look at: of a larger picture they make a smaller one themselves, and charge for it as it is.
LONGEST_SIDE = 1568
DRAWN_WIDTH, WIDEST = 1200, 2400
SMALLEST_PART = 0.02
QUALITY = 80
WRONG_AREA = (
    "area is four numbers from 0 to 1: left, top, right and bottom of the part, such as [0, 0.5, 1, 1] for the lower "
    "half. Right is greater than left and bottom than top, by 0.02 at least."
)


def check_area(numbers: Sequence[float]) -> Area:
    """Raises Invalid."""
    if len(numbers) != 4 or not all(math.isfinite(number) and 0 <= number <= 1 for number in numbers):
        raise Invalid(WRONG_AREA)
    left, top, right, bottom = numbers
    if min(right - left, bottom - top) < SMALLEST_PART:
        raise Invalid(WRONG_AREA)
    return left, top, right, bottom


def make_picture(page: Page, area: Area = WHOLE) -> bytes:
    """As JPEG. `page.reading.document` is read. Raises what `draw_image` does."""
    width = min(WIDEST, round(DRAWN_WIDTH / (area[2] - area[0])))
    with draw_image(page, width) as file, Image.open(file, formats=["WEBP"]) as drawn:
        edges = [round(edge * drawn.size[at % 2]) for at, edge in enumerate(area)]
        part = drawn.convert("RGB").crop((edges[0], edges[1], max(edges[2], edges[0] + 1), max(edges[3], edges[1] + 1)))
    part.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    data = io.BytesIO()
    part.save(data, "JPEG", quality=QUALITY)
    return data.getvalue()

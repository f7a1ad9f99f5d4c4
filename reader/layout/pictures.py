"""Pictures in files whose pages are made here: how large they are set, how they are drawn, and what they say."""

import io
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple, get_args

from PIL import Image
from PIL.Image import DecompressionBombError, DecompressionBombWarning

from reader.failures import Unreadable
from reader.kinds import HEAD_BYTES, Kind, Picture, detect_kind
from reader.ocr.clippings import read_clipping
from reader.pages import Limits
from reader.pictures.images import FORMATS, MAX_SHAPE, SIDEWAYS, ImageSource, read_orientation
from reader.pictures.parts import check_parts
from reader.words import Word

POINTS_A_PIXEL = 0.75
MAX_WIDTH, MAX_HEIGHT = 499.0, 500.0
# In points: what is smaller is a bullet, or counts who opens a mail.
SMALLEST = 6.0
# In points, as for pictures on the pages of a PDF.
READ_LENGTH, READ_THICKNESS = 60.0, 8.0
LIMITS = Limits(max_bytes=40_000_000, max_pages=50, max_pixels=60_000_000)
# LibreOffice keeps one beside each table of a presentation, in a format of its own.
PREVIEW = b"VCLMTF"
WHOLE = (0.0, 0.0, 1.0, 1.0)


class SetPicture(NamedTuple):
    """Where it stands on the page, in points."""

    x: float
    y: float
    width: float
    height: float
    data: bytes

    @property
    def is_readable(self) -> bool:
        sides = self.width, self.height
        return max(sides) > READ_LENGTH and min(sides) > READ_THICKNESS


BROKEN = (Unreadable, OSError, ValueError, SyntaxError, EOFError, DecompressionBombError, DecompressionBombWarning)


def measure_picture(data: bytes) -> tuple[float, float] | None:
    """In points, as large as it is set; none for what cannot be drawn."""
    try:
        width, height = read_size(data)
    except BROKEN:
        return None
    if width * height > LIMITS.max_pixels or is_line(width, height):
        return None
    scale = min(POINTS_A_PIXEL, MAX_WIDTH / width, MAX_HEIGHT / height)
    return width * scale, height * scale


def is_line(width: int, height: int) -> bool:
    return max(width, height) > MAX_SHAPE * min(width, height)


def is_of_unread_kind(data: bytes) -> bool:
    """Whether somebody may see words in it elsewhere; nothing is lost with a mere line, or a preview of a table."""
    if not data or data.startswith(PREVIEW):
        return False
    try:
        return not is_line(*read_size(data))
    except BROKEN:
        return True


def read_size(data: bytes) -> tuple[int, int]:
    """Read the size of the first frame, as shown, from its head: a file may have hundreds. Raises what Pillow does."""
    kind = require_kind(data)
    with Image.open(io.BytesIO(data), formats=FORMATS.get(kind, [kind.upper()])) as image:
        width, height = image.size
        # A PNG's mark may stand behind the pixels.
        is_turned = kind == "jpeg" and read_orientation(image) in SIDEWAYS
    return (height, width) if is_turned else (width, height)


def open_picture(data: bytes) -> ImageSource:
    """Raises Unreadable."""
    return ImageSource(io.BytesIO(data), require_kind(data), LIMITS)


def require_kind(data: bytes) -> Kind:
    kind = detect_kind(data[:HEAD_BYTES])
    if kind not in get_args(Picture) or kind == "svg":
        raise Unreadable("It is no picture that can be drawn here.")
    check_parts(io.BytesIO(data), kind)
    return kind


def draw_picture(placed: SetPicture, scale: float) -> Image.Image:
    """Raises Unreadable where it breaks off."""
    size = max(1, round(placed.width * scale)), max(1, round(placed.height * scale))
    return open_picture(placed.data).draw(1, size[0]).resize(size)


def read_picture(placed: SetPicture, width: float, height: float) -> Iterator[Word]:
    """Its words, on a page of that size."""
    for word in recognize_picture(placed.data):
        x0, x1 = ((placed.x + edge * placed.width) / width for edge in (word.x0, word.x1))
        y0, y1 = ((placed.y + edge * placed.height) / height for edge in (word.y0, word.y1))
        yield word._replace(x0=x0, y0=y0, x1=x1, y1=y1)


@lru_cache(maxsize=8)
def recognize_picture(data: bytes) -> tuple[Word, ...]:
    """Remembered, for the logo that every slide repeats."""
    try:
        return tuple(read_clipping(open_picture(data).open_frame(1), WHOLE))
    except Unreadable:
        return ()

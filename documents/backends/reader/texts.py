"""Plain text: decoded, set on pages in fixed cells, and drawn in exactly those cells."""

import re
from functools import lru_cache
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from documents.backends.reader.failures import OverLimit, Unreadable
from documents.backends.reader.pages import Limits, PageWords, Wanted
from documents.backends.words import Word

WIDTH, HEIGHT, MARGIN = 595.0, 842.0, 40.0
ROWS, COLUMNS = 60, 100
PITCH = (HEIGHT - 2 * MARGIN) / ROWS
CELL = (WIDTH - 2 * MARGIN) / COLUMNS
FONT_SIZE = 8.5
GLYPHS = ("DejaVuSansMono.ttf", "LiberationMono-Regular.ttf")
BYTE_ORDER_MARKS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))

Font = ImageFont.FreeTypeFont | ImageFont.ImageFont


class TextSource:
    def __init__(self, path: Path, limits: Limits) -> None:
        self.pages = paginate(decode(path.read_bytes()), limits.max_pages)
        self.sizes = [(WIDTH, HEIGHT)] * len(self.pages)

    def read(self, number: int, wanted: Wanted) -> PageWords:
        words = [word for row, line in enumerate(self.pages[number - 1]) for word in words_of(line, row)]
        numbers = {row: count for count, row in enumerate(dict.fromkeys(w.line for w in words), start=1)}
        numbered = [w._replace(line=numbers[w.line]) for w in words]
        return PageWords(number, WIDTH, HEIGHT, 0, "plain", 100, numbered)

    def draw(self, number: int, width: int) -> Image.Image:
        scale = width / WIDTH
        image = Image.new("L", (width, round(HEIGHT * scale)), 255)
        canvas, font = ImageDraw.Draw(image), font_of(FONT_SIZE * scale)
        for row, line in enumerate(self.pages[number - 1]):
            for column, character in enumerate(line):
                if not character.isspace():
                    # Cell by cell, so that the letters stand in the boxes of their words whatever the font is.
                    x, y = MARGIN + (column + 0.5) * CELL, MARGIN + (row + 0.8) * PITCH
                    canvas.text((x * scale, y * scale), character, fill=0, font=font, anchor="ms")
        return image

    def close(self) -> None:
        self.pages = []


def decode(data: bytes) -> str:
    """A byte order mark decides, then strict UTF-8, then cp1252. NUL, which PostgreSQL keeps in no text, is a gap."""
    return _decoded(data).replace("\0", " ")


def _decoded(data: bytes) -> str:
    for mark, encoding in BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def paginate(text: str, max_pages: int) -> list[list[str]]:
    pages: list[list[str]] = []
    for section in text.split("\f"):
        lines = [part for line in section.splitlines() for part in wrap(line.expandtabs(8))]
        pages += [lines[start : start + ROWS] for start in range(0, len(lines), ROWS)]
        if len(pages) > max_pages:
            raise OverLimit(f"The file has more than {max_pages} pages.")
    if not pages:
        raise Unreadable("The file holds no text.")
    return pages


def wrap(line: str) -> list[str]:
    """Parts of at most COLUMNS characters, broken at spaces where there are any."""
    parts = []
    while len(line) > COLUMNS:
        cut = line.rfind(" ", 1, COLUMNS + 1)
        cut = cut if cut > 0 else COLUMNS
        parts.append(line[:cut])
        line = line[cut:].removeprefix(" ")
    return [*parts, line]


def words_of(line: str, row: int) -> list[Word]:
    top = MARGIN + row * PITCH
    y0, y1 = (top + PITCH * 0.1) / HEIGHT, (top + PITCH * 0.95) / HEIGHT
    return [
        Word(found.group(), (MARGIN + found.start() * CELL) / WIDTH, y0, (MARGIN + found.end() * CELL) / WIDTH, y1, row)
        for found in re.finditer(r"\S+", line)
    ]


@lru_cache(maxsize=8)
def font_of(size: float) -> Font:
    for name in GLYPHS:
        try:
            return ImageFont.truetype(name, size)
        except OSError:
            continue
    return ImageFont.load_default(size)

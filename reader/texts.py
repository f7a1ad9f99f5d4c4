"""Plain text: decoded, set on pages in fixed cells, and drawn in exactly those cells."""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import BinaryIO

from PIL import Image, ImageDraw, ImageFont

from reader.encodings import DecodedText, decode_text
from reader.failures import OverLimit, Unreadable
from reader.frames import EngineChoice
from reader.gaps import Gap
from reader.newest_file import NewestFile
from reader.pages import Limits, PageWords
from reader.words import MAX_INDENT, Word

WIDTH, HEIGHT, MARGIN = 595.0, 842.0, 40.0
ROWS, COLUMNS = 60, 100
PITCH = (HEIGHT - 2 * MARGIN) / ROWS
CELL = (WIDTH - 2 * MARGIN) / COLUMNS
FONT_SIZE = 8.5
GLYPHS = ("DejaVuSansMono.ttf", "LiberationMono-Regular.ttf")

BYTES_A_CHARACTER = 4

Pages = list[list[str]]
Font = ImageFont.FreeTypeFont | ImageFont.ImageFont


class TextSource:
    def __init__(self, file: BinaryIO, limits: Limits) -> None:
        self.pages, decoded = newest.get(file, limits.kept_by, lambda: read_pages(file, limits))
        self.sizes = [(WIDTH, HEIGHT)] * len(self.pages)
        self.gaps: list[Gap] = list(decoded.list_gaps())

    def read(self, number: int, choice: EngineChoice) -> PageWords:
        words = [word for row, line in enumerate(self.pages[number - 1]) for word in make_words(line, row)]
        numbers = {row: count for count, row in enumerate(dict.fromkeys(w.line for w in words), start=1)}
        numbered = [w._replace(line=numbers[w.line]) for w in words]
        return PageWords(number, WIDTH, HEIGHT, 0, "plain", 100, numbered)

    def read_text(self, number: int, choice: EngineChoice) -> PageWords | None:
        return self.read(number, choice)

    def draw(self, number: int, width: int) -> Image.Image:
        scale = width / WIDTH
        image = Image.new("L", (width, round(HEIGHT * scale)), 255)
        canvas, font = ImageDraw.Draw(image), load_font(FONT_SIZE * scale)
        for row, line in enumerate(self.pages[number - 1]):
            for column, character in enumerate(line):
                if not character.isspace():
                    # Cell by cell, so that the letters stand in the boxes of their words whatever the font is.
                    x, y = MARGIN + (column + 0.5) * CELL, MARGIN + (row + 0.8) * PITCH
                    canvas.text((x * scale, y * scale), character, fill=0, font=font, anchor="ms")
        return image

    def close(self) -> None:
        self.pages = []


newest: NewestFile[tuple[Pages, DecodedText]] = NewestFile()


def read_pages(file: BinaryIO, limits: Limits) -> tuple[Pages, DecodedText]:
    decoded = decode_text(read_bounded(file, limits.max_pages), chosen=limits.encoding)
    return paginate(decoded.text, limits.max_pages), decoded._replace(text="")


def read_bounded(file: BinaryIO, max_pages: int) -> bytes:
    """Raises OverLimit for more bytes than the characters of so many pages can take."""
    data = file.read(BYTES_A_CHARACTER * count_max_characters(max_pages) + 1)
    if len(data) > BYTES_A_CHARACTER * count_max_characters(max_pages):
        raise make_too_many_error(max_pages)
    return data


def count_max_characters(pages: int) -> int:
    """Full lines, each with a line end or with the space that the wrapping drops."""
    return pages * ROWS * (COLUMNS + 2)


def make_too_many_error(max_pages: int) -> OverLimit:
    return OverLimit(f"The file has more than {max_pages} pages.")


def decode(data: bytes) -> str:
    return decode_text(data).text


def paginate(text: str, max_pages: int) -> Pages:
    if len(text) > count_max_characters(max_pages):
        raise make_too_many_error(max_pages)
    pages: Pages = []
    for section in text.split("\f"):
        rows = split_rows(section)
        while page := list(islice(rows, ROWS)):
            if len(pages) == max_pages:
                raise make_too_many_error(max_pages)
            pages.append(page)
    if not pages:
        raise Unreadable("The file holds no text.")
    return pages


def split_rows(section: str) -> Iterator[str]:
    for line in section.splitlines():
        yield from wrap(line.expandtabs(8))


def wrap(line: str) -> Iterator[str]:
    """Parts of at most COLUMNS characters, broken at spaces where there are any."""
    start = 0
    while len(line) - start > COLUMNS:
        cut = line.rfind(" ", start + 1, start + COLUMNS + 1)
        cut = cut if cut > start else start + COLUMNS
        yield line[start:cut]
        start = cut + line.startswith(" ", cut)
    yield line[start:]


def make_words(line: str, row: int) -> list[Word]:
    top = MARGIN + row * PITCH
    y0, y1 = (top + PITCH * 0.1) / HEIGHT, (top + PITCH * 0.95) / HEIGHT
    words = [
        Word(match.group(), (MARGIN + match.start() * CELL) / WIDTH, y0, (MARGIN + match.end() * CELL) / WIDTH, y1, row)
        for match in re.finditer(r"\S+", line)
    ]
    indent = min(len(line) - len(line.lstrip()), MAX_INDENT)
    return [words[0]._replace(indent=indent), *words[1:]] if words and indent else words


@lru_cache(maxsize=8)
def load_font(size: float) -> Font:
    for name in GLYPHS:
        try:
            return ImageFont.truetype(name, size)
        except OSError:
            continue
    return ImageFont.load_default(size)

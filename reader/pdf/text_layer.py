"""The text layer of a PDF page as words: boxes as shown, hidden text marked."""

import ctypes
import math
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt
import pypdfium2 as pdfium
import pypdfium2.raw as raw
from PIL import Image

from reader.failures import OverLimit
from reader.pdf.letter_spacing import join_letters
from reader.words import DOWNWARD, HIDDEN, UPWARD, Word

# Ten times a newspaper's page.
MAX_CHARACTERS = 200_000
MIN_USABLE = 16
MAX_GARBLED = 0.1
# PDFium's device coordinates are integers: a large device keeps six decimals.
DEVICE = 1_000_000
TINY_POINTS = 2.0
# In character heights; a space is about a quarter.
APART = 0.4
FAINT_CONTRAST = 8
LIGHT = 200
CLOSE_TO_GROUND = 24
MIN_ALPHA = 16
# In degrees, clockwise.
DIRECTIONS, MAX_SLANT = {90: DOWNWARD, 270: UPWARD}, 10
LINE_END_HYPHENS = (0x02, 0xFFFE)
NO_BREAK_FILLERS = (0x200B, 0xFEFF, 0xAD)
INVISIBLE_MODES = (raw.FPDF_TEXTRENDERMODE_INVISIBLE, raw.FPDF_TEXTRENDERMODE_CLIP)
STROKE_MODES = (raw.FPDF_TEXTRENDERMODE_STROKE, raw.FPDF_TEXTRENDERMODE_STROKE_CLIP)

Pixels = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class TextLayer:
    words: list[Word]
    characters: int
    garbled_characters: int
    is_tiny: bool = False

    @property
    def visible(self) -> bool:
        return any(not word.hidden for word in self.words)

    @property
    def garbled(self) -> bool:
        return self.garbled_characters > MAX_GARBLED * self.characters

    @property
    def usable(self) -> bool:
        return self.characters >= MIN_USABLE and not self.garbled

    def drop_visible(self, but: Sequence[Word]) -> "TextLayer":
        return replace(self, words=[word for word in self.words if word.hidden or word in but])


@dataclass
class Span:
    """Characters of one word: UTF-16 units and the box around them in page space (y upwards)."""

    first: int
    units: list[int] = field(default_factory=list)
    left: float = float("inf")
    bottom: float = float("inf")
    right: float = float("-inf")
    top: float = float("-inf")

    @property
    def text(self) -> str:
        return b"".join(unit.to_bytes(2, "little") for unit in self.units).decode("utf-16-le", "replace")

    @property
    def size(self) -> float:
        """About the font size in points; text that runs upwards is narrow instead of low."""
        height, width = self.top - self.bottom, self.right - self.left
        return height if len(self.units) < 3 else min(height, width)

    def is_apart_from(self, box: raw.FS_RECTF) -> bool:
        """PDFium adds no space between single figures of neighbouring table columns."""
        across = max(box.left - self.right, self.left - box.right)
        upright = max(box.bottom - self.top, self.bottom - box.top)
        size = max(box.top - box.bottom, box.right - box.left)
        return bool(max(across, upright) > APART * size)

    def add(self, unit: int, box: raw.FS_RECTF) -> None:
        self.units += count_utf16_units(unit)
        self.left, self.right = min(self.left, box.left), max(self.right, box.right)
        self.bottom, self.top = min(self.bottom, box.bottom), max(self.top, box.top)


def count_utf16_units(code: int) -> list[int]:
    """PDFium gives characters outside the basic plane as one code or as two surrogates, by version."""
    if code < 0x10000:
        return [code]
    return [0xD800 + ((code - 0x10000) >> 10), 0xDC00 + ((code - 0x10000) & 0x3FF)]


def open_textpage(page: pdfium.PdfPage) -> pdfium.PdfTextPage:
    """Raises OverLimit for more text than a page may have."""
    textpage = page.get_textpage()
    count = textpage.count_chars()
    if count > MAX_CHARACTERS:
        raise OverLimit(f"A page of the PDF has {count:,} characters of text; the limit is {MAX_CHARACTERS:,}.")
    return textpage


def read_text_layer(page: pdfium.PdfPage, textpage: pdfium.PdfTextPage, preview: Image.Image, unit: float) -> TextLayer:
    """preview: the page as shown, grey, about a pixel a point; it tells which words can be seen. unit: in points."""
    pixels: Pixels = np.asarray(preview)
    words, is_tiny = [], True
    for span in find_spans(textpage):
        word = make_word(page, span)
        tiny = span.size * unit < TINY_POINTS
        is_tiny = is_tiny and tiny
        hidden = tiny or is_hidden(textpage, span, word, pixels)
        flags = find_direction(page, textpage, span) | (HIDDEN if hidden else 0)
        x0, y0, x1, y1 = (min(1.0, max(0.0, edge)) for edge in word[1:5])
        words.append(Word(word.text, x0, y0, x1, y1, flags=flags))
    words = join_letters(words, preview.width / preview.height)
    visible = "".join(word.text for word in words if not word.hidden)
    return TextLayer(words, len(visible), sum(map(is_garbled, visible)), is_tiny and bool(words))


def find_spans(textpage: pdfium.PdfTextPage) -> Iterator[Span]:
    """Runs of characters between spaces; PDFium itself adds the spaces and line ends that the layout implies."""
    handle, box = textpage.raw, raw.FS_RECTF()
    span: Span | None = None
    for index in range(textpage.count_chars()):
        unit = raw.FPDFText_GetUnicode(handle, index)
        if unit in LINE_END_HYPHENS:
            unit = ord("-")
        if unit in NO_BREAK_FILLERS:
            continue
        if unit == 0 or chr(unit).isspace():
            if span:
                yield span
            span = None
        elif raw.FPDFText_GetLooseCharBox(handle, index, box):
            if span and span.is_apart_from(box):
                yield span
                span = None
            span = span or Span(index)
            span.add(unit, box)
    if span:
        yield span


def make_word(page: pdfium.PdfPage, span: Span) -> Word:
    """Page space knows neither /Rotate nor the CropBox; mapping both corners and sorting them applies both."""
    ax, ay = convert_point(page, span.left, span.top)
    bx, by = convert_point(page, span.right, span.bottom)
    return Word(span.text, min(ax, bx), min(ay, by), max(ax, bx), max(ay, by))


def find_direction(page: pdfium.PdfPage, textpage: pdfium.PdfTextPage, span: Span) -> int:
    """UPWARD or DOWNWARD for a word that runs so on the page as shown."""
    clockwise = math.degrees(raw.FPDFText_GetCharAngle(textpage, span.first)) + page.get_rotation()
    return next((flag for angle, flag in DIRECTIONS.items() if abs(clockwise % 360 - angle) < MAX_SLANT), 0)


def convert_point(page: pdfium.PdfPage, x: float, y: float) -> tuple[float, float]:
    device_x, device_y = ctypes.c_int(), ctypes.c_int()
    raw.FPDF_PageToDevice(page, 0, 0, DEVICE, DEVICE, 0, x, y, device_x, device_y)
    return device_x.value / DEVICE, device_y.value / DEVICE


def is_hidden(textpage: pdfium.PdfTextPage, span: Span, word: Word, pixels: Pixels) -> bool:
    if not (0 <= (word.x0 + word.x1) / 2 <= 1 and 0 <= (word.y0 + word.y1) / 2 <= 1):
        return True
    mode = raw.FPDFTextObj_GetTextRenderMode(raw.FPDFText_GetTextObject(textpage, span.first))
    return mode in INVISIBLE_MODES or melts_into_ground(textpage, span.first, mode, word, pixels)


def melts_into_ground(textpage: pdfium.PdfTextPage, index: int, mode: int, word: Word, pixels: Pixels) -> bool:
    """No ink in the word's box, or light ink on an equally light ground (with other text on top of it, perhaps)."""
    region = cut_region(word, pixels)
    if not region.size or not any(character.isalnum() for character in word.text):
        return False
    if int(region.max()) - int(region.min()) < FAINT_CONTRAST:
        return True
    if mode in STROKE_MODES:
        return False
    light, alpha = read_fill(textpage, index)
    return alpha < MIN_ALPHA or (light >= LIGHT and abs(measure_ground(region) - light) < CLOSE_TO_GROUND)


def measure_ground(region: Pixels) -> float:
    """The commonest grey, to the nearest of 16."""
    return float(np.bincount(region.ravel() >> 4).argmax()) * 16 + 8


def cut_region(word: Word, pixels: Pixels) -> Pixels:
    """The pixels of the word without the edges, where the lines above and below may reach in."""
    height, width = pixels.shape
    inset = (word.y1 - word.y0) * 0.1
    top, bottom = int((word.y0 + inset) * height), int((word.y1 - inset) * height) + 1
    return pixels[max(0, top) : bottom, max(0, int(word.x0 * width)) : int(word.x1 * width) + 1]


def read_fill(textpage: pdfium.PdfTextPage, index: int) -> tuple[float, int]:
    """Read the lightness of the fill colour and its opacity, both 0 to 255."""
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    if not raw.FPDFText_GetFillColor(textpage, index, red, green, blue, alpha):
        return 0.0, 255
    return 0.299 * red.value + 0.587 * green.value + 0.114 * blue.value, alpha.value


def is_garbled(character: str) -> bool:
    """Replacement, control, private-use and unassigned characters: what fonts without a usable encoding leave."""
    return character == "\ufffd" or unicodedata.category(character) in ("Cc", "Co", "Cn", "Cs")

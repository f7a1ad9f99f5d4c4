"""Reading a picture: which way up it is, then words with boxes."""

import importlib
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import median

from PIL import Image

from reader.ocr.legibility import measure_illegible
from reader.ocr.lines import OcrLine, Recognizer
from reader.ocr.strips import STRIP, StripRecognizer, is_long
from reader.order.lines import number_lines
from reader.sandbox.limits import budget
from reader.words import DOWNWARD, OCR, STRETCH_START, Word

# Longer sides are scaled down by the engine anyway, with a filter that loses thin strokes.
LONGEST_SIDE = 2000
# No letter fits in less, and the engine fails on it.
THINNEST_SIDE = 8
SURE = 0.88
# A line of so many times its width runs up or down the page; a single figure is narrow too.
UPRIGHT = 3.0

Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Recognition:
    """illegible: how much of the lines no letters were recognized for, in percent, which lowers the confidence."""

    rotation: int
    confidence: int
    words: list[Word]
    slope: float
    illegible: int = 0
    doubtful: Sequence[Box] = ()
    """Lines that run up or down the page, which the engine takes to run down, and read badly."""


@dataclass(frozen=True)
class Attempt:
    rotation: int
    size: tuple[int, int]
    lines: list[OcrLine]
    illegible: int = 0

    @property
    def score(self) -> float:
        weight = sum(len(line.text) for line in self.lines)
        return sum(line.score * len(line.text) for line in self.lines) / weight if weight else 0.0

    @property
    def stands_sideways(self) -> bool:
        tall = sum(line.height for line in self.lines if line.height > line.width)
        wide = sum(line.width for line in self.lines if line.width >= line.height)
        return tall > wide


@lru_cache(maxsize=1)
def get_recognizer() -> Recognizer:
    # Loading the engine takes a second and 200 MB; most files never need it. This process is the reader's own,
    # so the late import hides no cycle.
    backend: Recognizer = importlib.import_module("reader.ocr.rapidocr_engine").RapidOcrRecognizer()
    return backend


def recognize(picture: Image.Image) -> Recognition:
    budget.allow_recognizing()
    picture = shrink(picture)
    if min(picture.size) < THINNEST_SIDE:
        return Recognition(0, 100, [], 0.0)
    best = choose_attempt(picture, StripRecognizer(get_recognizer()))
    slope = measure_slope(best)
    words = [word for line in best.lines for word in split_line(line, best.size)]
    confidence = round(best.score * (100 - best.illegible))
    doubtful = [frame_line(line, best.size) for line in best.lines if is_upright(line) and line.score < SURE]
    return Recognition(best.rotation, confidence, number_lines(words, slope), slope, best.illegible, doubtful)


def choose_attempt(picture: Image.Image, engine: Recognizer) -> Attempt:
    def attempt(rotation: int) -> Attempt:
        turned = rotate_picture(picture, rotation)
        lines = engine.find_lines(turned)
        return Attempt(rotation, turned.size, [line for line in lines if line.text.strip()], measure_illegible(lines))

    best = attempt(0)
    if best.stands_sideways:
        # The engine turns tall lines to the left itself: text that it then read well needs that turn.
        likely, other = (270, 90) if best.score >= SURE else (90, 270)
        best = attempt(likely)
        if best.score < SURE:
            best = max(best, attempt(other), key=lambda a: a.score)
    if best.lines and best.score < SURE:
        best = max(best, attempt((best.rotation + 180) % 360), key=lambda a: a.score)
    return best


def rotate_picture(picture: Image.Image, rotation: int) -> Image.Image:
    """Clockwise by 0, 90, 180 or 270 degrees."""
    return picture.rotate(-rotation, expand=True) if rotation else picture


def shrink(picture: Image.Image) -> Image.Image:
    whole = STRIP * min(picture.size) if is_long(picture.size) else max(picture.size)
    scale = LONGEST_SIDE / whole
    if scale >= 1:
        return picture
    size = (max(1, round(picture.width * scale)), max(1, round(picture.height * scale)))
    return picture.resize(size, Image.Resampling.BICUBIC, reducing_gap=3.0)


def measure_slope(best: Attempt) -> float:
    """Measure how far lines sink to the right, in page fractions, by the long ones, whose corners tell it best."""
    width, height = best.size
    slopes = []
    for line in best.lines:
        (x0, y0), (x1, y1) = line.quad[0], line.quad[1]
        if x1 - x0 > 3 * line.height:
            slopes.append((y1 - y0) / (x1 - x0))
    return median(slopes) * width / height if len(slopes) >= 3 else 0.0


def split_line(line: OcrLine, size: tuple[int, int]) -> list[Word]:
    width, height = size
    direction = DOWNWARD if is_upright(line) else 0
    return [
        Word(
            word.text,
            clamp(word.box[0] / width),
            clamp(word.box[1] / height),
            clamp(word.box[2] / width),
            clamp(word.box[3] / height),
            flags=(OCR if index else OCR | STRETCH_START) | direction,
            confidence=round(word.score * 100),
        )
        for index, word in enumerate(line.words)
    ]


def is_upright(line: OcrLine) -> bool:
    """Lines of Chinese or Japanese that run down the page have level letters."""
    wide = sum(unicodedata.east_asian_width(letter) in "WF" for letter in line.text)
    return line.height > UPRIGHT * line.width and 2 * wide <= len(line.text)


def frame_line(line: OcrLine, size: tuple[int, int]) -> Box:
    xs, ys = [x / size[0] for x, _ in line.quad], [y / size[1] for _, y in line.quad]
    return clamp(min(xs)), clamp(min(ys)), clamp(max(xs)), clamp(max(ys))


def clamp(fraction: float) -> float:
    return min(1.0, max(0.0, fraction))

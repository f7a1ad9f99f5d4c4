"""Reading the picture of a whole page: what the engine sees on it, and what it sees only when it looks closer."""

from collections.abc import Sequence
from dataclasses import replace

from PIL import Image

from reader.ocr.clippings import read_clipping
from reader.ocr.lone_lines import read_lone_lines
from reader.ocr.recognition import Box, Recognition, recognize, rotate_picture, shrink
from reader.order.lines import number_lines
from reader.sandbox.limits import budget
from reader.words import Word, measure_confidence

# The longest lines of a page are tried so.
MAX_UPRIGHT = 8


def recognize_page(picture: Image.Image) -> Recognition:
    budget.allow_recognizing()
    # Under the same name: a large picture is let go as soon as there is the smaller one.
    picture = shrink(picture)
    recognized = recognize(picture)
    if recognized.rotation:
        picture = rotate_picture(picture, recognized.rotation)
    words = read_upright_lines(picture, recognized)
    # Where it saw lines without letters that it knows, a closer look finds none either.
    lone = [] if recognized.illegible else read_lone_lines(picture, words)
    if not lone and words is recognized.words:
        return recognized
    merged = [*words, *lone]
    lines, sureness = number_lines(merged, recognized.slope), measure_confidence(merged)
    return replace(recognized, words=lines, confidence=round(sureness * (100 - recognized.illegible) / 100))


def read_upright_lines(picture: Image.Image, recognized: Recognition) -> list[Word]:
    """All words, those anew that run up the page: the engine turns every tall line the same way."""
    words = recognized.words
    for box in sorted(recognized.doubtful, key=measure_height, reverse=True)[:MAX_UPRIGHT]:
        again = list(read_clipping(picture, add_air(box)))
        if again:
            words = [*(word for word in words if not is_in_line(word, box)), *again]
    return words


def measure_height(box: Box) -> float:
    return box[3] - box[1]


def add_air(box: Box) -> Box:
    air = (box[2] - box[0]) / 4
    return max(0.0, box[0] - air), max(0.0, box[1] - air), min(1.0, box[2] + air), min(1.0, box[3] + air)


def is_in_line(word: Word, box: Sequence[float]) -> bool:
    x, y = (word.x0 + word.x1) / 2, (word.y0 + word.y1) / 2
    return word.is_upright and box[0] <= x <= box[2] and box[1] <= y <= box[3]

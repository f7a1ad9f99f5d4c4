"""A part of a picture, read alone: how it is cut out, on which ground it is put, and where its words stand."""

from collections.abc import Iterator, Sequence

import numpy as np
from PIL import Image

from reader.ocr.recognition import Box, recognize
from reader.words import DOWNWARD, UPWARD, Word

# Share of the length: a line alone is no till roll. In pixels: letters that touch the edge are not found.
LOWEST_SHAPE, MARGIN = 0.25, 12
# In percent, of all its words. Ornaments of a logo are read as letters with less, or as a single one.
SURE, MIN_LETTERS = 70, 2
# By the clockwise turn that made it level.
DIRECTIONS = {90: UPWARD, 270: DOWNWARD}


def read_clipping(picture: Image.Image, box: Box) -> Iterator[Word]:
    """Words with their boxes in the picture; none where it is not sure that they are words."""
    clipping = cut(picture, box)
    canvas, left, top = put_on_ground(clipping)
    recognized = recognize(canvas)
    if recognized.confidence >= SURE and sum(len(word.text) for word in recognized.words) >= MIN_LETTERS:
        for word in recognized.words:
            x0, y0, x1, y1 = turn_back(word[1:5], recognized.rotation)
            yield word._replace(
                flags=word.flags | DIRECTIONS.get(recognized.rotation, 0),
                x0=box[0] + fit((x0 * canvas.width - left) / clipping.width) * (box[2] - box[0]),
                x1=box[0] + fit((x1 * canvas.width - left) / clipping.width) * (box[2] - box[0]),
                y0=box[1] + fit((y0 * canvas.height - top) / clipping.height) * (box[3] - box[1]),
                y1=box[1] + fit((y1 * canvas.height - top) / clipping.height) * (box[3] - box[1]),
            )


def cut(picture: Image.Image, box: Box) -> Image.Image:
    left, top = int(box[0] * picture.width), int(box[1] * picture.height)
    right, bottom = round(box[2] * picture.width), round(box[3] * picture.height)
    return picture.crop((left, top, max(left + 1, right), max(top + 1, bottom)))


def put_on_ground(clipping: Image.Image) -> tuple[Image.Image, int, int]:
    """In the middle of a canvas of the colour that its edges have, and where it begins there."""
    minimum = round(LOWEST_SHAPE * max(clipping.size))
    width, height = (max(side, minimum) + 2 * MARGIN for side in clipping.size)
    pixels = np.asarray(clipping)
    edges = np.concatenate([pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]])
    canvas = Image.new(clipping.mode, (width, height), tuple(int(v) for v in np.median(edges, axis=0)))
    left, top = (width - clipping.width) // 2, (height - clipping.height) // 2
    canvas.paste(clipping, (left, top))
    return canvas, left, top


def turn_back(box: Sequence[float], rotation: int) -> Box:
    """Where the box stands on the picture before it was turned clockwise."""
    x0, y0, x1, y1 = box
    for _ in range(rotation // 90):
        x0, y0, x1, y1 = y0, 1 - x1, y1, 1 - x0
    return x0, y0, x1, y1


def fit(fraction: float) -> float:
    return min(1.0, max(0.0, fraction))

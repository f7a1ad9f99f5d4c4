"""Lines alone on a nearly empty page: the engine passes over them, and reads them when it sees nothing else."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt
from PIL import Image

from reader.ocr.clippings import read_clipping
from reader.ocr.recognition import Box
from reader.words import Word

# Letters. A page with more is no nearly empty one, and there the engine finds every line.
SPARSE = 60
# The scan is looked at in half its size, in which specks of a single pixel are gone.
REDUCED = 2
INK_CONTRAST = 48
# Shares of the page: edges have shadows; what is higher is a drawing or photograph; closer lines go together.
EDGE, HIGHEST, APART = 0.015, 0.15, 0.012
# In pixels of the reduced scan.
FEWEST_IN_ROW, LEAST_HEIGHT, LEAST_WIDTH, PADDING = 2, 4, 8, 3
MAX_BANDS = 4

Mask = npt.NDArray[np.bool_]


def read_lone_lines(picture: Image.Image, words: Sequence[Word]) -> list[Word]:
    """picture: of the whole page, upright. words: what the engine saw there. Those that it did not see."""
    if sum(len(word.text) for word in words) >= SPARSE:
        return []
    return [word for box in find_bands(picture, words) for word in read_clipping(picture, box)]


def find_bands(picture: Image.Image, words: Iterable[Word]) -> list[Box]:
    """Where there is ink outside of the words, in fractions; of many the ones with the most."""
    ink = find_ink(picture, words)
    bands = [
        (int(ink[top:bottom].sum()), box) for top, bottom in group_ink_rows(ink) if (box := frame(ink, top, bottom))
    ]
    largest = sorted(bands, reverse=True)[:MAX_BANDS]
    return sorted((box for _, box in largest), key=lambda box: box[1])


def find_ink(picture: Image.Image, words: Iterable[Word]) -> Mask:
    grey = np.asarray(picture.convert("L").reduce(REDUCED)).astype(np.int16)
    ink: Mask = np.abs(grey - int(np.median(grey))) > INK_CONTRAST
    height, width = ink.shape
    across, down = round(EDGE * width), round(EDGE * height)
    ink[:down], ink[height - down :], ink[:, :across], ink[:, width - across :] = False, False, False, False
    for word in words:
        rise = (word.y1 - word.y0) / 3
        top, bottom = max(0, int((word.y0 - rise) * height)), int((word.y1 + rise) * height) + 1
        ink[top:bottom, max(0, int(word.x0 * width) - PADDING) : int(word.x1 * width) + PADDING] = False
    return ink


def group_ink_rows(ink: Mask) -> Iterator[tuple[int, int]]:
    """Top and bottom of each band of rows with ink."""
    rows = np.flatnonzero(ink.sum(axis=1) >= FEWEST_IN_ROW)
    breaks = np.flatnonzero(np.diff(rows) > max(1, APART * ink.shape[0])) + 1
    for part in np.split(rows, breaks):
        if part.size:
            yield int(part[0]), int(part[-1]) + 1


def frame(ink: Mask, top: int, bottom: int) -> Box | None:
    """The band as far as its ink goes, with some air; none for a speck, and none for what is no line."""
    height, width = ink.shape
    columns = np.flatnonzero(ink[top:bottom].any(axis=0))
    left, right = int(columns[0]), int(columns[-1]) + 1
    if not LEAST_HEIGHT <= bottom - top <= HIGHEST * height or right - left < LEAST_WIDTH:
        return None
    return (
        max(0, left - PADDING) / width,
        max(0, top - PADDING) / height,
        min(width, right + PADDING) / width,
        min(height, bottom + PADDING) / height,
    )

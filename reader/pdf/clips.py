"""Small pictures on a page that has its text: a letterhead, a stamp, a line that was pasted in. Each is read alone."""

import time
from collections.abc import Iterable, Sequence

import pypdfium2 as pdfium
from PIL import Image

from reader.ocr.clippings import cut, read_clipping
from reader.ocr.recognition import Box
from reader.pdf.objects import PlacedImage
from reader.pdf.text_layer import convert_point
from reader.words import Word

# In points. What is smaller is an icon, a bullet or a rule.
MIN_WIDTH, MIN_HEIGHT = 60.0, 8.0
# Share of its area. A picture that words stand on is their ground; a few at its edge are not.
COVERED = 0.1
INK_CONTRAST = 60
# Recognize a page's largest ones, and no further one after so much computing.
MAX_CLIPS, MAX_SECONDS = 12, 4.0


def find_clips(
    page: pdfium.PdfPage, images: Iterable[PlacedImage], words: Iterable[Word], preview: Image.Image
) -> list[Box]:
    """Pictures with ink that no words cover, in fractions of the page as shown; the largest first."""
    size = page.get_size()
    visible = [word for word in words if not word.hidden]
    boxes = {place_on_page(page, image) for image in images}
    uncovered = [box for box in boxes if is_large_enough(box, size) and not is_covered(box, visible)]
    return sorted((box for box in uncovered if has_ink(preview, box)), key=measure_area, reverse=True)[:MAX_CLIPS]


def place_on_page(page: pdfium.PdfPage, image: PlacedImage) -> Box:
    x0, y0, x1, y1 = image.bounds
    (ax, ay), (bx, by) = convert_point(page, x0, y1), convert_point(page, x1, y0)
    left, right, top, bottom = (min(1.0, max(0.0, edge)) for edge in (*sorted((ax, bx)), *sorted((ay, by))))
    return left, top, right, bottom


def is_large_enough(box: Box, size: tuple[float, float]) -> bool:
    """Lying or standing."""
    width, height = (box[2] - box[0]) * size[0], (box[3] - box[1]) * size[1]
    return max(width, height) > MIN_WIDTH and min(width, height) > MIN_HEIGHT


def is_covered(box: Box, words: Iterable[Word]) -> bool:
    return sum(measure_overlap(box, word) for word in words) > COVERED * measure_area(box)


def measure_overlap(box: Box, word: Word) -> float:
    width = min(box[2], word.x1) - max(box[0], word.x0)
    height = min(box[3], word.y1) - max(box[1], word.y0)
    return max(0.0, width) * max(0.0, height)


def measure_area(box: Box) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def has_ink(preview: Image.Image, box: Box) -> bool:
    darkest, lightest = cut(preview, box).getextrema()
    return float(lightest) - float(darkest) >= INK_CONTRAST  # type: ignore[arg-type]


def read_clips(picture: Image.Image, clips: Sequence[Box]) -> list[Word]:
    """picture: the page as shown. Words with their boxes on the page."""
    deadline = time.process_time() + MAX_SECONDS
    words: list[Word] = []
    for clip in clips:
        if time.process_time() >= deadline:
            break
        words += read_clipping(picture, clip)
    return words

"""Very long pictures, till rolls above all: read in strips, since the engine shrinks the whole to a fixed length."""

from collections.abc import Iterator

from PIL import Image

from reader.ocr.lines import OcrLine, OcrWord, Recognizer

# Measured with receipts pasted together: up to 4.6 times as long as wide nothing is lost, at 7 times a tenth of the
# words, at 12 times nearly all; in strips one in a hundred.
LONG = 5.0
# Above this a picture is no page any more, and reading it would take too long.
TOO_LONG = 24.0
STRIP = 2.0
OVERLAP = 0.3


class StripRecognizer:
    def __init__(self, engine: Recognizer) -> None:
        self.engine = engine

    def find_lines(self, picture: Image.Image) -> list[OcrLine]:
        if not is_long(picture.size):
            return self.engine.find_lines(picture)
        upright = picture.height > picture.width
        lines = []
        for start, end, own_start, own_end in list_strips(max(picture.size), min(picture.size)):
            box = (0, start, picture.width, end) if upright else (start, 0, end, picture.height)
            for line in self.engine.find_lines(picture.crop(box)):
                moved = move_line(line, 0 if upright else start, start if upright else 0)
                # In the overlap both strips see the line; the one that has its middle keeps it.
                if own_start <= find_middle(moved, upright) < own_end:
                    lines.append(moved)
        return lines


def is_long(size: tuple[int, int]) -> bool:
    return LONG < max(size) / min(size) <= TOO_LONG


def list_strips(length: int, width: int) -> Iterator[tuple[int, int, float, float]]:
    """Start and end of each strip, and of the part that is its own, along the long side."""
    step, overlap = round(width * (STRIP - OVERLAP)), round(width * OVERLAP)
    starts = list(range(0, max(1, length - overlap), step))
    for index, start in enumerate(starts):
        last = index == len(starts) - 1
        end = length if last else start + step + overlap
        own_start = start + overlap / 2 if index else float("-inf")
        yield start, end, own_start, float("inf") if last else end - overlap / 2


def find_middle(line: OcrLine, upright: bool) -> float:
    places = [point[1 if upright else 0] for point in line.quad]
    return (min(places) + max(places)) / 2


def move_line(line: OcrLine, right: float, down: float) -> OcrLine:
    words = [
        OcrWord(w.text, (w.box[0] + right, w.box[1] + down, w.box[2] + right, w.box[3] + down), w.score)
        for w in line.words
    ]
    return OcrLine(line.text, line.score, [(x + right, y + down) for x, y in line.quad], words)

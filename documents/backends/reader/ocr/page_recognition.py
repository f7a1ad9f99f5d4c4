"""Reading the picture of a whole page: what the engine sees on it, and what it sees only when it looks closer."""

from dataclasses import replace

from PIL import Image

from documents.backends.order.lines import number_lines
from documents.backends.reader.ocr.lone_lines import read_lone_lines
from documents.backends.reader.ocr.recognition import Recognition, recognize, rotate_picture, shrink
from documents.backends.reader.sandbox.limits import budget
from documents.backends.words import measure_confidence


def recognize_page(picture: Image.Image) -> Recognition:
    budget.allow_recognizing()
    # Under the same name: a large picture is let go as soon as there is the smaller one.
    picture = shrink(picture)
    recognized = recognize(picture)
    if recognized.illegible:
        # It saw lines; a closer look gives them no letters that it knows.
        return recognized
    words = read_lone_lines(rotate_picture(picture, recognized.rotation), recognized.words)
    if not words:
        return recognized
    merged = [*recognized.words, *words]
    return replace(recognized, words=number_lines(merged, recognized.slope), confidence=measure_confidence(merged))

"""What stands on a PDF page: counted before anything of it is drawn, with the pictures that are large."""

import ctypes
from collections.abc import Iterator

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from documents.backends.reader.failures import OverLimit

MAX_OBJECTS = 300_000
MAX_ANNOTATIONS = 5000
# A page has both text and a picture of text when a picture covers this part of it; a logo covers less.
LARGE_IMAGE = 0.12
# Pictures in forms in forms are still looked at.
IMAGE_DEPTH = 3
DEEPEST = 15


def check_annotations(page: pdfium.PdfPage) -> int:
    """How many there are. Raises OverLimit."""
    count = int(raw.FPDFPage_GetAnnotCount(page))
    if count > MAX_ANNOTATIONS:
        raise OverLimit(f"A page of the PDF has {count:,} notes and form fields; the limit is {MAX_ANNOTATIONS:,}.")
    return count


def list_images(page: pdfium.PdfPage) -> list[raw.FPDF_PAGEOBJECT]:
    """Raises OverLimit where there are too many objects, those of forms counted as often as they are drawn."""
    images = []
    for count, (element, kind, depth) in enumerate(list_objects(page), start=1):
        if count > MAX_OBJECTS:
            raise OverLimit(f"A page of the PDF has more than {MAX_OBJECTS:,} objects to draw.")
        if kind == raw.FPDF_PAGEOBJ_IMAGE and depth < IMAGE_DEPTH:
            images.append(element)
    return images


def list_objects(page: pdfium.PdfPage) -> Iterator[tuple[raw.FPDF_PAGEOBJECT, int, int]]:
    """Each object, its kind and how deep it stands in forms."""
    waiting = [(page, raw.FPDFPage_CountObjects, raw.FPDFPage_GetObject, 0)]
    while waiting:
        parent, count_objects, get_object, depth = waiting.pop()
        for index in range(count_objects(parent)):
            element = get_object(parent, index)
            kind = raw.FPDFPageObj_GetType(element)
            yield element, kind, depth
            if kind == raw.FPDF_PAGEOBJ_FORM and depth < DEEPEST:
                waiting.append((element, raw.FPDFFormObj_CountObjects, raw.FPDFFormObj_GetObject, depth + 1))


def has_large_image(page: pdfium.PdfPage, images: list[raw.FPDF_PAGEOBJECT]) -> bool:
    left, bottom, right, top = page.get_bbox()
    area = max(1.0, (right - left) * (top - bottom))
    for image in images:
        x0, y0, x1, y1 = measure_bounds(image)
        width, height = min(x1, right) - max(x0, left), min(y1, top) - max(y0, bottom)
        if width > 0 and height > 0 and width * height / area >= LARGE_IMAGE:
            return True
    return False


def measure_bounds(image: raw.FPDF_PAGEOBJECT) -> tuple[float, float, float, float]:
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    if not raw.FPDFPageObj_GetBounds(image, left, bottom, right, top):
        return 0.0, 0.0, 0.0, 0.0
    return left.value, bottom.value, right.value, top.value

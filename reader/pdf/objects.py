"""Objects on a PDF page: counted before anything of it is drawn, with the pictures that are large."""

import ctypes
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from reader.failures import OverLimit

MAX_OBJECTS = 300_000
MAX_ANNOTATIONS = 5000
# A page has both text and a picture of text when a picture covers this part of it; a logo covers less.
LARGE_IMAGE = 0.12
# Pictures in forms in forms are still looked at.
IMAGE_DEPTH = 3
DEEPEST = 15
FILTER_BYTES = 32
JPEG_END, JPEG_TAIL = b"\xff\xd9", 4096


def check_annotations(page: pdfium.PdfPage) -> int:
    """Returns their number. Raises OverLimit."""
    count = int(raw.FPDFPage_GetAnnotCount(page))
    if count > MAX_ANNOTATIONS:
        raise OverLimit(f"A page of the PDF has {count:,} notes and form fields; the limit is {MAX_ANNOTATIONS:,}.")
    return count


class PlacedImage(NamedTuple):
    """A picture, and what places it: of the forms that it stands in."""

    element: raw.FPDF_PAGEOBJECT
    placing: pdfium.PdfMatrix

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """Left, bottom, right and top in page space."""
        left, bottom, right, top = (ctypes.c_float() for _ in range(4))
        if not raw.FPDFPageObj_GetBounds(self.element, left, bottom, right, top):
            return 0.0, 0.0, 0.0, 0.0
        bounds: tuple[float, float, float, float] = self.placing.on_rect(
            left.value, bottom.value, right.value, top.value
        )
        return bounds


def list_images(page: pdfium.PdfPage) -> list[PlacedImage]:
    """Raises OverLimit where there are too many objects, those of forms counted as often as they are drawn."""
    images = []
    for count, (element, kind, depth, placing) in enumerate(list_objects(page), start=1):
        if count > MAX_OBJECTS:
            raise OverLimit(f"A page of the PDF has more than {MAX_OBJECTS:,} objects to draw.")
        if kind == raw.FPDF_PAGEOBJ_IMAGE and depth < IMAGE_DEPTH:
            images.append(PlacedImage(element, placing))
    return images


def list_objects(page: pdfium.PdfPage) -> Iterator[tuple[raw.FPDF_PAGEOBJECT, int, int, pdfium.PdfMatrix]]:
    """Each object, its kind, how deep it stands in forms and how these place it."""
    waiting = [(page, raw.FPDFPage_CountObjects, raw.FPDFPage_GetObject, 0, pdfium.PdfMatrix())]
    while waiting:
        parent, count_objects, get_object, depth, placing = waiting.pop()
        for index in range(count_objects(parent)):
            element = get_object(parent, index)
            kind = raw.FPDFPageObj_GetType(element)
            yield element, kind, depth, placing
            if kind == raw.FPDF_PAGEOBJ_FORM and depth < DEEPEST:
                inner = read_matrix(element).multiply(placing)
                waiting.append((element, raw.FPDFFormObj_CountObjects, raw.FPDFFormObj_GetObject, depth + 1, inner))


def read_matrix(form: raw.FPDF_PAGEOBJECT) -> pdfium.PdfMatrix:
    matrix = raw.FS_MATRIX()
    return pdfium.PdfMatrix.from_raw(matrix) if raw.FPDFPageObj_GetMatrix(form, matrix) else pdfium.PdfMatrix()


def has_large_image(page: pdfium.PdfPage, images: Iterable[PlacedImage]) -> bool:
    left, bottom, right, top = page.get_bbox()
    area = max(1.0, (right - left) * (top - bottom))
    for image in images:
        x0, y0, x1, y1 = image.bounds
        width, height = min(x1, right) - max(x0, left), min(y1, top) - max(y0, bottom)
        if width > 0 and height > 0 and width * height / area >= LARGE_IMAGE:
            return True
    return False


def is_cut_picture(image: PlacedImage) -> bool:
    """A JPEG without its end. In its data stands no such mark, so what is behind may be junk."""
    name = ctypes.create_string_buffer(FILTER_BYTES)
    count = raw.FPDFImageObj_GetImageFilterCount(image.element)
    raw.FPDFImageObj_GetImageFilter(image.element, 0, name, FILTER_BYTES)
    if count != 1 or name.value != b"DCTDecode":
        return False
    size = raw.FPDFImageObj_GetImageDataRaw(image.element, None, 0)
    data = ctypes.create_string_buffer(size)
    raw.FPDFImageObj_GetImageDataRaw(image.element, data, size)
    return data.raw.find(JPEG_END, max(0, size - JPEG_TAIL)) < 0

"""Any file as a PDF of the pictures of its pages: one after the other, so that only what is written stays in memory."""

import io
from collections.abc import Sequence
from typing import get_args

import pypdfium2 as pdfium
from PIL import Image

from reader.kinds import Kind, Picture
from reader.pages import Source

POINTS_AN_INCH = 72
PICTURE_DPI = 200
TEXT_DPI = 150
LONGEST_SIDE_PIXELS = 6000
JPEG = {"quality": 85, "optimize": False}
PICTURES: frozenset[Kind] = frozenset(get_args(Picture))


def make_pdf(kind: Kind, source: Source, numbers: Sequence[int] | None = None) -> bytes:
    """numbers: of the pages that are wanted; without it all."""
    pdf = pdfium.PdfDocument.new()
    for number in numbers or range(1, len(source.sizes) + 1):
        width, height = source.sizes[number - 1]
        pixels = width if kind in PICTURES else width * TEXT_DPI / POINTS_AN_INCH
        pixels = min(pixels, LONGEST_SIDE_PIXELS * min(1.0, width / height))
        scale = POINTS_AN_INCH / PICTURE_DPI if kind in PICTURES else 1.0
        _add_page(pdf, source.draw(number, max(1, round(pixels))), width * scale, height * scale)
    return write_pdf(pdf)


def write_pdf(pdf: pdfium.PdfDocument) -> bytes:
    written = io.BytesIO()
    pdf.save(written, version=17)
    pdf.close()
    return written.getvalue()


def _add_page(pdf: pdfium.PdfDocument, picture: Image.Image, width: float, height: float) -> None:
    encoded = io.BytesIO()
    picture.save(encoded, "jpeg", **JPEG)
    image = pdfium.PdfImage.new(pdf)
    image.load_jpeg(encoded, inline=True)
    image.set_matrix(pdfium.PdfMatrix().scale(width, height))
    page = pdf.new_page(width, height)
    page.insert_obj(image)
    page.gen_content()
    page.close()

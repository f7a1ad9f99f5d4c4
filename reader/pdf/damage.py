"""Opening a PDF that may be damaged: its good pages are kept, and for each of the others there is a sentence."""

import io
from dataclasses import dataclass
from functools import cached_property
from typing import BinaryIO

import pypdfium2 as pdfium
import pypdfium2.raw as raw
from PIL import Image, ImageDraw

from reader.failures import OverLimit, Unreadable, make_damage_error
from reader.layout.fonts import load_font
from reader.pages import Limits
from reader.pdf.objects import is_cut_picture, list_images
from reader.pdf.structure import Structure, rebuild
from reader.pdf.user_units import read_user_units
from reader.sandbox.limits import budget

PASSWORD_ERROR, SECURITY_ERROR = raw.FPDF_ERR_PASSWORD, raw.FPDF_ERR_SECURITY
A4 = 595.0, 842.0
LOST = "This page is damaged in the file: it cannot be opened."
BROKEN = "This page is damaged in the file: something that it shows cannot be decoded, and is missing here."
CUT = "This page is damaged in the file: some of what it shows breaks off, and the rest is missing here."
LAST = "The file breaks off here: of this page, or after it, something may be missing."
# A whole file ends with where its table is: behind that there may be some junk, but no object.
END_BYTES = 65_536
# Looking through a file for its contents takes about a second for this much of it.
MAX_CHECKED_BYTES = 50_000_000
# Text in front of a PDF, as programs that print over a network leave it.
MAX_FRONT = 1_000_000
GREY = 120
SKIPPED_BYTES = 1000

Size = tuple[float, float]


@dataclass
class OpenedPdf:
    """missing: numbers of pages that cannot be opened; they have a size all the same. units: points of each."""

    file: BinaryIO
    document: pdfium.PdfDocument
    sizes: list[Size]
    missing: frozenset[int]
    units: list[float]
    rebuilt: Structure | None = None

    def find_fault(self, number: int) -> str:
        if number in self.missing:
            return LOST
        if not self.is_cut and not self.is_empty(number):
            return CUT if self.is_cut_short(number) else ""
        if self.is_broken(number):
            return BROKEN
        return LAST if self.is_cut and number == len(self.sizes) else ""

    @cached_property
    def size(self) -> int:
        return self.file.seek(0, io.SEEK_END)

    @cached_property
    def is_cut(self) -> bool:
        if self.rebuilt:
            return True
        self.file.seek(max(0, self.size - END_BYTES))
        end = self.file.read(END_BYTES)
        return end.rfind(b"startxref") <= end.rfind(b"endobj")

    def is_empty(self, number: int) -> bool:
        """Nothing is drawn on it: it is blank, or what it shows is broken."""
        page = self.document[number - 1]
        return bool(raw.FPDFPage_CountObjects(page) == 0)

    def is_broken(self, number: int) -> bool:
        pages = self.structure.pages
        if len(pages) == len(self.sizes):
            return self.structure.is_damaged(pages[number - 1])
        # Nobody can say which of them it is, but one that shows nothing while others are gone is no blank page.
        return len(pages) < len(self.sizes) and not self.structure.is_encrypted and self.is_empty(number)

    def is_cut_short(self, number: int) -> bool:
        """It shows something, and yet not all that was on it."""
        page = self.document[number - 1]
        if any(is_cut_picture(image) for image in list_images(page)):
            return True
        if self.size > MAX_CHECKED_BYTES or len(self.structure.pages) != len(self.sizes):
            return False
        return self.structure.is_cut_short(self.structure.pages[number - 1])

    @cached_property
    def structure(self) -> Structure:
        return self.rebuilt or read_structure(self.file)


def open_pdf(file: BinaryIO, password: str | None, limits: Limits) -> OpenedPdf:
    """Raises Unreadable or OverLimit where no page can be opened."""
    file = skip_front(file)
    try:
        opened = make_opened(file, open_document(file, password), limits)
    except Unreadable as error:
        if not error.suspect:
            raise
        return reopen(file, limits, error)
    if len(opened.missing) < len(opened.sizes):
        return opened
    return reopen(file, limits, make_damage_error("none of its pages can be opened"))


def is_late_pdf(file: BinaryIO) -> bool:
    """A file that looks like text by its beginning, and ends as a PDF does."""
    size = file.seek(0, io.SEEK_END)
    file.seek(max(0, size - SKIPPED_BYTES))
    is_ended = b"startxref" in file.read()
    file.seek(0)
    is_pdf = is_ended and b"%PDF-" in file.read(MAX_FRONT)
    file.seek(0)
    return is_pdf


def skip_front(file: BinaryIO) -> BinaryIO:
    """PDFium skips 1 kB of text in front of a PDF by itself."""
    file.seek(0)
    front = file.read(MAX_FRONT).find(b"%PDF-")
    file.seek(max(0, front))
    return io.BytesIO(file.read()) if front > SKIPPED_BYTES else file


def reopen(file: BinaryIO, limits: Limits, failure: Unreadable) -> OpenedPdf:
    """Put together again from the objects that are there. Raises the failure where that does not help."""
    budget.allow_drawing()
    structure = read_structure(file)
    data = rebuild(structure)
    if not data:
        raise failure
    opened = make_opened(file, open_document(io.BytesIO(data), None), limits)
    if len(opened.missing) == len(opened.sizes):
        raise failure
    opened.rebuilt = structure
    return opened


def read_structure(file: BinaryIO) -> Structure:
    file.seek(0)
    return Structure(file.read())


def make_opened(file: BinaryIO, document: pdfium.PdfDocument, limits: Limits) -> OpenedPdf:
    count = len(document)
    if not count:
        raise make_damage_error("the PDF has no pages")
    if count > limits.max_pages:
        raise OverLimit(f"The file has {count} pages; the limit is {limits.max_pages}.")
    sizes = [measure_page(document, index) for index in range(count)]
    missing = frozenset(number for number, size in enumerate(sizes, start=1) if size is None)
    units = read_user_units(file, sizes)
    known = [size or A4 for size in sizes]
    scaled = [(width * unit, height * unit) for (width, height), unit in zip(known, units, strict=True)]
    return OpenedPdf(file, document, scaled, missing, units)


def measure_page(document: pdfium.PdfDocument, index: int) -> Size | None:
    try:
        width, height = document.get_page_size(index)
    except pdfium.PdfiumError:
        return None
    return float(width), float(height)


def open_document(file: BinaryIO, password: str | None) -> pdfium.PdfDocument:
    try:
        return pdfium.PdfDocument(file, password=password)
    except pdfium.PdfiumError as error:
        # Where PDFium fails without naming a reason, it names that of an earlier file.
        if error.err_code == PASSWORD_ERROR and read_structure(file).is_encrypted:
            if password:
                raise Unreadable("The password does not open this PDF.", code="password_wrong") from error
            raise Unreadable("The file is a PDF that needs a password.", code="password_missing") from error
        if error.err_code == SECURITY_ERROR:
            raise Unreadable("The PDF is encrypted in a way that is not supported.") from error
        raise make_damage_error("it starts like a PDF, but its structure cannot be read") from error


def draw_missing_page(size: Size, width: int) -> Image.Image:
    picture = Image.new("RGB", (width, max(1, round(width * size[1] / size[0]))), "white")
    font = load_font("regular", max(8, width // 32))
    canvas = ImageDraw.Draw(picture)
    canvas.text((picture.width / 2, picture.height / 2), "This page is damaged.", (GREY,) * 3, font, anchor="mm")
    return picture

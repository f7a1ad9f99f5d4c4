"""PDF through PDFium: the text layer, the picture of a page, and both together where a page has both.

PDFium is not thread-safe; the reader has one thread.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import BinaryIO

import pypdfium2 as pdfium
import pypdfium2.raw as raw
from PIL import Image

from reader.failures import make_damage_error
from reader.frames import Engine, EngineChoice
from reader.gaps import Gap
from reader.ocr.ink import find_empty_page
from reader.ocr.page_recognition import recognize_page
from reader.ocr.recognition import Box, Recognition
from reader.order.lines import number_lines
from reader.order.upright import find_rotation, rotate_words
from reader.pages import Limits, PageWords
from reader.pdf import xfa
from reader.pdf.annotations import add_annotations, list_media, read_annotations
from reader.pdf.clips import find_clips, read_clips
from reader.pdf.damage import A4, draw_missing_page, open_pdf
from reader.pdf.layer_check import differs, is_contradicted, is_odd
from reader.pdf.objects import check_annotations, has_large_image, list_images
from reader.pdf.text_layer import TextLayer, open_textpage, read_text_layer
from reader.pdf.word_merge import merge_words
from reader.pdf.writer import write_pdf
from reader.sandbox.limits import budget
from reader.words import Word, measure_confidence

OCR_DPI = 200
POINTS_AN_INCH = 72
# About a pixel a point up to sheets of a square metre (A0).
PREVIEW_PIXELS = 9_000_000
# OCR sees at most 2,000 pixels along a page; this is a sheet of A2.
OCR_PIXELS = 16_000_000
# WebP ends at 16,383.
LONGEST_SIDE = 16_000
BLANK_CONTRAST = 8


class PdfSource:
    def __init__(self, file: BinaryIO, password: str | None, limits: Limits) -> None:
        self.limits = limits
        self.opened = open_pdf(file, password, limits)
        self.document, self.sizes = self.opened.document, self.opened.sizes
        self.is_placeholder = xfa.is_drawn_elsewhere(self.document)
        self.gaps = [Gap("form", xfa.NOTHING)] if self.is_placeholder else []
        # By page, as far as one was opened.
        self.media: dict[int, tuple[Gap, ...]] = {}
        if self.document.get_formtype() in (raw.FORMTYPE_ACRO_FORM, raw.FORMTYPE_XFA_FOREGROUND):
            # Without it neither text nor picture shows what was filled in.
            self.document.init_forms()

    def read(self, number: int, choice: EngineChoice) -> PageWords:
        if number in self.opened.missing or self.is_placeholder:
            return self.make_missing_page(number)
        page, annotations = self.open_with_annotations(number)
        layer, is_enough, clips = self.look_at(page, number, choice, annotations)
        if is_enough and not self.is_wrong(page, number, choice, layer):
            result = self.make_result(number, "text-layer", layer, None)
            return turn_upright(self.add_clips(result, page, layer, clips) if clips else result)
        recognized = recognize_page(self.draw_picture(page, number, self.choose_dpi(number, layer), OCR_PIXELS))
        if recognized.rotation:
            # On a page that OCR had to turn, the text layer's boxes lie in another frame.
            layer = TextLayer([], 0, 0)
        elif choice == "rapidocr" or layer.garbled or differs(layer.words, recognized.words):
            layer = layer.drop_visible(but=annotations)
        result = self.make_result(number, "text-layer+rapidocr" if layer.visible else "rapidocr", layer, recognized)
        preview = partial(self.draw_picture, page, number, POINTS_AN_INCH, PREVIEW_PIXELS)
        return replace(result, gaps=(*result.gaps, *find_empty_page(number, result.words, preview)))

    def read_text(self, number: int, choice: EngineChoice) -> PageWords | None:
        if number in self.opened.missing or self.is_placeholder:
            return self.make_missing_page(number)
        if choice == "rapidocr":
            return None
        page, annotations = self.open_with_annotations(number)
        if choice == "auto" and is_bare_picture(page):
            return None
        layer, is_enough, clips = self.look_at(page, number, choice, annotations)
        if not is_enough:
            return None
        waits = clips or (choice == "auto" and is_odd(layer.words, self.sizes[number - 1]))
        return turn_upright(self.make_result(number, "" if waits else "text-layer", layer, None))

    def choose_dpi(self, number: int, layer: TextLayer) -> float:
        """A page of nothing but tiny letters is read as if it were a sheet."""
        return OCR_DPI * max(1.0, A4[1] / max(self.sizes[number - 1])) if layer.is_tiny else OCR_DPI

    def is_wrong(self, page: pdfium.PdfPage, number: int, choice: EngineChoice, layer: TextLayer) -> bool:
        if choice != "auto" or not is_odd(layer.words, self.sizes[number - 1]):
            return False
        return is_contradicted(layer.words, self.draw_picture(page, number, OCR_DPI, OCR_PIXELS))

    def make_missing_page(self, number: int) -> PageWords:
        fault = "" if self.is_placeholder else self.opened.find_fault(number)
        return PageWords(number, *self.sizes[number - 1], 0, "text-layer", 100, [], fault=fault)

    def look_at(
        self, page: pdfium.PdfPage, number: int, choice: EngineChoice, annotations: list[Word]
    ) -> tuple[TextLayer, bool, list[Box]]:
        """The text layer, whether it is all that there is to read but for small pictures, and these."""
        images = list_images(page)
        textpage = open_textpage(page)
        preview = self.draw_picture(page, number, POINTS_AN_INCH, PREVIEW_PIXELS).convert("L")
        layer = read_text_layer(page, textpage, preview, self.opened.units[number - 1])
        layer = replace(layer, words=add_annotations(layer.words, annotations))
        if choice == "auto" and layer.usable and not has_large_image(page, images):
            return layer, True, find_clips(page, images, layer.words, preview)
        return layer, choice == "text-layer" or is_blank(preview), []

    def add_clips(self, result: PageWords, page: pdfium.PdfPage, layer: TextLayer, clips: list[Box]) -> PageWords:
        words = read_clips(self.draw_picture(page, result.number, OCR_DPI, OCR_PIXELS), clips)
        if not words:
            return result
        merged = merge_words(layer.words, words, 0.0)
        confidence = measure_confidence(merged)
        return replace(result, engine="text-layer+rapidocr", confidence=confidence, words=merged)

    def make_result(self, number: int, engine: Engine, layer: TextLayer, recognized: Recognition | None) -> PageWords:
        width, height = self.sizes[number - 1]
        fault, gaps = self.opened.find_fault(number), self.media.get(number, ())
        if recognized is None:
            return PageWords(number, width, height, 0, engine, 100, number_lines(layer.words), fault=fault, gaps=gaps)
        if recognized.rotation in (90, 270):
            width, height = height, width
        words = merge_words(layer.words, recognized.words, recognized.slope)
        # Words that are illegible in the picture may stand in the text layer.
        illegible = recognized.illegible if engine == "rapidocr" else 0
        page = PageWords(number, width, height, recognized.rotation, engine, recognized.confidence, words)
        return replace(page, illegible=illegible, fault=fault, gaps=gaps)

    def draw(self, number: int, width: int) -> Image.Image:
        if number in self.opened.missing:
            return draw_missing_page(self.sizes[number - 1], width)
        page, points = self.open_page(number), self.sizes[number - 1][0]
        check_annotations(page)
        list_images(page)
        return self.draw_picture(page, number, POINTS_AN_INCH * width / points, self.limits.max_pixels)

    def open_with_annotations(self, number: int) -> tuple[pdfium.PdfPage, list[Word]]:
        """The page with its annotations drawn into it, and what of them that does not show."""
        page = self.open_page(number)
        if not check_annotations(page):
            return page, []
        annotations = read_annotations(self.document, page)
        self.media[number] = list_media(page, number)
        if flatten_annotations(page):
            page.close()
            page = self.open_page(number)
        return page, annotations

    def open_page(self, number: int) -> pdfium.PdfPage:
        try:
            return self.document[number - 1]
        except pdfium.PdfiumError as error:
            raise make_damage_error(f"page {number} cannot be loaded") from error

    def draw_picture(self, page: pdfium.PdfPage, number: int, dpi: float, max_pixels: int) -> Image.Image:
        """The page as shown, at the given resolution or the highest that the pixel limits allow."""
        budget.allow_drawing()
        (width, height), unit = self.sizes[number - 1], self.opened.units[number - 1]
        pixels = min(max_pixels, self.limits.max_pixels)
        scale = dpi / POINTS_AN_INCH
        scale = min(scale, (pixels / max(1.0, width * height)) ** 0.5, LONGEST_SIDE / max(width, height))
        try:
            picture: Image.Image = page.render(scale=scale * unit, rev_byteorder=True, prefer_bgrx=True).to_pil()
        except pdfium.PdfiumError as error:
            raise make_damage_error("a page cannot be drawn") from error
        return picture.convert("RGB")

    def copy_pages(self, numbers: Sequence[int]) -> bytes:
        """These pages as a PDF, with what was filled in and the comments. An encrypted file gives one that is not."""
        copy = pdfium.PdfDocument.new()
        try:
            copy.import_pages(self.document, [number - 1 for number in numbers])
        except pdfium.PdfiumError as error:
            raise make_damage_error("pages cannot be copied") from error
        return write_pdf(copy)

    def close(self) -> None:
        self.document.close()


def turn_upright(page: PageWords) -> PageWords:
    """A page of which most letters run up or down, such as a wide table: turned so that they are level."""
    rotation = find_rotation(page.words)
    if not rotation:
        return page
    words = number_lines(rotate_words(page.words, rotation))
    return replace(page, width=page.height, height=page.width, rotation=rotation, words=words)


def flatten_annotations(page: pdfium.PdfPage) -> bool:
    """Form values and stamps live in annotations, which the text layer leaves out; only the copy in memory changes.

    Says whether it did, because the change is seen only once the page is loaded again.
    """
    return bool(raw.FPDFPage_Flatten(page, raw.FLAT_NORMALDISPLAY) == raw.FLATTEN_SUCCESS)


def is_bare_picture(page: pdfium.PdfPage) -> bool:
    """A scan without a text layer. Seen without drawing it, which of a scan takes longer than all the rest."""
    return has_large_image(page, list_images(page)) and open_textpage(page).count_chars() == 0


def is_blank(preview: Image.Image) -> bool:
    darkest, lightest = preview.getextrema()
    return float(lightest) - float(darkest) < BLANK_CONTRAST  # type: ignore[arg-type]

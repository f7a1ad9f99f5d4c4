"""Content of a page's annotations that is in no text: ticks, whether a signature field is signed, comments."""

import ctypes
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from reader.failures import OverLimit
from reader.gaps import Gap
from reader.pdf.text_layer import convert_point
from reader.words import Word

TICKED, EMPTY = "☑", "☐"
SIGNED, UNSIGNED = "(signature field: filled)", "(signature field: empty)"
BUTTONS = (raw.FPDF_FORMFIELD_CHECKBOX, raw.FPDF_FORMFIELD_RADIOBUTTON)
# Their text stands in a window of its own; that of a free text is drawn on the page.
COMMENTS = (
    raw.FPDF_ANNOT_TEXT,
    raw.FPDF_ANNOT_HIGHLIGHT,
    raw.FPDF_ANNOT_UNDERLINE,
    raw.FPDF_ANNOT_SQUIGGLY,
    raw.FPDF_ANNOT_STRIKEOUT,
    raw.FPDF_ANNOT_CARET,
)
MEDIA = {
    raw.FPDF_ANNOT_MOVIE: "A film",
    raw.FPDF_ANNOT_SCREEN: "A film or a sound",
    raw.FPDF_ANNOT_SOUND: "A sound",
    raw.FPDF_ANNOT_RICHMEDIA: "A film or a sound",
    raw.FPDF_ANNOT_THREED: "A drawing in three dimensions",
}
NOT_READ = "{} on page {} is not read."
NOT_SHOWN = raw.FPDF_ANNOT_FLAG_HIDDEN | raw.FPDF_ANNOT_FLAG_NOVIEW
MAX_COMMENT = 10_000
MAX_COMMENTS = 100_000
# Share of the page: comments on a text are put at its end, not between its words.
COMMENT_WIDTH = 0.002


def read_annotations(document: pdfium.PdfDocument, page: pdfium.PdfPage) -> list[Word]:
    """To be called before they are drawn into the page, after which there are none. Raises OverLimit."""
    words: list[Word] = []
    length = 0
    for index in range(raw.FPDFPage_GetAnnotCount(page)):
        with open_annotation(page, index) as annotation:
            if raw.FPDFAnnot_GetFlags(annotation) & NOT_SHOWN:
                continue
            text = describe_annotation(document, annotation)
            length += len(text)
            if length > MAX_COMMENTS:
                raise OverLimit(f"The comments of a page have more than {MAX_COMMENTS:,} characters.")
            if text:
                words += place_words(text, measure_annotation(page, annotation))
    return words


def list_media(page: pdfium.PdfPage, number: int) -> tuple[Gap, ...]:
    """To be called before annotations are drawn into the page, as all here."""
    kinds = set()
    for index in range(raw.FPDFPage_GetAnnotCount(page)):
        with open_annotation(page, index) as annotation:
            if not raw.FPDFAnnot_GetFlags(annotation) & NOT_SHOWN:
                kinds.add(raw.FPDFAnnot_GetSubtype(annotation))
    return tuple(
        Gap("embedded", NOT_READ.format(title, number), number) for kind, title in MEDIA.items() if kind in kinds
    )


@contextmanager
def open_annotation(page: pdfium.PdfPage, index: int) -> Iterator[raw.FPDF_ANNOTATION]:
    annotation = raw.FPDFPage_GetAnnot(page, index)
    try:
        yield annotation
    finally:
        raw.FPDFPage_CloseAnnot(annotation)


def describe_annotation(document: pdfium.PdfDocument, annotation: raw.FPDF_ANNOTATION) -> str:
    """Empty for one whose text is drawn on the page, or that says nothing."""
    subtype = raw.FPDFAnnot_GetSubtype(annotation)
    if subtype in COMMENTS:
        comment = " ".join(read_string(annotation, b"Contents").split())
        return f"(comment: {comment})" if comment else ""
    if subtype != raw.FPDF_ANNOT_WIDGET or document.formenv is None:
        return ""
    form = document.formenv.raw
    field = raw.FPDFAnnot_GetFormFieldType(form, annotation)
    if field in BUTTONS:
        return TICKED if raw.FPDFAnnot_IsChecked(form, annotation) else EMPTY
    return describe_signature(document, annotation) if field == raw.FPDF_FORMFIELD_SIGNATURE else ""


def describe_signature(document: pdfium.PdfDocument, annotation: raw.FPDF_ANNOTATION) -> str:
    """Whether something signed it, not whether that is valid; nothing where only the field's parent could tell."""
    if raw.FPDFAnnot_HasKey(annotation, b"V"):
        return SIGNED
    is_certain = not raw.FPDFAnnot_HasKey(annotation, b"Parent") or raw.FPDF_GetSignatureCount(document) == 0
    return UNSIGNED if is_certain else ""


def read_string(annotation: raw.FPDF_ANNOTATION, key: bytes) -> str:
    length = min(raw.FPDFAnnot_GetStringValue(annotation, key, None, 0), 2 * MAX_COMMENT)
    if raw.FPDFAnnot_GetStringValue(annotation, key, None, 0) > length:
        raise OverLimit(f"A comment has more than {MAX_COMMENT:,} characters.")
    buffer = ctypes.create_string_buffer(length)
    raw.FPDFAnnot_GetStringValue(annotation, key, ctypes.cast(buffer, ctypes.POINTER(raw.FPDF_WCHAR)), length)
    return buffer.raw.decode("utf-16-le", "replace").rstrip("\0")


def measure_annotation(page: pdfium.PdfPage, annotation: raw.FPDF_ANNOTATION) -> tuple[float, float, float, float]:
    """Left, top, right and bottom in fractions of the page as shown, which it may reach over."""
    rect = raw.FS_RECTF()
    raw.FPDFAnnot_GetRect(annotation, rect)
    (ax, ay), (bx, by) = convert_point(page, rect.left, rect.top), convert_point(page, rect.right, rect.bottom)
    return min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)


def place_words(text: str, box: tuple[float, float, float, float]) -> list[Word]:
    """All in one place, and none where the page does not show it."""
    left, top, right, bottom = (min(1.0, max(0.0, edge)) for edge in box)
    if left >= right or top >= bottom:
        return []
    if text.startswith("("):
        left = max(left, right - COMMENT_WIDTH)
    return [Word(word, left, top, right, bottom) for word in text.split()]


def add_annotations(words: Iterable[Word], annotations: list[Word]) -> list[Word]:
    """A tick that is drawn as a letter is not read twice."""
    buttons = [word for word in annotations if word.text in (TICKED, EMPTY)]
    return [word for word in words if not any(is_inside(word, button) for button in buttons)] + annotations


def is_inside(word: Word, button: Word) -> bool:
    x, y = (word.x0 + word.x1) / 2, (word.y0 + word.y1) / 2
    return button.x0 <= x <= button.x1 and button.y0 <= y <= button.y1

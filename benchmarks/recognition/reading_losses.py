"""What is lost of pages that hide something: `python -m benchmarks.recognition.reading_losses`.

Lost values, and seconds of computing a page, for the text alone, for the product, and for the bare engine on a picture
of the whole page: a small picture above text, a wrong text layer, a label in the margin, a line alone on a scan, a
picture in an office file.
"""

from __future__ import annotations

import io
import tempfile
import time
from collections.abc import Callable

from PIL import Image, ImageDraw

from reader.layout.fonts import load_font
from reader.ocr.recognition import get_recognizer
from reader.opening import open_source
from reader.pages import Limits, Source
from reader.words import join_text
from tests.documents.office_files import CONTENT_TYPES, pack, paragraph, relations
from tests.documents.reader_files import pdf, shift_letters, text_at

LIMITS = Limits(max_bytes=10_000_000, max_pages=3, max_pixels=60_000_000)
PAGES, WIDTH = 5, 1650
LABEL = "BT /F1 10 Tf 0 1 -1 0 30 200 Tm ({}) Tj ET\n"


def write_png(text: str, size: tuple[int, int], at: tuple[int, int], letters: int) -> bytes:
    picture, data = Image.new("RGB", size, "white"), io.BytesIO()
    ImageDraw.Draw(picture).text(at, text, "black", load_font("regular", letters))
    picture.save(data, "PNG")
    return data.getvalue()


def make_small_picture(value: str) -> bytes:
    picture = Image.new("L", (1100, 90), 255)
    ImageDraw.Draw(picture).text(
        (16, 26), f"Kestrel Parts Ltd, 12 Harbour Road    {value}", 0, load_font("regular", 30)
    )
    rows = "".join(text_at(60, 640 - 18 * at, f"{at + 1}  Paper A4 white  {at}.50  {3 * at}.50") for at in range(25))
    return pdf([f"{rows}q 396 0 0 32 60 780 cm /I0 Do Q"], page="/MediaBox [0 0 595 842]", images=[picture])


def make_wrong_layer(value: str) -> bytes:
    lines = ("Kestrel Parts Limited, 12 Harbour Road", "Grey paper for the printer in the office", f"Invoice {value}")
    return shift_letters(lines, 1)


def make_label(value: str) -> bytes:
    rows = "".join(text_at(80, 700 - 20 * at, f"Position {at} grey paper") for at in range(20))
    return pdf([LABEL.format(f"Registered under {value}") + rows], page="/MediaBox [0 0 595 842]")


def make_lone_line(value: str) -> bytes:
    return write_png(f"Annex {value}", (1654, 2339), (300, 400), 22)


def make_office_picture(value: str) -> bytes:
    body = paragraph("Dear Sir or Madam") + '<w:p><w:r><a:blip r:embed="r0"/></w:r></w:p>'
    parts = {"word/document.xml": f"<w:document><w:body>{body}</w:body></w:document>"}
    named = {"word/_rels/document.xml.rels": relations(("image", "media/a.png"))}
    return pack(CONTENT_TYPES | parts | named | {"word/media/a.png": write_png(value, (500, 50), (8, 8), 26)})


CASES = (make_small_picture, make_wrong_layer, make_label, make_lone_line, make_office_picture)


def read_text(source: Source) -> str:
    page = source.read_text(1, "text-layer")
    return join_text(page.words) if page else ""


def read_product(source: Source) -> str:
    return join_text(source.read(1, "auto").words)


def read_bare(source: Source) -> str:
    return "\n".join(line.text for line in get_recognizer().find_lines(source.draw(1, WIDTH)))


def measure(make: Callable[[str], bytes], read: Callable[[Source], str]) -> str:
    lost, started = 0, time.process_time()
    for number in range(PAGES):
        value = f"GB {271828 + 37 * number}"
        with tempfile.TemporaryFile() as file:
            file.write(make(value))
            file.seek(0)
            _, source = open_source(file, None, LIMITS)
            text = read(source)
        lost += value.replace(" ", "") not in "".join(text.split())
    return f"{lost} of {PAGES}, {(time.process_time() - started) / PAGES:6.3f} s"


def main() -> None:
    get_recognizer().find_lines(Image.new("RGB", (200, 60), "white"))
    print(f"{'lost values, CPU s/page':24} {'text alone':>18} {'product':>18} {'bare engine':>18}")
    for make in CASES:
        figures = [measure(make, read) for read in (read_text, read_product, read_bare)]
        print(f"{make.__name__.removeprefix('make_'):24} " + " ".join(f"{figure:>18}" for figure in figures))


if __name__ == "__main__":
    main()

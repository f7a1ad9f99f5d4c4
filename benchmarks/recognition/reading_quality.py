"""What is lost of pages whose values stand in more than their text layer.

    python -m benchmarks.recognition.reading_quality

Generated letters of which name, address, IBAN and VAT number stand in a small picture. Lost values and seconds of
computing a page for the text layer alone, for the product, and for the bare engine on a picture of the whole page.
"""

import io
import time
from collections.abc import Callable

import numpy as np
from PIL import Image, ImageDraw

from reader.layout.fonts import load_font
from reader.ocr.recognition import get_recognizer
from reader.pages import Limits
from reader.pdf.source import OCR_DPI, POINTS_AN_INCH, PdfSource
from reader.words import join_text
from tests.documents.reader_files import pdf, text_at

PAGES = 20
WIDTH = 595
LIMITS = Limits(max_bytes=10_000_000, max_pages=3, max_pixels=60_000_000)


def make_letter(number: int) -> tuple[bytes, list[str]]:
    values = [f"Kestrel Parts {100 + number} Ltd", f"{10 + number} Harbour Road", f"GB {271828 + 37 * number:09}"]
    values.append(f"IBAN DE89 3704 0044 {1000 + 61 * number}")
    picture = Image.new("L", (1100, 90), 255)
    for line in range(2):
        text = "    ".join(values[2 * line : 2 * line + 2])
        ImageDraw.Draw(picture).text((16, 6 + 40 * line), text, 0, load_font("regular", 30))
    rows = "".join(text_at(60, 640 - 18 * n, f"{n + 1}  Paper A4 white  {n}.50  {3 * n}.50") for n in range(25))
    return pdf(
        [rows + "q 396 0 0 32 60 780 cm /I0 Do Q"], page=f"/MediaBox [0 0 {WIDTH} 842]", images=[picture]
    ), values


def read_layer(source: PdfSource) -> str:
    return join_text(source.read(1, "text-layer").words)


def read_product(source: PdfSource) -> str:
    return join_text(source.read(1, "auto").words)


def read_bare(source: PdfSource) -> str:
    picture = source.draw(1, WIDTH * OCR_DPI // POINTS_AN_INCH)
    return "\n".join(line.text for line in get_recognizer().find_lines(picture))


def measure(read: Callable[[PdfSource], str]) -> tuple[int, float]:
    """Lost values of all letters, and seconds a page."""
    lost, started = 0, time.process_time()
    for number in range(PAGES):
        data, values = make_letter(number)
        text = "".join(read(PdfSource(io.BytesIO(data), None, LIMITS)).split())
        lost += sum("".join(value.split()) not in text for value in values)
    return lost, (time.process_time() - started) / PAGES


def main() -> None:
    get_recognizer().find_lines(Image.fromarray(np.full((60, 200, 3), 255, np.uint8)))
    print(f"{'':12} {'lost values':>12} {'CPU s/page':>11}")
    for name, read in (("text layer", read_layer), ("product", read_product), ("bare engine", read_bare)):
        lost, seconds = measure(read)
        print(f"{name:12} {lost:5} of {4 * PAGES:3} {seconds:11.3f}")


if __name__ == "__main__":
    main()

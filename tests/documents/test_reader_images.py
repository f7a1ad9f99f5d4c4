import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw

from reader.failures import OverLimit
from reader.frames import RenderRequest
from reader.pages import Limits
from reader.pdf.source import PdfSource
from reader.pdf.writer import make_pdf
from reader.pictures.images import BAND_ROWS, ImageSource, paint_on_white
from reader.pool.readers import ReaderPool
from reader.requests import draw
from tests.documents.reader_files import pdf

LIMITS = Limits(max_bytes=1_000_000, max_pages=3, max_pixels=60_000_000)
WIDE: RenderRequest = {
    "do": "render",
    "password": None,
    "max_pages": 3,
    "max_bytes": 1_000_000,
    "max_pixels": 60_000_000,
    "page": 1,
    "width": 1000,
    "rotation": 0,
    "format": "webp",
}


def test_it_lays_transparency_on_white_in_bands_as_in_one() -> None:
    shades = np.random.default_rng(1).integers(0, 256, (2 * BAND_ROWS + 7, 5, 4), np.uint8)
    picture = Image.fromarray(shades)
    whole = Image.alpha_composite(Image.new("RGBA", picture.size, "white"), picture).convert("RGB")
    assert paint_on_white(picture).tobytes() == whole.tobytes()


def test_it_spreads_more_than_eight_bits_from_black_to_white() -> None:
    picture = Image.fromarray(np.array([[1000, 1500], [2000, 1250]], np.uint16))
    assert np.asarray(paint_on_white(picture).convert("L")).tolist() == [[0, 127], [255, 63]]
    assert np.asarray(paint_on_white(Image.new("I;16", (2, 1), 7)).convert("L")).tolist() == [[255, 255]]


@pytest.mark.hostile
def test_it_reads_the_largest_honest_picture(tmp_path: Path) -> None:
    picture = Image.new("RGB", (5000, 7000), "white")
    ImageDraw.Draw(picture).text((400, 600), "Total 4711.50", fill=0, font_size=200)
    picture.save(tmp_path / "a.jpg", quality=80)
    pool = ReaderPool(1)
    assert pool.read(tmp_path / "a.jpg", [1])[0].text == "Total 4711.50"
    pool.close()


def open_picture(width: int, height: int) -> ImageSource:
    file = io.BytesIO()
    Image.new("1", (width, height)).save(file, "PNG")
    return ImageSource(file, "png", LIMITS)


@pytest.mark.parametrize(("width", "height"), [(1, 900_000), (16_001, 1)])
def test_a_picture_that_is_but_a_line_is_refused_with_its_sides(width: int, height: int) -> None:
    with pytest.raises(OverLimit, match=rf"^The picture has {width:,} × {height:,} pixels\. One side may be 16,000 "):
        open_picture(width, height)


def test_the_narrowest_pictures_and_pages_can_be_stored() -> None:
    narrow = open_picture(1, 16_000)
    assert draw(narrow, WIDE).height <= 16_000
    assert make_pdf("png", narrow).startswith(b"%PDF")
    page = PdfSource(io.BytesIO(pdf([""], page="/MediaBox [0 0 0.5 14400]")), None, LIMITS)
    assert draw(page, WIDE).height <= 16_000

from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw

from documents.backends.reader.pictures.images import BAND_ROWS, paint_on_white
from documents.backends.readers import ReaderPool


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

"""Lines that stand alone on a scan, which the engine passes over when it sees the whole page."""

import io

import pytest
from PIL import Image, ImageDraw

from reader.layout.fonts import load_font
from reader.ocr import lone_lines
from reader.pages import Limits
from reader.pictures.images import ImageSource
from reader.words import Word, join_text

LIMITS = Limits(max_bytes=1_000_000, max_pages=3, max_pixels=4_000_000)
SIZE = 1000, 1280
LINES = {"This is a test.": (200, 300), "page 2": (700, 1150)}


def draw_page(*texts: str) -> Image.Image:
    page = Image.new("RGB", SIZE, "white")
    for text in texts:
        ImageDraw.Draw(page).text(LINES[text], text, "black", load_font("regular", 12))
    return page


def make_word(text: str, left: float, top: float) -> Word:
    return Word(text, left, top, left + 0.1, top + 0.012)


def test_it_frames_each_line_of_ink() -> None:
    first, second = lone_lines.find_bands(draw_page(*LINES), [])
    assert first == pytest.approx((0.197, 0.234, 0.286, 0.246), abs=0.01)
    assert second == pytest.approx((0.697, 0.898, 0.737, 0.91), abs=0.01)


def test_what_was_read_is_not_looked_at_again() -> None:
    words = [make_word("This is a test.", 0.2, 0.233)]
    [band] = lone_lines.find_bands(draw_page(*LINES), words)
    assert band[1] > 0.8


def test_a_page_with_words_is_not_searched() -> None:
    words = [make_word("a" * lone_lines.SPARSE, 0.5, 0.5)]
    assert lone_lines.read_lone_lines(draw_page(*LINES), words) == []


@pytest.mark.parametrize(
    "box", [(300, 400, 700, 900), (0, 0, 1000, 8), (400, 600, 401, 601), (400, 600, 404, 640)], ids=str
)
def test_pictures_edges_and_specks_are_no_lines(box: tuple[int, int, int, int]) -> None:
    page = draw_page()
    ImageDraw.Draw(page).rectangle(box, "black")
    assert lone_lines.find_bands(page, []) == []


def test_of_many_lines_the_darkest_are_read() -> None:
    page = draw_page()
    for number in range(12):
        ImageDraw.Draw(page).rectangle((100, 100 + 80 * number, 200 + 20 * number, 112 + 80 * number), "black")
    tops = [box[1] for box in lone_lines.find_bands(page, [])]
    assert len(tops) == lone_lines.MAX_BANDS and tops == sorted(tops) and tops[0] > 0.5


def test_a_line_alone_is_in_the_text_where_it_stands() -> None:
    data = io.BytesIO()
    draw_page("This is a test.").save(data, "PNG")
    page = ImageSource(data, "png", LIMITS).read(1, "auto")
    assert (join_text(page.words), page.confidence) == ("This is a test.", 100)
    assert (page.words[0].x0, page.words[-1].x1) == pytest.approx((0.2, 0.286), abs=0.01)

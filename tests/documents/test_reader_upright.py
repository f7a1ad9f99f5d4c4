"""Text that runs up or down the page: a label in the margin, and whole pages that lie on their side."""

import io
from itertools import pairwise

import pytest
from PIL import Image, ImageDraw

from reader.layout.fonts import load_font
from reader.order import upright
from reader.order.lines import number_lines
from reader.pages import Limits, PageWords
from reader.pdf.source import PdfSource
from reader.pictures.images import ImageSource
from reader.words import DOWNWARD, HIDDEN, UPWARD, Word, join_text
from tests.documents.reader_files import pdf, text_at

LIMITS = Limits(max_bytes=1_000_000, max_pages=3, max_pixels=4_000_000)
SHEET = "/MediaBox [0 0 400 300]"
LINES = [f"Line {number} of an ordinary letter" for number in range(1, 6)]
LEVEL = "".join(text_at(80, 260 - 40 * at, line) for at, line in enumerate(LINES))
LABEL = "Registered in England"
UP, DOWN = "0 1 -1 0", "0 -1 1 0"


def draw_label(matrix: str, x: int, y: int, text: str = LABEL) -> str:
    return f"BT /F1 10 Tf {matrix} {x} {y} Tm ({text}) Tj ET\n"


def read_page(content: str, page: str = SHEET) -> tuple[PdfSource, PageWords]:
    source = PdfSource(io.BytesIO(pdf([content], page=page)), None, LIMITS)
    return source, source.read(1, "text-layer")


@pytest.mark.parametrize(("matrix", "y", "flag"), [(UP, 60, UPWARD), (DOWN, 220, DOWNWARD)], ids=["up", "down"])
def test_a_label_in_the_margin_is_a_line_of_its_own_behind_the_text(matrix: str, y: int, flag: int) -> None:
    _, page = read_page(draw_label(matrix, 30, y) + LEVEL)
    assert join_text(page.words).split("\n") == [*LINES, LABEL]
    label = [word for word in page.words if word.flags & flag]
    assert [word.text for word in label] == LABEL.split()
    assert all(0.04 < word.x0 < word.x1 < 0.1 and word.y1 - word.y0 > 0.015 for word in label)
    rises = [one.y0 - other.y0 for one, other in pairwise(label)]
    assert all((rise > 0) == (flag == UPWARD) for rise in rises)


def test_labels_beside_each_other_are_two_lines() -> None:
    content = draw_label(UP, 20, 60) + draw_label(UP, 34, 60, "Company number 08123456") + LEVEL
    _, page = read_page(content)
    assert join_text(page.words).split("\n")[-2:] == [LABEL, "Company number 08123456"]


def test_a_page_that_says_how_it_is_turned_has_level_text() -> None:
    content = "".join(draw_label(UP, 100 + 40 * at, 60, line) for at, line in enumerate(LINES))
    _, page = read_page(content, page=f"{SHEET} /Rotate 90")
    assert (page.rotation, join_text(page.words).split("\n")) == (0, LINES)
    assert not any(word.is_upright for word in page.words)


@pytest.mark.parametrize(("matrix", "rotation"), [(UP, 90), (DOWN, 270)], ids=["up", "down"])
def test_a_page_of_upright_text_is_turned_as_it_is_drawn(matrix: str, rotation: int) -> None:
    places = [(100 + 40 * at, 60) if rotation == 90 else (300 - 40 * at, 240) for at in range(5)]
    content = "".join(draw_label(matrix, *place, line) for place, line in zip(places, LINES, strict=True))
    source, page = read_page(content + text_at(20, 20, "foot"))
    assert (page.rotation, page.width, page.height) == (rotation, 300, 400)
    assert join_text(page.words).split("\n")[:5] == LINES
    picture = source.draw(1, 400).rotate(-rotation, expand=True).convert("L")
    first = page.words[0]
    edges = first.x0 * picture.width, first.y0 * picture.height, first.x1 * picture.width, first.y1 * picture.height
    assert picture.crop([round(edge) for edge in edges]).getextrema()[0] < 100
    assert [word.text for word in page.words if word.is_upright] == ["foot"]


def test_hidden_and_few_words_turn_no_page() -> None:
    words = [
        Word("a" * 100, 0.1, 0.1, 0.2, 0.9, flags=UPWARD | HIDDEN),
        Word("b" * 39, 0.3, 0.1, 0.4, 0.9, flags=UPWARD),
    ]
    assert upright.find_rotation(words) == 0
    assert upright.find_rotation([*words, Word("cd", 0.5, 0.1, 0.6, 0.9, flags=UPWARD)]) == 90


@pytest.mark.parametrize("rotation", [90, 270])
def test_turning_there_and_back_changes_nothing(rotation: int) -> None:
    word = Word("a", 0.125, 0.25, 0.375, 0.5)
    turned = upright.rotate_words([word], rotation)
    assert turned[0].is_upright and upright.rotate_words(turned, 360 - rotation) == [word]


def test_an_upright_line_disturbs_no_row_that_it_passes() -> None:
    label = Word("Label", 0.02, 0.1, 0.04, 0.9, flags=DOWNWARD)
    rows = [
        Word(f"w{at}", 0.1 + 0.2 * (at % 4), 0.1 + 0.1 * (at // 4), 0.2 + 0.2 * (at % 4), 0.12 + 0.1 * (at // 4))
        for at in range(32)
    ]
    lines = [word.line for word in number_lines([label, *rows])]
    assert lines == [*(row for row in range(1, 9) for _ in range(4)), 9]


def test_a_label_on_a_scan_is_turned_and_stands_where_it_is_seen() -> None:
    page, label = Image.new("RGB", (700, 700), "white"), Image.new("RGB", (330, 30), "white")
    for at, line in enumerate(LINES):
        ImageDraw.Draw(page).text((120, 60 + 120 * at), line, "black", load_font("regular", 24))
    ImageDraw.Draw(label).text((4, 2), LABEL, "black", load_font("regular", 22))
    page.paste(label.rotate(90, expand=True), (30, 200))
    data = io.BytesIO()
    page.save(data, "PNG")
    words = ImageSource(data, "png", LIMITS).read(1, "auto").words
    assert join_text(words).split("\n") == [*LINES, LABEL]
    first, *_, last = [word for word in words if word.flags & UPWARD]
    assert (first.text, last.text) == ("Registered", "England") and 0.04 < first.x0 < last.x1 < 0.09
    assert 0.28 < last.y0 < last.y1 < first.y0 < first.y1 < 0.77

"""Blocks on pages: where words stand, what tables look like, and what is too much."""

import itertools

import numpy as np
import pytest

from reader.failures import OverLimit
from reader.layout.blocks import Block, Cell, Heading, Note, PageBreak, Paragraph, PlainLine, Table
from reader.layout.drawing import draw_page
from reader.layout.set_pages import HEIGHT, WIDTH, SetPage
from reader.layout.source import make_word
from reader.layout.typesetter import Typesetter
from reader.words import join_text, number_rows


def set_blocks(*blocks: Block, max_pages: int = 20) -> list[SetPage]:
    return Typesetter(max_pages).set(blocks)


def read_page(page: SetPage) -> str:
    return join_text(number_rows(make_word(page, word) for word in page.words if not word.style.is_grey))


def texts(*rows: list[str]) -> list[list[Cell]]:
    return [[Cell(text) for text in row] for row in rows]


def test_every_word_lies_inside_its_page() -> None:
    pages = set_blocks(Heading("A title"), *[Paragraph("some words " * 60, indent=2)] * 30, PlainLine("x" * 900))
    words = [make_word(page, word) for page in pages for word in page.words]
    assert len(pages) > 2 and len(words) > 3000
    assert all(0 <= w.x0 < w.x1 <= 1 and 0 <= w.y0 < w.y1 <= 1 for w in words)


def test_the_letters_of_a_word_are_drawn_in_its_box() -> None:
    [page] = set_blocks(Paragraph("Grüße Ящик 4,812.50"))
    picture = np.array(draw_page(page, 1190))
    for word in (make_word(page, word) for word in page.words):
        rows, columns = find_pixels(word.y0, word.y1, picture.shape[0]), find_pixels(word.x0, word.x1, picture.shape[1])
        assert picture[rows, columns].min() < 60
        picture[rows, columns] = 255
    assert picture.min() == 255


def find_pixels(start: float, stop: float, count: int) -> slice:
    return slice(int(start * count) - 1, int(stop * count) + 2)


def test_cells_of_a_table_are_cells_to_a_model_although_they_are_full() -> None:
    [page] = set_blocks(Table(texts(["Item", "Amount due"], ["Copper pipe", "12.50"])))
    starts = [word.text for word in page.words if word.begins_cell]
    assert starts == ["Item", "Amount", "Copper", "12.50"]
    assert read_page(page).splitlines() == ["Item Amount due", "Copper pipe 12.50"]


def test_a_cell_may_go_over_rows_and_columns() -> None:
    rows = [
        [Cell("wide", columns=2), Cell("right")],
        [Cell("tall", rows=2), Cell("b"), Cell("c")],
        [Cell("d"), Cell("e")],
    ]
    [page] = set_blocks(Table(rows))
    left = {word.text: word.x for word in page.words}
    assert left["wide"] == left["tall"] and left["b"] == left["d"] and left["right"] == left["c"] == left["e"]


def test_a_row_higher_than_a_page_goes_on_on_the_next() -> None:
    pages = set_blocks(Table(texts(["note", "\n".join(f"line{number}" for number in range(150))])))
    assert len(pages) == 3
    assert sum(len(page.words) for page in pages) == 151


def test_a_wide_table_gets_wide_pages_and_a_wider_one_goes_on_below() -> None:
    wide = [f"column{number}" for number in range(20)]
    [page] = set_blocks(Table(texts(wide)))
    assert page.width > WIDTH and len(read_page(page).splitlines()) == 1
    [page] = set_blocks(Table(texts(wide * 3)))
    assert page.width <= 1700 and len(read_page(page).splitlines()) > 1


def test_text_after_a_wide_table_has_pages_of_the_usual_width() -> None:
    pages = set_blocks(Table(texts(["column"] * 40)), PageBreak(), Paragraph("after"))
    assert [page.width > WIDTH for page in pages] == [True, False]


def test_names_of_rows_and_columns_are_drawn_and_are_no_words() -> None:
    [page] = set_blocks(Table(texts(["7", "8"]), ("A", "B"), ("1",)), Note("[picture]"))
    assert read_page(page) == "7 8"
    assert {word.text for word in page.words if word.style.is_grey} == {"A", "B", "1", "[picture]"}


def test_a_word_longer_than_a_line_is_broken_and_nothing_is_lost() -> None:
    pages = set_blocks(Paragraph("W" * 5000), PlainLine("m" * 5000))
    assert "".join(word.text for page in pages for word in page.words) == "W" * 5000 + "m" * 5000


def test_lines_keep_their_spaces_and_go_on_where_they_began() -> None:
    [page] = set_blocks(PlainLine("    key:  " + "word " * 40))
    first, second = itertools.islice((list(row) for _, row in itertools.groupby(page.words, key=lambda w: w.y)), 2)
    assert first[0].x == second[0].x > 48 and first[1].x - first[0].x > first[0].width * 1.4


@pytest.mark.parametrize("block", [Paragraph("word " * 200_000), PlainLine("x" * 400_000), Table(texts(["x"]) * 5000)])
def test_it_refuses_more_than_so_many_pages(block: Block) -> None:
    with pytest.raises(OverLimit, match="more than 20 pages"):
        set_blocks(block)


def test_what_cannot_be_drawn_or_stored_is_a_gap() -> None:
    [page] = set_blocks(Paragraph("a\0b\u202ec \ud800d"))
    assert [word.text for word in page.words] == ["a", "b", "c", "d"]


def test_an_empty_table_is_nothing() -> None:
    assert set_blocks(Table([]), Table([[]])) == []


def test_a_page_is_never_higher_than_any_other() -> None:
    assert {page.height for page in set_blocks(*[Heading("title", level) for level in range(1, 7)] * 40)} == {HEIGHT}

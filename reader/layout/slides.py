"""Boxes of a slide at their places. Text that does not fit is set smaller, then goes on below its box."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from reader.layout.blocks import Box, Slide, SlideText
from reader.layout.pictures import SMALLEST, SetPicture, measure_picture
from reader.layout.set_pages import (
    LINE_HEIGHT,
    MARGIN,
    Piece,
    Rule,
    SetPage,
    SetWord,
    Style,
    wrap_text,
)
from reader.layout.tables import TableGrid

SMALLEST_LETTERS, LARGEST_LETTERS, SMALLER = 6.0, 60.0, 0.85
PAD = 4.0
NARROWEST = 40.0
# Sides of a slide, in points: what is outside of them is another program's mistake, or meant to hurt.
SMALLEST_SIDE, LARGEST_SIDE = 150.0, 1600.0
# In heights of the slide: text that runs further down goes on behind the slide.
LOWEST = 2.0
# Characters of a box for which a size is looked for. More are set in the smallest letters.
MAX_FITTED = 5_000


class SetLine(NamedTuple):
    pieces: list[Piece]
    style: Style


def keep_inside(slide: Slide, box: Box) -> Box:
    """Draw what stands beside the slide at its edge: none of its words is lost."""
    x, y = min(max(box.x, 0.0), slide.width - NARROWEST), min(max(box.y, 0.0), slide.height - 2 * PAD)
    width = min(max(box.width, NARROWEST), slide.width - x)
    return Box(x, y, width, min(max(box.height, 2 * PAD), slide.height - y), box.content)


def fit_texts(texts: Sequence[SlideText], box: Box) -> list[SetLine]:
    """As large as it says, or as the box takes."""
    factor = 1.0 if sum(len(text.text) for text in texts) <= MAX_FITTED else 0.0
    while True:
        lines = [*wrap_texts(texts, box.width - 2 * PAD, factor)]
        is_smallest = all(line.style.size <= SMALLEST_LETTERS for line in lines)
        if is_smallest or sum(line.style.size * LINE_HEIGHT for line in lines) <= box.height:
            return lines
        factor *= SMALLER


def wrap_texts(texts: Sequence[SlideText], width: float, factor: float) -> Iterator[SetLine]:
    for text in texts:
        size = min(max(text.size * factor, SMALLEST_LETTERS), LARGEST_LETTERS)
        style = Style(size, "bold" if text.is_bold else "regular")
        yield from (SetLine(pieces, style) for pieces in wrap_text(text.text, style, width))


def place_texts(page: SetPage, slide: Slide, box: Box, texts: Sequence[SlideText]) -> list[str]:
    """Answers the lines for which there is no room."""
    y, rest = box.y, []
    for pieces, style in fit_texts(texts, box):
        height = style.size * LINE_HEIGHT
        if y + height > LOWEST * slide.height:
            rest.append(" ".join(piece.text for piece in pieces))
            continue
        page.words += [SetWord(text, box.x + PAD + x, y, width, style) for text, x, width in pieces]
        y += height
    page.height = max(page.height, y)
    return rest


def place_table(page: SetPage, box: Box, grid: TableGrid) -> None:
    """In its own widths, from the left upper corner of its box. The page grows with it."""
    y = box.y
    for band in grid.bands:
        drawn = SetPage()
        y = band.draw_names(drawn, y)
        for row in band.rows:
            for at in range(row.line_count):
                row.place_line(drawn, at, y, is_first_on_page=at == 0 and row.number == 0)
                y += row.measure_line(at)
        shift = box.x - MARGIN
        page.words += [word._replace(x=word.x + shift) for word in drawn.words]
        page.rules += [Rule(rule.x0 + shift, rule.y0, rule.x1 + shift, rule.y1, rule.is_shade) for rule in drawn.rules]
        page.width = max(page.width, box.x + band.width + PAD)
    page.height = max(page.height, y + PAD)


def place_picture(page: SetPage, box: Box, data: bytes) -> bool:
    """Whether it can be drawn."""
    if measure_picture(data) is None:
        return False
    if min(box.width, box.height) >= SMALLEST:
        page.pictures.append(SetPicture(box.x, box.y, box.width, box.height, data))
    return True


def limit_side(points: float, default: float) -> float:
    return points if SMALLEST_SIDE <= points <= LARGEST_SIDE else default

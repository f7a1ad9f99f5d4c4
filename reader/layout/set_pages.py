"""Pages as they are set: words at their places, and what is drawn around them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from reader.layout.fonts import Face, measure
from reader.layout.pictures import SetPicture
from reader.words import MAX_INDENT

WIDTH, HEIGHT, MARGIN = 595.0, 842.0, 48.0
# From the top of a line to its letters' foot, in letter sizes; and how high the box of a word is.
BASELINE, ASCENT, DESCENT = 0.95, 0.85, 0.2
LINE_HEIGHT = 1.3
UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")


class Style(NamedTuple):
    size: float
    face: Face = "regular"
    is_grey: bool = False


class SetWord(NamedTuple):
    """A word from x on, on a line whose top is y. Of a note it is no word of the document."""

    text: str
    x: float
    y: float
    width: float
    style: Style
    address: str = ""
    cell: str = ""
    begins_cell: bool = False
    indent: int = 0


class Piece(NamedTuple):
    """A word of a line that is not yet placed."""

    text: str
    x: float
    width: float


class Rule(NamedTuple):
    """A line of a table; with `is_shade` a filled ground."""

    x0: float
    y0: float
    x1: float
    y1: float
    is_shade: bool = False


@dataclass(slots=True)
class SetPage:
    width: float = WIDTH
    height: float = HEIGHT
    words: list[SetWord] = field(default_factory=list)
    rules: list[Rule] = field(default_factory=list)
    pictures: list[SetPicture] = field(default_factory=list)


def clean(text: str) -> str:
    """Without what cannot be drawn or stored; a surrogate alone is no character."""
    return UNPRINTABLE.sub(" ", text)


def wrap_text(text: str, style: Style, width: float) -> Iterator[list[Piece]]:
    """The lines of the text. A word wider than a line is broken."""
    # A text that was measured as just as wide fits.
    width += 0.01
    for part in clean(text).split("\n"):
        yield from wrap_part(part, style, width)


def wrap_part(part: str, style: Style, width: float) -> Iterator[list[Piece]]:
    space = measure(" ", style.face, style.size)
    line: list[Piece] = []
    end = 0.0
    for piece, length in break_words(part.split(), style, width):
        start = end + space if line else 0.0
        if line and start + length > width:
            yield line
            line, start = [], 0.0
        line.append(Piece(piece, start, length))
        end = start + length
    yield line


def break_words(words: list[str], style: Style, width: float) -> Iterator[tuple[str, float]]:
    for word in words:
        length = measure(word, style.face, style.size)
        while length > width and len(word) > 1:
            count = count_fitting(word, style, width)
            yield word[:count], measure(word[:count], style.face, style.size)
            word = word[count:]
            length = measure(word, style.face, style.size) if len(word) < 1000 else width + 1
        if word:
            yield word, length


def count_fitting(word: str, style: Style, width: float) -> int:
    """Count the characters that fit, one at least."""
    reached = 0.0
    for count, character in enumerate(word):
        reached += measure(character, style.face, style.size)
        if reached > width:
            return max(1, count)
    return len(word)


def wrap_spaced(text: str, style: Style, columns: int) -> Iterator[tuple[int, list[Piece]]]:
    """Lines of letters of one width, which keep their spaces, each after the number of those before it.

    Where these take more than half of the columns, the line goes over their end.
    """
    cell = measure(" ", style.face, style.size)
    for part in clean(text).expandtabs(4).split("\n"):
        # Further lines stand under where the first began.
        indent = min(len(part) - len(part.lstrip(" ")), MAX_INDENT)
        room = max(columns - indent, columns // 2)
        rest = part.strip(" ")
        while len(rest) > room:
            cut = rest.rfind(" ", 1, room + 1)
            cut = cut if cut > 0 else room
            yield indent, place_spaced(rest[:cut], indent, cell)
            rest = rest[cut:].lstrip(" ")
        yield indent, place_spaced(rest, indent, cell)


def place_spaced(text: str, indent: int, cell: float) -> list[Piece]:
    return [
        Piece(match.group(), (indent + match.start()) * cell, len(match.group()) * cell)
        for match in re.finditer(r"\S+", text)
    ]

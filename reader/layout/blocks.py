"""Blocks of a file without pages, in reading order.

`address`: where in the file it stands, if that has a name.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import BinaryIO

from reader.gaps import Gap
from reader.pages import Limits


@dataclass(frozen=True, slots=True)
class Heading:
    """level: 1 to 6."""

    text: str
    level: int = 1
    address: str = ""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A line break in the text is one on the page. indent: in steps."""

    text: str
    address: str = ""
    indent: int = 0


@dataclass(frozen=True, slots=True)
class PlainLine:
    """Set in letters of one width; its spaces are kept."""

    text: str
    address: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """columns, rows: over how many it goes. is_number: set at the right, as sheets do."""

    text: str
    address: str = ""
    columns: int = 1
    rows: int = 1
    is_head: bool = False
    is_number: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Rows as in HTML: a place that a cell from above or from the left covers has no cell of its own.

    column_names and row_names are drawn around a sheet; they are no words of it. indent: spaces before its rows in
    text, where it stands inside of something else.
    """

    rows: Sequence[Sequence[Cell]]
    column_names: Sequence[str] = field(default_factory=tuple)
    row_names: Sequence[str] = field(default_factory=tuple)
    indent: int = 0


@dataclass(frozen=True, slots=True)
class Note:
    """Drawn in grey, and no word of the document: what stands here and cannot be set."""

    text: str


@dataclass(frozen=True, slots=True)
class Picture:
    """As it stands in the file. text: what the file says of it, for where it cannot be drawn."""

    data: bytes = field(repr=False)
    text: str = ""


@dataclass(frozen=True, slots=True)
class PageBreak:
    pass


@dataclass(frozen=True, slots=True)
class SlideText:
    """A paragraph in a box. size: of its letters, in points of the slide."""

    text: str
    size: float
    is_bold: bool = False


@dataclass(frozen=True, slots=True)
class Box:
    """Blocks at a place of a slide, in points from its upper left corner."""

    x: float
    y: float
    width: float
    height: float
    content: Sequence[SlideText] | Table | Picture | Note


Below = Heading | Paragraph | Table | Picture | Note
"""Blocks below a slide."""


@dataclass(frozen=True, slots=True)
class Slide:
    """A page of its own size, with its boxes in reading order. below: what has no place on it, such as its notes."""

    width: float
    height: float
    boxes: Sequence[Box]
    below: Sequence[Below] = ()


Block = Heading | Paragraph | PlainLine | Table | Note | Picture | PageBreak | Slide
ReadBlocks = Callable[[BinaryIO, Limits], Iterator[Block] | Iterator[Block | Gap]]

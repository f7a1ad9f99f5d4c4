"""A page as the reader hands it back, whatever the file was."""

from dataclasses import dataclass
from typing import Protocol

from PIL import Image

from reader.frames import Engine, EngineChoice
from reader.gaps import Gap
from reader.words import Word


@dataclass(frozen=True)
class Limits:
    """Checked before anything is parsed or decoded. encoding: of its text, where a person has chosen one."""

    max_bytes: int
    max_pages: int
    max_pixels: int
    encoding: str = ""

    @property
    def kept_by(self) -> tuple[int, str]:
        """By these the content of a file differs from that of the same file for another request."""
        return self.max_pages, self.encoding


@dataclass(frozen=True)
class PageWords:
    """A page as read. width and height (points, pixels for pictures), and all boxes, are those of the upright page;
    rotation is the clockwise turn in degrees that makes the page upright and that rendering has to repeat. illegible is
    the part of its lines that no letters were recognized for, in percent; fault says why it could not be read whole."""

    number: int
    width: float
    height: float
    rotation: int
    engine: Engine
    confidence: int
    words: list[Word]
    illegible: int = 0
    fault: str = ""
    gaps: tuple[Gap, ...] = ()


class Source(Protocol):
    """An open file: pages are counted from 1. gaps: those of the file as a whole."""

    sizes: list[tuple[float, float]]
    gaps: list[Gap]

    def read(self, number: int, choice: EngineChoice) -> PageWords: ...

    def read_text(self, number: int, choice: EngineChoice) -> PageWords | None:
        """The page when its text stands in the file; None when it has to be recognized."""

    def draw(self, number: int, width: int) -> Image.Image: ...

    def close(self) -> None: ...

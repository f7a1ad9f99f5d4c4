"""Lines of text as an OCR engine finds them in a picture."""

from dataclasses import dataclass
from typing import Protocol

from PIL import Image

Point = tuple[float, float]


@dataclass(frozen=True)
class OcrWord:
    text: str
    box: tuple[float, float, float, float]
    score: float


@dataclass(frozen=True)
class OcrLine:
    """One line of text; an empty text is one in which no letter was recognized. quad: its corners in pixels, from the
    top left of the text on, clockwise."""

    text: str
    score: float
    quad: list[Point]
    words: list[OcrWord]

    @property
    def width(self) -> float:
        return max(x for x, _ in self.quad) - min(x for x, _ in self.quad)

    @property
    def height(self) -> float:
        return max(y for _, y in self.quad) - min(y for _, y in self.quad)


class Recognizer(Protocol):
    def find_lines(self, picture: Image.Image) -> list[OcrLine]: ...

"""A reader's answers, as the product takes them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from reader import frames
from reader.frames import Engine, Rotation
from reader.gaps import Gap
from reader.words import Word, join_text


@dataclass(frozen=True)
class PageSize:
    """Points for PDF and text, pixels for pictures; as shown."""

    width: float
    height: float


@dataclass(frozen=True)
class Inspection:
    kind: str
    sizes: list[PageSize]
    gaps: Sequence[Gap] = ()
    has_parts: bool = False

    @property
    def page_count(self) -> int:
        return len(self.sizes)


@dataclass(frozen=True)
class PageReading:
    """A page upright: its size and boxes hold after the clockwise `rotation`, which `render` has to be given too."""

    number: int
    width: float
    height: float
    rotation: Rotation
    engine: Engine
    confidence: int
    words: list[Word]
    illegible: int = 0
    fault: str = ""
    gaps: Sequence[Gap] = ()

    @property
    def text(self) -> str:
        return join_text(self.words)


@dataclass(frozen=True)
class Rendering:
    data: bytes
    media_type: str
    width: int
    height: int


def make_page(page: frames.PageReply) -> PageReading:
    size = page["width"], page["height"]
    words = [Word(*word) for word in page["words"]]
    reading = PageReading(page["number"], *size, page["rotation"], page["engine"], page["confidence"], words)
    return replace(reading, illegible=page["illegible"], fault=page["fault"], gaps=make_gaps(page["gaps"]))


def make_gaps(gaps: Iterable[Gap]) -> list[Gap]:
    return [Gap(*gap) for gap in gaps]

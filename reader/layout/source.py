"""Files whose pages are made here: the blocks that the reader of their kind finds, set once and kept for the next."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain
from typing import BinaryIO

from PIL import Image

from reader.failures import Unreadable
from reader.frames import Engine, EngineChoice
from reader.gaps import Gap
from reader.layout.blocks import Block, Note, PageBreak, ReadBlocks
from reader.layout.drawing import draw_page
from reader.layout.pictures import SetPicture, read_picture
from reader.layout.set_pages import ASCENT, BASELINE, DESCENT, SetPage, SetWord
from reader.layout.typesetter import Typesetter
from reader.newest_file import NewestFile
from reader.pages import Limits, PageWords
from reader.words import STRETCH_START, Word, measure_confidence, number_rows

# Pictures of one page.
MAX_READ = 12
UNDRAWN = "{} of a kind that is not drawn here, such as EMF and WMF, or broken, and not read."
UNREAD = "Page {} has {} pictures; the last {} of them were not read."


class LaidOutSource:
    def __init__(self, file: BinaryIO, read_blocks: ReadBlocks, limits: Limits) -> None:
        laid_out = newest.get(file, limits.kept_by, lambda: lay_out(read_blocks(file, limits), limits.max_pages))
        self.pages, self.gaps = laid_out.pages, laid_out.gaps
        self.sizes = [(page.width, page.height) for page in self.pages]

    def read(self, number: int, choice: EngineChoice) -> PageWords:
        page, result = self.pages[number - 1], self.set_words(number, [])
        if choice == "text-layer":
            return result
        words = [word for each in list_readable(page) for word in read_picture(each, page.width, page.height)]
        return self.set_words(number, words) if words else result

    def read_text(self, number: int, choice: EngineChoice) -> PageWords | None:
        """Words in pictures wait for their turn, as on the pages of a PDF."""
        waits = choice != "text-layer" and list_readable(self.pages[number - 1])
        result = self.set_words(number, [])
        return replace(result, engine="") if waits else result

    def set_words(self, number: int, recognized: list[Word]) -> PageWords:
        page = self.pages[number - 1]
        words = [make_word(page, word) for word in page.words if not word.style.is_grey] + recognized
        confidence = measure_confidence(words) if recognized else 100
        engine: Engine = "layout+rapidocr" if recognized else "layout"
        gaps = list_unread(page, number)
        return PageWords(number, page.width, page.height, 0, engine, confidence, number_rows(words), gaps=gaps)

    def draw(self, number: int, width: int) -> Image.Image:
        return draw_page(self.pages[number - 1], width)

    def close(self) -> None:
        self.pages = []


def list_unread(page: SetPage, number: int) -> tuple[Gap, ...]:
    count = sum(each.is_readable for each in page.pictures)
    return (Gap("embedded", UNREAD.format(number, count, count - MAX_READ), number),) if count > MAX_READ else ()


def list_readable(page: SetPage) -> list[SetPicture]:
    return [each for each in page.pictures if each.is_readable][:MAX_READ]


def make_word(page: SetPage, word: SetWord) -> Word:
    baseline = word.y + BASELINE * word.style.size
    x0, y0 = word.x / page.width, (baseline - ASCENT * word.style.size) / page.height
    x1, y1 = (word.x + word.width) / page.width, (baseline + DESCENT * word.style.size) / page.height
    flags = STRETCH_START if word.begins_cell else 0
    more = (word.address, word.cell, word.indent)
    return Word(word.text, x0, y0, min(x1, 1.0), y1, 0, flags, 100, *more)


@dataclass(frozen=True)
class LaidOut:
    """The set pages of a file, and its gaps, as they are kept for the next request."""

    pages: list[SetPage]
    gaps: list[Gap]


newest: NewestFile[LaidOut] = NewestFile()


def lay_out(content: Iterator[Block | Gap], max_pages: int) -> LaidOut:
    """Raises Unreadable where there is nothing to set, and OverLimit for more pages."""
    gaps: list[Gap] = []
    typesetter = Typesetter(max_pages)
    pages = typesetter.set(require_text(take_gaps(content, gaps)))
    if count := typesetter.undrawn_pictures:
        gaps.append(Gap("embedded", UNDRAWN.format("1 picture is" if count == 1 else f"{count:,} pictures are")))
    return LaidOut(pages, gaps)


def take_gaps(content: Iterator[Block | Gap], gaps: list[Gap]) -> Iterator[Block]:
    """The blocks alone; a gap that comes between them goes into the list."""
    for each in content:
        if isinstance(each, Gap):
            gaps.append(each)
        else:
            yield each


def require_text(blocks: Iterator[Block]) -> Iterator[Block]:
    """Raises Unreadable where there is nothing to set."""
    seen: list[Block] = []
    for block in blocks:
        seen.append(block)
        if not isinstance(block, PageBreak | Note):
            return chain(seen, blocks)
    if seen:
        return iter(seen)
    raise Unreadable("The file holds no text.")

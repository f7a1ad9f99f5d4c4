"""Files whose pages are made here: the blocks that the reader of their kind finds, set once and kept for the next."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import BinaryIO

from PIL import Image

from documents.backends.reader.failures import Unreadable
from documents.backends.reader.frames import EngineChoice
from documents.backends.reader.layout.blocks import Block, Note, PageBreak, ReadBlocks
from documents.backends.reader.layout.drawing import draw_page
from documents.backends.reader.layout.set_pages import ASCENT, BASELINE, DESCENT, SetPage, SetWord
from documents.backends.reader.layout.typesetter import Typesetter
from documents.backends.reader.pages import Limits, PageWords
from documents.backends.words import STRETCH_START, Word, number_rows


class LaidOutSource:
    def __init__(self, file: BinaryIO, read_blocks: ReadBlocks, limits: Limits) -> None:
        self.pages = newest.get_pages(file, read_blocks, limits)
        self.sizes = [(page.width, page.height) for page in self.pages]

    def read(self, number: int, choice: EngineChoice) -> PageWords:
        page = self.pages[number - 1]
        words = [make_word(page, word) for word in page.words if not word.style.is_grey]
        return PageWords(number, page.width, page.height, 0, "layout", 100, number_rows(words))

    def read_text(self, number: int, choice: EngineChoice) -> PageWords | None:
        return self.read(number, choice)

    def draw(self, number: int, width: int) -> Image.Image:
        return draw_page(self.pages[number - 1], width)

    def close(self) -> None:
        self.pages = []


def make_word(page: SetPage, word: SetWord) -> Word:
    baseline = word.y + BASELINE * word.style.size
    x0, y0 = word.x / page.width, (baseline - ASCENT * word.style.size) / page.height
    x1, y1 = (word.x + word.width) / page.width, (baseline + DESCENT * word.style.size) / page.height
    flags = STRETCH_START if word.begins_cell else 0
    return Word(word.text, x0, y0, min(x1, 1.0), y1, flags=flags, address=word.address)


@dataclass
class NewestPages:
    """Those of the file that was asked for last: they are asked for one by one, and only the whole gives any."""

    # Kept open, so that no other file gets its number.
    descriptor: int | None = None
    identity: tuple[int, ...] = ()
    pages: list[SetPage] = field(default_factory=list)

    def get_pages(self, file: BinaryIO, read_blocks: ReadBlocks, limits: Limits) -> list[SetPage]:
        state = os.fstat(file.fileno())
        identity = (state.st_dev, state.st_ino, state.st_size, state.st_mtime_ns, limits.max_pages)
        if identity != self.identity:
            self.forget()
            self.pages = Typesetter(limits.max_pages).set(require_text(read_blocks(file, limits)))
            self.descriptor, self.identity = os.dup(file.fileno()), identity
        return self.pages

    def forget(self) -> None:
        if self.descriptor is not None:
            os.close(self.descriptor)
        self.descriptor, self.identity, self.pages = None, (), []


newest = NewestPages()


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

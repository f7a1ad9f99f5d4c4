"""Lines and words of a reading under ids that stay true, and the same words in another reading of the document.

`<reading>.<page>.<line>` names a line, a further number one word of it, all counted from 1. A reading is never changed
and is kept as long as its document, so an id always means the same words (ADR 16).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from itertools import accumulate, pairwise
from typing import NamedTuple, TypeAlias

from accounts.actor import Actor
from documents.models import Page, Reading
from kit.errors import Invalid, NotFound
from kit.ids import is_id
from kit.rows.models import fold_case
from reader.words import Word, group_lines, unpack

MAX_BLOCKS = 200
# Of what stands at the old place: less alike, it is something else.
MIN_LIKENESS = 0.6
# Letters of either. The time grows with their square, and a line may be as long as its author likes.
MAX_COMPARED = 400
_EXAMPLE = "65f1a2b3c4d5e6f708192a3b.3.12"


class BlockPlace(NamedTuple):
    """On the pages of one reading. Word 0 is the whole line."""

    page: int
    line: int
    word: int = 0

    def __str__(self) -> str:
        return ".".join(str(number) for number in self if number)


class BlockId(NamedTuple):
    reading_id: str
    place: BlockPlace

    @property
    def line(self) -> BlockId:
        """Of a word the line that it stands in."""
        return self._replace(place=self.place._replace(word=0))

    def __str__(self) -> str:
        return f"{self.reading_id}.{self.place}"


@dataclass(frozen=True)
class Block:
    """A line, or words of one that stand side by side; `id` is that of the first."""

    id: BlockId
    words: tuple[Word, ...]

    @property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, right, bottom in page fractions."""
        words = self.words
        return min(w.x0 for w in words), min(w.y0 for w in words), max(w.x1 for w in words), max(w.y1 for w in words)


_Placed: TypeAlias = Sequence[tuple[BlockPlace, Word]]


def parse_block_id(text: str) -> BlockId:
    """Raises Invalid."""
    reading_id, _, place = text.partition(".")
    if not is_id(reading_id):
        raise Invalid(f"“{text[:60]}” names no block. A block is named by reading, page and line, such as {_EXAMPLE}.")
    return BlockId(reading_id, parse_place(place))


def parse_block_ids(text: str) -> list[BlockId]:
    """A block id, after which places of the same reading may come: `65f1….3.12.4,3.12.5`. Raises Invalid."""
    first, *others = text.split(",")
    block_id = parse_block_id(first)
    return [block_id, *(block_id._replace(place=parse_place(each)) for each in others)]


def parse_place(text: str) -> BlockPlace:
    """`3.12` or `3.12.4`. Raises Invalid."""
    numbers = text.split(".")
    if len(numbers) not in (2, 3) or not all(map(_is_number, numbers)):
        raise Invalid(f"“{text[:60]}” is no place on the pages. Write page and line, and maybe a word, such as 3.12.4.")
    return BlockPlace(*map(int, numbers))


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 8 and text[0] != "0"


def fetch_block(actor: Actor, block_id: str) -> Block:
    """Raises Invalid, and NotFound for what is on no page of a document of the organization."""
    return _fetch(actor, [parse_block_id(block_id)])[0]


def fetch_blocks(actor: Actor, block_ids: str) -> list[Block]:
    """Fetch those that parse_block_ids reads, one at least. Raises Invalid and NotFound."""
    return _fetch(actor, parse_block_ids(block_ids))


def _fetch(actor: Actor, named: Sequence[BlockId]) -> list[Block]:
    readings = Reading.objects.for_org(actor.organization).filter(document__trashed_at=None)
    reading = readings.filter(pk=named[0].reading_id).first()
    blocks = load_blocks(reading, [each.place for each in named]) if reading else []
    if not blocks:
        raise NotFound(f"There is no block {named[0]} here. Its document may be in the trash, or deleted.")
    return blocks


def load_blocks(reading: Reading, places: Iterable[BlockPlace]) -> list[Block]:
    """Those that are on its pages, in reading order; neighbouring words are one block. Hidden words are in none."""
    first_places = sorted(set(places))[:MAX_BLOCKS]
    numbers = {place.page for place in first_places}
    rows = reading.pages.filter(number__in=numbers).only("reading", "number", "words")
    pages = {page.number: _list_lines(page) for page in rows}
    blocks = []
    for run in _group_runs(first_places):
        line = pages.get(run[0].page, {}).get(run[0].line, [])
        words = [line[place.word - 1] for place in run if place.word <= len(line)] if run[0].word else line
        if words:
            blocks.append(Block(BlockId(reading.pk, run[0]), tuple(words)))
    return blocks


def load_lines(block_ids: Iterable[BlockId]) -> dict[BlockId, Block]:
    """Whole lines of any readings by their ids, also of words in them: those that are on a page. By two queries."""
    lines = {each.line for each in block_ids}
    pages = load_pages({(each.reading_id, each.place.page) for each in lines})
    on_page = {place: _list_lines(page) for place, page in pages.items()}
    printed = ((each, on_page.get((each.reading_id, each.place.page), {}).get(each.place.line)) for each in lines)
    return {each: Block(each, tuple(words)) for each, words in printed if words}


def load_pages(places: Collection[tuple[str, int]]) -> dict[tuple[str, int], Page]:
    """Of any readings by their ids and the numbers of the pages, with nothing but their words. By two queries."""
    rows = Page.objects.filter(
        reading__in={reading_id for reading_id, _ in places}, number__in={number for _, number in places}
    )
    # Without those that come along, whose number only another reading needs: their words are not loaded.
    keys = [key for key, *place in rows.values_list("pk", "reading_id", "number") if tuple(place) in places]
    pages = Page.objects.filter(pk__in=keys).only("reading", "number", "words")
    return {(page.reading_id, page.number): page for page in pages}


def _list_lines(page: Page) -> dict[int, list[Word]]:
    return dict(group_lines(word for word in unpack(bytes(page.words)) if not word.hidden))


def _group_runs(places: Sequence[BlockPlace]) -> list[list[BlockPlace]]:
    """Words that follow each other in a line, together."""
    runs = [[place] for place in places[:1]]
    for before, place in pairwise(places):
        if before.word and place == before._replace(word=before.word + 1):
            runs[-1].append(place)
        else:
            runs.append([place])
    return runs


def find_all_in_reading(blocks: Sequence[Block], reading: Reading) -> Iterator[Block]:
    """Finds their words in another reading of the file: on the same page, where they are nearest to the old box.

    Where they were read differently, what stands in the old box and is much alike; a block with neither is left out.
    Each page is loaded once, however many of them stand on it.
    """
    if blocks and blocks[0].id.reading_id == reading.pk:
        yield from blocks
        return
    rows = reading.pages.filter(number__in={block.id.place.page for block in blocks})
    pages = {page.number: _PageWords(_list_placed(page)) for page in rows}
    for block in blocks:
        page = pages.get(block.id.place.page)
        nearest = _find_nearest(block, page) or _list_alike(block, page.placed) if page else []
        if nearest:
            yield Block(BlockId(reading.pk, nearest[0][0]), tuple(word for _, word in nearest))


@dataclass(frozen=True)
class _PageWords:
    placed: _Placed

    @cached_property
    def texts(self) -> list[str]:
        return [_squeeze([word.text]) for _, word in self.placed]

    @cached_property
    def joined(self) -> str:
        return "".join(self.texts)

    @cached_property
    def offsets(self) -> dict[int, int]:
        """Where in the joined text each word begins, and the last one ends."""
        return {offset: at for at, offset in enumerate(accumulate(map(len, self.texts), initial=0))}


def _list_placed(page: Page) -> _Placed:
    lines = _list_lines(page)
    return [
        (BlockPlace(page.number, line, at), word) for line, row in lines.items() for at, word in enumerate(row, start=1)
    ]


def _find_nearest(block: Block, page: _PageWords) -> _Placed:
    left, top, _, _ = block.box

    def measure_distance(span: slice) -> float:
        word: Word = page.placed[span.start][1]
        return abs(word.x0 - left) + abs(word.y0 - top)

    return page.placed[min(_iterate_same_words(block, page), key=measure_distance, default=slice(0))]


def _iterate_same_words(block: Block, page: _PageWords) -> Iterator[slice]:
    """However they are parted: "No. 12" is "No.12"."""
    target = _squeeze(word.text for word in block.words)
    begin = page.joined.find(target) if target else -1
    while begin >= 0:
        if begin in page.offsets and begin + len(target) in page.offsets:
            yield slice(page.offsets[begin], page.offsets[begin + len(target)])
        begin = page.joined.find(target, begin + 1)


def _list_alike(block: Block, placed: _Placed) -> _Placed:
    left, top, right, bottom = block.box
    inside = [
        (place, word)
        for place, word in placed
        if left <= (word.x0 + word.x1) / 2 <= right and top <= (word.y0 + word.y1) / 2 <= bottom
    ]
    one, other = (_squeeze(word.text for word in words) for words in (block.words, (word for _, word in inside)))
    likeness = SequenceMatcher(None, one[:MAX_COMPARED], other[:MAX_COMPARED], autojunk=False).ratio()
    return inside if likeness >= MIN_LIKENESS else []


def _squeeze(texts: Iterable[str]) -> str:
    return "".join(fold_case(text) for text in texts)

"""The lines of a nested file as a tree: those that stand further in belong to the line before them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice

from documents.models import Reading
from documents.reading.blocks import Block, BlockId, BlockPlace, load_lines
from documents.reading.nesting.addresses import find_address
from documents.reading.pages import unpack_words
from kit.errors import NotFound

# Nodes that are given at once, and letters of one.
MAX_NODES, MAX_TEXT = 200, 300


@dataclass(frozen=True)
class OutlineNode:
    """A line. `lines`: how many stand inside of it."""

    place: BlockPlace
    text: str
    lines: int = 0
    address: str = ""
    box: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True)
class OutlinePart:
    """Nodes that stand side by side. `following`: the first one that was left out."""

    nodes: list[OutlineNode]
    following: OutlineNode | None = None


@dataclass(frozen=True)
class _Line:
    place: BlockPlace
    text: str

    @property
    def depth(self) -> int:
        """An item of YAML may stand as far in as the name of its list, and is inside of it."""
        text = self.text.lstrip(" ")
        return 2 * (len(self.text) - len(text)) + (text == "-" or text.startswith("- "))


def is_nested(reading: Reading) -> bool:
    """Whether the lines of its first page have addresses in a tree. Readings of before have no indentation to show."""
    page = reading.pages.filter(number=1, engine="layout").only("reading", "words").first()
    words = unpack_words(page) if page else []
    return any(word.indent for word in words) and any(word.address.startswith("/") for word in words)


def list_nodes(reading: Reading, inside: BlockPlace | None = None, first: BlockPlace | None = None) -> OutlinePart:
    """The nodes inside of a line, or the outermost ones, from the one at `first` on. Raises NotFound."""
    floor = _get_line(reading, inside).depth if inside else -1
    lines = _iterate_lines(reading, after=inside, first=first)
    nodes = list(_locate(reading, list(islice(_group(lines, floor), MAX_NODES + 1))))
    return OutlinePart(list(_join_continued(nodes[:MAX_NODES])), nodes[MAX_NODES] if len(nodes) > MAX_NODES else None)


def _get_line(reading: Reading, place: BlockPlace) -> _Line:
    text = reading.pages.filter(number=place.page).values_list("text", flat=True).first() or ""
    lines = text.split("\n")
    if not 0 < place.line <= len(lines):
        raise NotFound(f"There is no line {place} here.")
    return _Line(place, lines[place.line - 1])


def _iterate_lines(reading: Reading, *, after: BlockPlace | None, first: BlockPlace | None) -> Iterator[_Line]:
    begin = first or (after._replace(line=after.line + 1) if after else BlockPlace(1, 1))
    pages = reading.pages.filter(number__gte=begin.page).order_by("number").values_list("number", "text")
    for number, text in pages.iterator(chunk_size=50):
        for at, line in enumerate(text.split("\n"), start=1):
            place = BlockPlace(number, at)
            if line and place >= begin:
                yield _Line(place, line)


def _group(lines: Iterable[_Line], floor: int) -> Iterator[OutlineNode]:
    """Each once it is known how many lines are inside of it."""
    node: OutlineNode | None = None
    level = 0
    for line in lines:
        if line.depth <= floor:
            break
        if node and line.depth > level:
            node = replace(node, lines=node.lines + 1)
            continue
        if node:
            yield node
        node, level = OutlineNode(line.place, line.text.strip()[:MAX_TEXT]), line.depth
    if node:
        yield node


def _locate(reading: Reading, nodes: Iterable[OutlineNode]) -> Iterator[OutlineNode]:
    ids = {BlockId(reading.pk, node.place): node for node in nodes}
    blocks = load_lines(ids)
    for block_id, node in ids.items():
        block: Block | None = blocks.get(block_id)
        yield replace(node, address=find_address(block.words), box=block.box) if block else node


def _join_continued(nodes: Iterable[OutlineNode]) -> Iterator[OutlineNode]:
    """A value that goes on over several lines is one node."""
    before: OutlineNode | None = None
    for node in nodes:
        if before and not before.lines and not node.lines and node.address and node.address == before.address:
            continue
        yield node
        before = node

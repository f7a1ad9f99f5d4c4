"""A reading of a nested file in its parts, from the lines and addresses that are stored with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from documents.file_chunks.references import Reference, list_references
from documents.file_chunks.roots import FileParts, Root
from documents.models import Page, Reading
from documents.reading.blocks import BlockPlace
from documents.reading.nesting.addresses import find_address
from documents.reading.pages import unpack_words
from reader.words import Word, group_lines

# A file has so many parts, a part so many letters. The rest is found by its words.
MAX_CHUNKS, MAX_CONTENT = 50_000, 60_000
_TITLES = ("summary", "title", "description")
# A page, and the first and the last of lines on it that follow each other.
Span = list[int]


@dataclass(slots=True)
class CutChunk:
    """`lines`: the text, as far in as its first line, and `spans`: where each of them stands.

    `first`, `last`: where the part does, which may have others inside. `letters_left`: those that did not fit in.
    """

    root: Root
    first: BlockPlace
    last: BlockPlace
    indent: int
    lines: list[str] = field(default_factory=list)
    references: dict[Reference, None] = field(default_factory=dict)
    summary: str = ""
    operation: str = ""
    spans: list[Span] = field(default_factory=list)
    letters: int = 0
    letters_left: int = 0
    is_cut_off: bool = False

    @property
    def content(self) -> str:
        return "\n".join(self.lines)

    def add(self, line: _Line) -> None:
        self.last = line.place
        self.add_text(" " * max(0, line.indent - self.indent) + line.text, line.place)
        around, _, key = line.address.rpartition("/")
        if around == self.root.address and key in (*_TITLES, "operationId"):
            self.name_by(key, line.text.partition(":")[2].strip(" \"'|>-")[:200])

    def add_text(self, text: str, place: BlockPlace) -> None:
        if self.letters_left or self.letters + len(text) > MAX_CONTENT:
            self.letters_left += len(text)
            return
        self.letters += len(text)
        self.lines.append(text)
        if self.spans and self.spans[-1][0] == place.page and self.spans[-1][2] + 1 == place.line:
            self.spans[-1][2] = place.line
        else:
            self.spans.append([place.page, place.line, place.line])

    def name_by(self, key: str, text: str) -> None:
        if key == "operationId":
            self.operation = text
        self.summary = self.summary or (text if key in _TITLES else "")

    @property
    def title(self) -> str:
        return " · ".join(filter(None, [self.summary, self.operation]))[:200]


@dataclass(frozen=True, slots=True)
class _Line:
    place: BlockPlace
    indent: int
    text: str
    address: str
    words: list[tuple[str, str]]


def cut_reading(reading: Reading, max_chunks: int = MAX_CHUNKS) -> list[CutChunk]:
    """In reading order; none where no line has an address in a tree. The last one knows of any left out behind it."""
    lines = list(_iterate_lines(reading.pages.order_by("number").only("reading", "number", "words")))
    parts = FileParts((line.address, len(line.text)) for line in lines if line.address.startswith("/"))
    if not parts.letters:
        return []
    schemes = "/components/securitySchemes"
    if any(line.address == "/swagger" for line in lines):
        schemes = "/securityDefinitions"
    return _cut(lines, parts, schemes, max_chunks)


def _cut(lines: Iterable[_Line], parts: FileParts, schemes: str, max_chunks: int) -> list[CutChunk]:
    chunks: dict[str, CutChunk] = {}
    current: CutChunk | None = None
    for line in lines:
        root = parts.find_root(line.address) if line.address.startswith("/") else None
        if root:
            current = chunks.get(root.address)
            if current is None:
                if len(chunks) == max_chunks:
                    chunks[next(reversed(chunks))].is_cut_off = True
                    break
                current = chunks[root.address] = CutChunk(root, line.place, line.place, line.indent)
        elif line.address:
            current = None
        if current:
            current.add(line)
            current.references |= dict.fromkeys(list_references(line.text, line.words, schemes))
    return list(chunks.values())


def _iterate_lines(pages: Iterable[Page]) -> Iterator[_Line]:
    for page in pages:
        for number, row in group_lines(word for word in unpack_words(page) if not word.hidden):
            place = BlockPlace(page.number, number)
            text = " ".join(word.text for word in row)
            yield _Line(place, row[0].indent, text, find_address(row), _list_named(row))


def _list_named(row: list[Word]) -> list[tuple[str, str]]:
    """Words with the addresses that references are told by."""
    return [(word.text, word.address) for word in row if "ref" in word.address or "/security/" in word.address]

"""Parts of files with what they refer to: breadth first, nearest first, each once, however often it is named.

References are kept apart and followed here: a file with all of them written in place explodes (778 KiB became 71 MiB).
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from django.db.models import QuerySet

from documents.file_chunks.naming import list_visible, name_chunk
from documents.file_chunks.references import Reference, list_prefixes
from documents.models import Document, FileChunk
from documents.reading.page_text import estimate_tokens

Source = Literal["requested", "expanded"]
# One level looks for so many references; so many parts are named as left.
MAX_FOLLOWED, MAX_LEFT = 2_000, 200


@dataclass(frozen=True)
class ExpandedChunk:
    chunk: FileChunk
    depth: int
    tokens: int

    @property
    def source(self) -> Source:
        return "expanded" if self.depth else "requested"


@dataclass
class Expansion:
    """`dangling`: references that lead nowhere, as written. `frontier`: parts that were cut off, for the next call;
    `left`: how many there are together. `unfollowed`: references beyond the most that are looked for at once."""

    chunks: list[ExpandedChunk] = field(default_factory=list)
    dangling: list[str] = field(default_factory=list)
    frontier: list[FileChunk] = field(default_factory=list)
    targets: Targets | None = None
    left: int = 0
    unfollowed: int = 0

    @property
    def tokens(self) -> int:
        return sum(each.tokens for each in self.chunks)

    def list_references(self, chunk: FileChunk) -> list[str]:
        targets = self.targets.list_targets(chunk) if self.targets else []
        return [name_chunk(each) for each in targets]

    def list_cuts(self) -> list[str]:
        """Sentences on what is neither in the chunks nor in the lists of those left."""
        unlisted = self.left - len(self.frontier)
        listed = f"{unlisted:,} more parts were cut off: they are among the ref_ids of those that are here."
        sought = f"{self.unfollowed:,} references were not followed: the first {MAX_FOLLOWED:,} of one level are."
        return [*([listed] if unlisted else []), *([sought] if self.unfollowed else [])]


class Targets:
    """Finds the parts that references name, a level at a time: one query, and one more for files that are named."""

    def __init__(self, documents: QuerySet[Document]) -> None:
        self.documents = documents
        self._targets: dict[tuple[str, Reference], FileChunk | None] = {}
        self._unsought: set[tuple[str, Reference]] = set()

    def load(self, chunks: Iterable[FileChunk]) -> None:
        named = dict.fromkeys((row.reading_id, each) for row in chunks for each in list_chunk_references(row))
        unknown = [each for each in named if each not in self._targets]
        self._unsought.update(unknown[MAX_FOLLOWED:])
        unknown = unknown[:MAX_FOLLOWED]
        readings = self._find_files({reference.file for _, reference in unknown if _is_other_file(reference)})
        places = {
            (reading_id, reference): readings.get(_name_file(reference)) if reference.file else reading_id
            for reading_id, reference in unknown
        }
        rows = list_visible(self.documents).filter(
            reading__in={each for each in places.values() if each},
            address__in={prefix for _, reference in unknown for prefix in list_prefixes(reference.pointer)},
        )
        by_place = {(row.reading_id, row.address): row for row in rows}
        for key, reading_id in places.items():
            near = ((reading_id or "", prefix) for prefix in list_prefixes(key[1].pointer))
            self._targets[key] = next((by_place[each] for each in near if each in by_place), None)

    def _find_files(self, files: Iterable[str]) -> dict[str, str]:
        """The reading of the newest file of each name that has parts."""
        names = {file.rpartition("/")[2] for file in files}
        if not names:
            return {}
        rows = FileChunk.objects.filter(reading__document__in=self.documents.filter(name__in=names), position=1)
        rows = rows.order_by("reading__document__created_at")
        return dict(rows.values_list("reading__document__name", "reading"))

    def list_targets(self, chunk: FileChunk) -> list[FileChunk]:
        targets = (self._targets.get((chunk.reading_id, each)) for each in list_chunk_references(chunk))
        return list({each.pk: each for each in targets if each and each.pk != chunk.pk}.values())

    def count_unfollowed(self, shown: Container[str]) -> int:
        targets = [self._targets.get(key) for key in self._unsought]
        return sum(each is None or each.pk not in shown for each in targets)

    def list_dangling(self, chunk: FileChunk) -> list[str]:
        keys = [(chunk.reading_id, each) for each in list_chunk_references(chunk)]
        missing = [key[1] for key in keys if key in self._targets and self._targets[key] is None]
        return [f"{name_chunk(chunk)} refers to {each}" for each in missing]


def list_chunk_references(chunk: FileChunk) -> list[Reference]:
    return [Reference(file, pointer) for file, pointer in chunk.references]


def _is_other_file(reference: Reference) -> bool:
    return bool(reference.file) and not reference.is_address


def _name_file(reference: Reference) -> str:
    """Empty for an address of the web, which no file has."""
    return reference.file.rpartition("/")[2] if _is_other_file(reference) else ""


def expand(
    documents: QuerySet[Document], requested: Sequence[FileChunk], *, depth: int, max_chunks: int, max_tokens: int
) -> Expansion:
    """`documents`: those that the reader may see. What does not fit is named in `frontier`, nearest first."""
    walk = _Walk(Targets(documents), max_chunks, max_tokens)
    level = walk.add(requested, 0)
    for at in range(1, depth + 1):
        walk.targets.load(level)
        if walk.is_full or not level:
            break
        level = walk.add([row for chunk in level for row in walk.targets.list_targets(chunk)], at)
    return walk.finish()


class _Walk:
    def __init__(self, targets: Targets, max_chunks: int, max_tokens: int) -> None:
        self.targets, self.max_chunks, self.room = targets, max_chunks, max_tokens
        self.shown: dict[str, ExpandedChunk] = {}
        self.left: dict[str, FileChunk] = {}

    @property
    def is_full(self) -> bool:
        return bool(self.left)

    def add(self, rows: Iterable[FileChunk], depth: int) -> list[FileChunk]:
        """Show what is new and fits, and answer it. The first of all is given however long it is."""
        added = []
        for row in rows:
            if row.pk in self.shown or row.pk in self.left:
                continue
            tokens = estimate_tokens(row.content)
            fits = len(self.shown) < self.max_chunks and (tokens <= self.room or not self.shown)
            if self.is_full or not fits:
                self.left[row.pk] = row
                continue
            self.room -= tokens
            self.shown[row.pk] = ExpandedChunk(row, depth, tokens)
            added.append(row)
        return added

    def finish(self) -> Expansion:
        chunks = list(self.shown.values())
        rows = [each.chunk for each in chunks]
        self.targets.load(rows)
        dangling = [text for row in rows for text in self.targets.list_dangling(row)]
        if self.is_full:
            # The references of what was added last are not followed either.
            for row in (each for chunk in rows for each in self.targets.list_targets(chunk)):
                if row.pk not in self.shown:
                    self.left.setdefault(row.pk, row)
        left, unfollowed = list(self.left.values()), self.targets.count_unfollowed(self.shown)
        return Expansion(chunks, dangling, left[:MAX_LEFT], self.targets, len(left), unfollowed)

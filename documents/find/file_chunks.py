"""Parts of nested files by words: in their names and titles, in their text, and by the product's own retrieval."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log

from django.db.models import Count, Q, QuerySet

from accounts.actor import Actor
from documents.file_chunks.naming import list_visible
from documents.find.search.retrieving import Passage, retrieve
from documents.find.search.semantic import fuse_ranks
from documents.index.vectors.query_vectors import Vectorize
from documents.models import Document, FileChunk
from printed.folding import fold_letters

# Names that are compared, and parts whose text is looked into for one word.
MAX_NAMES, MAX_TEXTS, MAX_WORDS = 100_000, 300, 12
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|[^\W\d_a-zA-Z]+")
NAME, TITLE, TEXT = 3.0, 2.0, 1.0


@dataclass(frozen=True)
class FoundChunk:
    chunk: FileChunk
    score: float


@dataclass(frozen=True)
class ListedFile:
    """A file with parts. `filter_word`: what narrows a search to it."""

    name: str
    parts: int

    @property
    def filter_word(self) -> str:
        return self.name


def list_files(documents: QuerySet[Document], limit: int = 30) -> list[ListedFile]:
    rows = FileChunk.objects.filter(reading__document__in=documents.order_by().values("pk"))
    counted = rows.order_by().values("reading__document__name").annotate(parts=Count("pk"))
    names = counted.order_by("reading__document__name").values_list("reading__document__name", "parts")
    return [ListedFile(name, parts) for name, parts in names[:limit]]


def filter_files(documents: QuerySet[Document], text: str) -> QuerySet[Document]:
    """Leave files whose name has this text, or one of whose tags has it."""
    tagged = documents.filter(tags__name__icontains=text).values("pk")
    return documents.filter(Q(name__icontains=text) | Q(pk__in=tagged))


def find_chunks(
    actor: Actor, query: str, documents: QuerySet[Document], *, limit: int, vectorize: Vectorize | None = None
) -> tuple[list[FoundChunk], int]:
    """The best first, and how many have any of the words. Raises Invalid for no query."""
    rows = list_visible(documents)
    retrieved = retrieve(actor, query, documents=documents, limit=10, vectorize=vectorize)
    passages = [passage for document in retrieved.documents for passage in document.passages]
    by_words = _rank(rows, list(dict.fromkeys(split_words(query)))[:MAX_WORDS])
    orders = [order for order in (by_words, _place(rows, passages)) if order]
    # Names say more than passages of pages: their order counts twice.
    scores = fuse_ranks(*orders[:1], *orders)
    best = sorted(scores, key=lambda key: -scores[key])
    loaded = rows.in_bulk(best[:limit])
    return [FoundChunk(loaded[key], round(scores[key], 3)) for key in best[:limit] if key in loaded], len(best)


def split_words(text: str) -> list[str]:
    """Words as they are compared: `createCampaigns` is create and campaign."""
    words = (fold_letters(word) for word in _WORD.findall(text))
    return [word[:-1] if len(word) > 3 and word.endswith("s") else word for word in words]


def _rank(rows: QuerySet[FileChunk], words: Sequence[str]) -> list[str]:
    named: defaultdict[str, dict[str, float]] = defaultdict(dict)
    keys = rows.order_by("reading", "position").values_list("pk", "name", "title")[:MAX_NAMES]
    for key, name, title in keys.iterator():
        for weight, text in ((TITLE, title), (NAME, name)):
            for word in set(split_words(text)).intersection(words):
                named[word][key] = max(weight, named[word].get(key, 0.0))
    for word in words:
        texts = rows.filter(content__icontains=word).order_by("reading", "position").values_list("pk", flat=True)
        for key in texts[:MAX_TEXTS]:
            named[word].setdefault(key, TEXT)
    scores: defaultdict[str, float] = defaultdict(float)
    for weights in named.values():
        rarity = 1 / log(2 + len(weights))
        for key, weight in weights.items():
            scores[key] += weight * rarity
    return [key for key, _ in sorted(scores.items(), key=lambda item: (-item[1], item[0]))]


def _place(rows: QuerySet[FileChunk], passages: Iterable[Passage]) -> list[str]:
    """The parts that these passages are in, each once."""
    keys: dict[str, None] = {}
    for passage in passages:
        chunk = find_at(rows, passage.reading_id, passage.page, passage.first_line)
        if chunk:
            keys.setdefault(chunk.pk)
    return list(keys)


def find_at(rows: QuerySet[FileChunk], reading_id: str, page: int, line: int) -> FileChunk | None:
    """The part that this line is in: the last that begins before it."""
    before = Q(first_page__lt=page) | Q(first_page=page, first_line__lte=line)
    behind = Q(last_page__gt=page) | Q(last_page=page, last_line__gte=line)
    return rows.filter(before, behind, reading=reading_id).order_by("-position").first()

"""What was found by words, names and meaning as one list of documents, the best first, each with its places."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from django.db.models import QuerySet

from accounts.models import Organization
from documents.find.narrowing import begins_with
from documents.find.search.results import DocumentHit, PageHit, SearchResults, ValueHit
from documents.find.search.semantic import fuse_ranks, make_near_hit
from documents.find.search.snippets import make_page_hit
from documents.find.search.sorting import SearchOrder, sort_found
from documents.index.vectors.nearest import NearChunk, Nearest
from documents.index.words.expressions import Group, Match
from documents.index.words.matching import Matches
from documents.models import CurrentValue, Document
from documents.reading.blocks import load_pages
from reader.words import Word, unpack

# Of one document.
PAGES_A_HIT, VALUES_A_HIT = 3, 3
# Found by name, tag or value.
MAX_NAMED = 500
# What stands on pages alone is worth less than what the document is called.
_OF_PAGES, _OF_NAMES, _LEAST = 0.9, 0.95, 0.05
_Words = dict[tuple[str, int], list[Word]]


@dataclass
class Gathering:
    """`documents` are those that may be found, `words` what was typed, `groups` what was looked for instead."""

    organization: Organization
    documents: QuerySet[Document]
    words: str
    matches: Matches
    named: Sequence[str]
    nearest: Nearest
    groups: Sequence[Group]
    order: SearchOrder

    def run(self, results: SearchResults, window: slice) -> SearchResults:
        scores = self._score()
        best_first = sorted(scores, key=lambda key: -scores[key])
        keys = sort_found(self.documents, best_first, self.order)
        documents = load_documents(self.documents, keys[window])
        words, values = self._load_words(keys[window]), self._load_values(keys[window])
        places = {(match.document_id, match.number) for match in self.matches.rows}
        places |= {(chunk.document_id, chunk.page) for chunk in self.nearest.chunks}
        return replace(
            results,
            hits=[self._make_hit(document, scores, words, values[document.pk]) for document in documents],
            total_documents=len(keys),
            total_pages=len(places),
            are_counted=self.matches.are_all and self.nearest.are_all and len(self.named) < MAX_NAMED,
        )

    @cached_property
    def pages(self) -> defaultdict[str, list[Match]]:
        """Of each document, the best first."""
        pages: defaultdict[str, list[Match]] = defaultdict(list)
        for match in sorted(self.matches.rows, key=lambda match: (-match.rank, -match.key)):
            pages[match.document_id].append(match)
        return pages

    @cached_property
    def chunks(self) -> defaultdict[str, list[NearChunk]]:
        chunks: defaultdict[str, list[NearChunk]] = defaultdict(list)
        for chunk in self.nearest.chunks:
            chunks[chunk.document_id].append(chunk)
        return chunks

    @cached_property
    def by_words(self) -> dict[str, float]:
        return _score_words(self.pages, self.named)

    def _score(self) -> dict[str, float]:
        if not self.chunks:
            return self.by_words
        return fuse_ranks(sorted(self.by_words, key=lambda key: -self.by_words[key]), list(self.chunks))

    def _make_hit(
        self, document: Document, scores: dict[str, float], words: _Words, values: Sequence[ValueHit]
    ) -> DocumentHit:
        key = document.pk
        numbers = {match.number for match in self.pages.get(key, [])}
        numbers |= {chunk.page for chunk in self.chunks.get(key, [])}
        return DocumentHit(
            document,
            round(scores[key], 3),
            sorted(numbers),
            self._make_pages(key, words),
            values,
            key in self.named,
            by_words=key in self.by_words,
            is_semantic=key in self.chunks,
        )

    def _list_best(self, key: str) -> tuple[list[Match], list[NearChunk]]:
        """Those that get a snippet: pages with the words, and parts of further pages, of which the best has a place."""
        matches, taken = self.pages.get(key, []), set[int]()
        near = []
        own = {match.number for match in matches[:PAGES_A_HIT]}
        for chunk in self.chunks.get(key, []):
            if chunk.page not in own | taken:
                near.append(chunk)
                taken.add(chunk.page)
        matches = matches[: PAGES_A_HIT - bool(near)]
        return matches, near[: PAGES_A_HIT - len(matches)]

    def _make_pages(self, key: str, words: _Words) -> list[PageHit]:
        matches, near = self._list_best(key)
        hits = [
            make_page_hit(match.reading_id, match.number, words[match.reading_id, match.number], self.groups)
            for match in matches
            if (match.reading_id, match.number) in words
        ]
        return hits + [
            make_near_hit(chunk, words[chunk.reading_id, chunk.page], self.groups)
            for chunk in near
            if (chunk.reading_id, chunk.page) in words
        ]

    def _load_words(self, keys: Sequence[str]) -> _Words:
        """By reading and number of the page."""
        places: set[tuple[str, int]] = set()
        for key in keys:
            matches, near = self._list_best(key)
            places |= {(match.reading_id, match.number) for match in matches}
            places |= {(chunk.reading_id, chunk.page) for chunk in near}
        return {place: unpack(bytes(page.words)) for place, page in load_pages(places).items()}

    def _load_values(self, keys: Sequence[str]) -> defaultdict[str, list[ValueHit]]:
        values: defaultdict[str, list[ValueHit]] = defaultdict(list)
        rows = CurrentValue.objects.for_org(self.organization).filter(begins_with(self.words), document__in=keys)
        for document_id, path, text in rows.order_by("pk").values_list("document_id", "path", "text"):
            if len(values[document_id]) < VALUES_A_HIT:
                values[document_id].append(ValueHit(path, text))
        return values


def load_documents(documents: QuerySet[Document], keys: Sequence[str]) -> list[Document]:
    """In the order of the keys, without those that have gone since."""
    rows = documents.filter(pk__in=keys).select_related("document_type").prefetch_related("tags")
    by_key = {document.pk: document for document in rows}
    return [by_key[key] for key in keys if key in by_key]


def _score_words(pages: dict[str, list[Match]], named: Sequence[str]) -> dict[str, float]:
    """By its best page; what is called so comes first. In the order in which they came."""
    best = max((matches[0].rank for matches in pages.values()), default=0.0)
    scores = {key: _compare(matches[0].rank, best) for key, matches in pages.items()}
    for key in named:
        scores[key] = _OF_NAMES + (1 - _OF_NAMES) * scores.get(key, 0)
    return scores


def _compare(rank: float, best: float) -> float:
    return max(_LEAST, _OF_PAGES * rank / best) if best > 0 else _OF_PAGES

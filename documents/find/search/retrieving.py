"""The parts of pages from which a question may be answered: by words, values and meaning, in one order."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import Literal

from django.db.models import QuerySet

from accounts.actor import Actor
from documents.find.filters.box import match_words
from documents.find.search.gathering import load_documents
from documents.find.search.questions import Question, read_question
from documents.find.search.semantic import fuse_ranks
from documents.find.search.value_clues import rank_by_values
from documents.index.vectors.chunks import Chunk, cut_pages
from documents.index.vectors.nearest import NearChunk, find_nearest
from documents.index.vectors.query_vectors import Vectorize, VectorQuery
from documents.index.words.expressions import Match
from documents.index.words.matching import PageFinder
from documents.models import Document, Page, Reading
from documents.reading.blocks import load_pages
from kit.errors import Invalid

MAX_LIMIT, MAX_CANDIDATES, MAX_NAMED, MAX_NAMED_LETTERS = 50, 200, 20, 200
PASSAGES_A_DOCUMENT, PAGES_A_DOCUMENT = 3, 3
# So many documents keep the order in which they were found.
FEW = 2
# As many of each order as a fifth of the answer stay in it: what one way is sure of, the others would outvote.
FIRST_OF = 5
HowRetrieved = Literal["words", "name", "values", "meaning"]


@dataclass(frozen=True)
class Passage:
    """Whole lines of one page, in `text` with their heading or the names of their columns before them, in `lines` with
    their numbers. `score`: how much of the question stands in them, from 0 to 1."""

    reading_id: str
    page: int
    first_line: int
    last_line: int
    text: str
    score: float
    lines: Sequence[tuple[int, str]] = ()

    @property
    def heading(self) -> str:
        """What stands before the lines and is none of them."""
        first, _, rest = self.text.partition("\n")
        return first if rest and self.lines and not self.lines[0][1].startswith(first) else ""

    @property
    def citation(self) -> str:
        """The id of its first line; those of the others count on from it."""
        return f"{self.reading_id}.{self.page}.{self.first_line}"


@dataclass(frozen=True)
class RetrievedDocument:
    """`queries`: those that brought it."""

    document: Document
    score: float
    how: Sequence[HowRetrieved]
    passages: Sequence[Passage] = ()
    queries: Sequence[str] = ()


@dataclass(frozen=True)
class Retrieved:
    """`words`: what was looked for. `absent`: those on no page of the organization, nor any near them.

    `are_all` is false where more match than were compared; `note` is a sentence where the meaning could not be.
    """

    documents: Sequence[RetrievedDocument] = ()
    words: Sequence[str] = ()
    absent: Sequence[str] = ()
    are_all: bool = True
    note: str = ""


def retrieve(
    actor: Actor,
    question: str,
    *,
    documents: QuerySet[Document] | None = None,
    limit: int = 10,
    vectorize: Vectorize | None = None,
) -> Retrieved:
    """The best documents first, each with its best passages. `documents` narrows them further.

    Ranks of words, names, values and, where `vectorize` is given, meaning are fused; of more than a few documents the
    order is then made anew, half by how much of the question stands in a single passage. Raises Invalid for a wrong
    `limit` or for no question.
    """
    if not 0 < limit <= MAX_LIMIT:
        raise Invalid(f"A question gets 1 to {MAX_LIMIT} documents at once.")
    if not question.strip():
        raise Invalid("The question is empty.")
    visible = Document.objects.for_org(actor.organization)
    rows = visible if documents is None else visible.filter(pk__in=documents.order_by().values("pk"))
    pages = PageFinder(actor.organization, rows, documents is not None)
    asked = read_question(actor.organization, question, pages)
    vector = vectorize(asked.text) if vectorize else VectorQuery()
    return _Retrieval(actor, asked, rows, pages, vector).run(limit)


def merge(answers: Mapping[str, Retrieved], *, limit: int = 10) -> list[RetrievedDocument]:
    """The documents of several questions as one list, each once, with the questions that brought it."""
    scores = fuse_ranks(*([each.document.pk for each in answer.documents] for answer in answers.values()))
    merged: dict[str, list[tuple[str, RetrievedDocument]]] = defaultdict(list)
    for query, answer in answers.items():
        for each in answer.documents:
            merged[each.document.pk].append((query, each))
    keys = sorted(scores, key=lambda key: -scores[key])[:limit]
    return [_join(merged[key], scores[key]) for key in keys]


def _join(ones: Sequence[tuple[str, RetrievedDocument]], score: float) -> RetrievedDocument:
    """Of its passages the best for each question before the second best of any."""
    by_rank = zip_longest(*(one.passages for _, one in ones))
    passages = {passage.citation: passage for rank in by_rank for passage in rank if passage}
    best = list(passages.values())[:PASSAGES_A_DOCUMENT]
    how = list(dict.fromkeys(way for _, one in ones for way in one.how))
    return RetrievedDocument(ones[0][1].document, round(score, 3), how, best, [query for query, _ in ones])


@dataclass
class _Retrieval:
    actor: Actor
    question: Question
    documents: QuerySet[Document]
    pages: PageFinder
    vector: VectorQuery
    matches: defaultdict[str, list[Match]] = field(default_factory=lambda: defaultdict(list))
    near: defaultdict[str, list[NearChunk]] = field(default_factory=lambda: defaultdict(list))
    are_all: bool = True

    def run(self, limit: int) -> Retrieved:
        orders = {"words": self._rank_by_words(), "name": self._rank_by_names()}
        orders["values"] = rank_by_values(self.actor.organization, self.question, self.documents)
        orders["meaning"] = self._rank_by_meaning()
        scores = fuse_ranks(*(order[:MAX_CANDIDATES] for order in orders.values() if order))
        first = {key for order in orders.values() for key in order[: max(1, limit // FIRST_OF)]}
        keys = _choose(sorted(scores, key=lambda key: -scores[key]), first, max(2 * limit, FEW + 1))
        documents = load_documents(self.documents, keys)
        passages = self._load_passages(keys)
        candidates = [
            RetrievedDocument(
                document,
                scores[document.pk],
                [way for way, order in orders.items() if document.pk in order],  # type: ignore[misc]  # keys above
                passages.get(document.pk, []),
                [self.question.text],
            )
            for document in documents
        ]
        ranked = {each.document.pk: each for each in _rerank(candidates)}
        chosen = [ranked[key] for key in _choose(list(ranked), first, limit)]
        return Retrieved(chosen, self.question.words, self.question.absent, self.are_all, self.vector.note)

    def _rank_by_words(self) -> list[str]:
        if not self.question.weights:
            return []
        matches = self.pages.find_any(self.question.expression)
        self.are_all = matches.are_all
        for match in sorted(matches.rows, key=lambda match: (-match.rank, -match.key)):
            self.matches[match.document_id].append(match)
        return list(self.matches)

    def _rank_by_names(self) -> list[str]:
        rows = self.documents.filter(match_words(self.actor, self.question.text[:MAX_NAMED_LETTERS]))
        return list(rows.order_by("-created_at", "-pk").values_list("pk", flat=True)[:MAX_NAMED])

    def _rank_by_meaning(self) -> list[str]:
        if not self.vector.vector:
            return []
        nearest = find_nearest(
            self.actor.organization, self.documents, model=self.vector.model, vector=self.vector.vector
        )
        for chunk in nearest.chunks:
            self.near[chunk.document_id].append(chunk)
        return list(self.near)

    def _load_passages(self, keys: Sequence[str]) -> dict[str, list[Passage]]:
        """By document, in two queries."""
        completed = Reading.objects.filter(document__in=keys, status=Reading.Status.COMPLETED)
        newest = {row.document_id: row for row in completed.order_by("number")}
        numbers = {row.pk: sorted(self._choose_pages(row)) for row in newest.values()}
        pages = load_pages({(row_id, number) for row_id, several in numbers.items() for number in several})
        return {
            key: self._choose_passages(row, [pages[row.pk, at] for at in numbers[row.pk] if (row.pk, at) in pages])
            for key, row in newest.items()
        }

    def _choose_pages(self, reading: Reading) -> set[int]:
        """Its best by words and by meaning; without any its first."""
        pages = [match.number for match in self.matches[reading.document_id] if match.reading_id == reading.pk]
        near = [chunk.page for chunk in self.near[reading.document_id] if chunk.reading_id == reading.pk]
        return {*pages[:PAGES_A_DOCUMENT], *near[:PAGES_A_DOCUMENT]} or {1}

    def _choose_passages(self, reading: Reading, pages: Sequence[Page]) -> list[Passage]:
        """Those parts of the pages in which most of the question stands."""
        near = [chunk for chunk in self.near[reading.document_id] if chunk.reading_id == reading.pk]
        likeness = {(chunk.page, chunk.first_line): chunk.likeness for chunk in reversed(near)}
        passages = [self._make_passage(reading, chunk) for chunk in cut_pages(reading, pages)]
        passages.sort(key=lambda each: (-each.score, -likeness.get((each.page, each.first_line), 0.0), each.page))
        return passages[:PASSAGES_A_DOCUMENT]

    def _make_passage(self, reading: Reading, chunk: Chunk) -> Passage:
        score = round(self.question.weigh(chunk.text), 3)
        return Passage(reading.pk, chunk.page, chunk.first_line, chunk.last_line, chunk.text, score, chunk.lines)


def _choose(keys: Sequence[str], first: Collection[str], number: int) -> list[str]:
    """So many of them in their order, before others those in `first`."""
    kept = set(sorted(keys, key=lambda key: key not in first)[:number])
    return [key for key in keys if key in kept]


def _rerank(candidates: list[RetrievedDocument]) -> list[RetrievedDocument]:
    if len(candidates) <= FEW:
        return candidates
    best = max(map(_find_best_score, candidates)) or 1.0
    scored = [replace(each, score=(each.score + _find_best_score(each) / best) / 2) for each in candidates]
    return sorted(scored, key=lambda each: -each.score)


def _find_best_score(one: RetrievedDocument) -> float:
    return max((passage.score for passage in one.passages), default=0.0)

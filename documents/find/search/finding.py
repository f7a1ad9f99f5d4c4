"""Documents of an organization by what stands on their pages, in their values, names and tags."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice

from django.db.models import QuerySet

from accounts.actor import Actor
from documents.find.filters.box import match_words
from documents.find.search.gathering import MAX_NAMED, Gathering, load_documents
from documents.find.search.query import SearchQuery, parse_query
from documents.find.search.query_expansion import ExpandedQuery, expand_query
from documents.find.search.results import DocumentHit, SearchResults
from documents.find.search.semantic import is_plain
from documents.find.search.sorting import SearchOrder, sort_documents
from documents.index.vectors.nearest import Nearest, find_nearest
from documents.index.vectors.query_vectors import Vectorize, VectorQuery
from documents.index.words import word_list
from documents.index.words.expressions import Phrase
from documents.index.words.matching import PageFinder
from documents.index.words.typed_words import TypedWord
from documents.models import Document
from kit.errors import Invalid

MAX_LIMIT = 100
# Where nothing was found, of the first words.
MAX_SUGGESTIONS, MAX_ASKED, MIN_BEGINNING = 3, 3, 3


def find_pages(
    actor: Actor,
    query: str,
    *,
    limit: int = 20,
    skip: int = 0,
    documents: QuerySet[Document] | None = None,
    is_typing: bool = False,
    vectorize: Vectorize | None = None,
    order: SearchOrder = SearchOrder.BEST,
) -> SearchResults:
    """The best first, unless `order` is another. `documents` narrows them further; `is_typing`: the last word may be
    the beginning of one. `vectorize`: the meaning is searched as well, where the query is no exact one.

    What makes no sense is answered by a sentence in `problem`; Invalid is raised for a wrong `limit` or `skip` only.
    """
    if not 0 < limit <= MAX_LIMIT or skip < 0:
        raise Invalid(f"A search answers 1 to {MAX_LIMIT} documents at once.")
    try:
        parsed = parse_query(actor, query, is_typing=is_typing)
    except Invalid as error:
        return SearchResults(query[:100], problem=error.sentence)
    results = SearchResults(query, terms=parsed.narrowing.terms, words=[word.text for word in parsed.wanted_words])
    if parsed.problem:
        return replace(results, problem=parsed.problem)
    rows = Document.objects.for_org(actor.organization) if documents is None else documents
    narrowed = parsed.narrowing.terms or documents is not None
    for term in parsed.narrowing.terms:
        rows = rows.filter(term.condition)
    vector_query = vectorize(parsed.narrowing.words) if vectorize and is_plain(parsed) else VectorQuery()
    search = Search(actor, parsed, rows, bool(narrowed), vector_query, order)
    results = replace(results, note=vector_query.note, could_ask_meaning=not vector_query.vector and is_plain(parsed))
    results = search.run(results, slice(skip, skip + limit))
    if is_typing and not results.total_documents:
        # No word begins so: it is whole, and may have a typing error.
        return find_pages(actor, query, limit=limit, skip=skip, documents=documents, vectorize=vectorize, order=order)
    return results


@dataclass
class Search:
    """`documents` are those that may be found."""

    actor: Actor
    query: SearchQuery
    documents: QuerySet[Document]
    is_narrowed: bool
    vector_query: VectorQuery
    order: SearchOrder

    def run(self, results: SearchResults, window: slice) -> SearchResults:
        if not self.query.wanted_words:
            return self._list_documents(results, window)
        expression = self.query.make_expression()
        expanded, named = ExpandedQuery(expression, self._pages.find(expression)), self._list_named()
        if not expanded.matches.rows and not named:
            expanded = expand_query(self.actor.organization, self._pages, self.query.wanted_words, expression)
        nearest = self._find_nearest()
        if not expanded.matches.rows and not named and not nearest.chunks:
            return replace(results, suggestions=self._suggest())
        gathering = Gathering(
            self.actor.organization,
            self.documents,
            self._typed_words,
            expanded.matches,
            named,
            nearest,
            expanded.expression.groups,
            self.order,
        )
        is_partial = expanded.is_partial and bool(expanded.matches.rows)
        results = gathering.run(replace(results, is_partial=is_partial), window)
        return replace(results, replaced=expanded.list_shown(results))

    def _find_nearest(self) -> Nearest:
        if not self.vector_query.vector:
            return Nearest()
        organization = self.actor.organization
        return find_nearest(
            organization, self.documents, model=self.vector_query.model, vector=self.vector_query.vector
        )

    @property
    def _typed_words(self) -> str:
        return " ".join(word.text for word in self.query.wanted_words)

    @cached_property
    def _pages(self) -> PageFinder:
        return PageFinder(self.actor.organization, self.documents, self.is_narrowed)

    def _list_named(self) -> list[str]:
        """Newest first. What is left out is looked for on pages alone."""
        rows = self.documents.filter(match_words(self.actor, self._typed_words))
        return list(rows.order_by("-created_at", "-pk").values_list("pk", flat=True)[:MAX_NAMED])

    def _list_documents(self, results: SearchResults, window: slice) -> SearchResults:
        """Those that are left."""
        if not self.is_narrowed:
            return results
        rows = sort_documents(self.documents, self.order)
        keys = list(rows.values_list("pk", flat=True)[: MAX_NAMED + 1])
        hits = [DocumentHit(document, 1.0) for document in load_documents(self.documents, keys[:MAX_NAMED][window])]
        return replace(
            results,
            hits=hits,
            total_documents=min(len(keys), MAX_NAMED),
            are_counted=len(keys) <= MAX_NAMED,
        )

    def _suggest(self) -> list[str]:
        """Words that begin as one of those that were typed, and do stand on a page that may be found."""
        others = (other for word in self.query.wanted_words[:MAX_ASKED] for other in self._list_beginnings(word))
        return list(islice((other for other in others if self._pages.is_on_page((Phrase((other,)),))), MAX_SUGGESTIONS))

    def _list_beginnings(self, word: TypedWord) -> list[str]:
        term = word.group[0].terms[-1]
        return word_list.list_words_from(self.actor.organization, term[: max(MIN_BEGINNING, len(term) // 2)])

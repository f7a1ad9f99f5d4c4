"""Documents of an organization by what stands on their pages, in their values, names and tags."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.db.models import QuerySet

from accounts.actor import Actor
from documents.backends.words import Word, unpack
from documents.catalog.filters.box import match_words
from documents.catalog.filters.value_conditions import begins_with
from documents.models import CurrentValue, Document, Page
from documents.search.query import SearchQuery, parse_query
from documents.search.results import DocumentHit, PageHit, SearchResults, ValueHit
from documents.search.snippets import make_page_hit
from documents.word_index import word_list
from documents.word_index.expressions import Expression, Group, Match, Phrase
from documents.word_index.matching import Matches, find_matches
from documents.word_index.typed_words import TypedWord
from kit.errors import Invalid

MAX_LIMIT = 100
# Of one document.
PAGES_A_HIT, VALUES_A_HIT = 3, 3
# Found by name, tag or value.
MAX_NAMED = 500
# Where nothing was found, of the first words.
MAX_SUGGESTIONS, MAX_ASKED, MIN_BEGINNING = 3, 3, 3
# What stands on pages alone is worth less than what the document is called.
_OF_PAGES, _OF_NAMES, _LEAST = 0.9, 0.95, 0.05


def find_pages(
    actor: Actor,
    query: str,
    *,
    limit: int = 20,
    skip: int = 0,
    documents: QuerySet[Document] | None = None,
    is_typing: bool = False,
) -> SearchResults:
    """The best first. `documents` narrows them further; `is_typing`: the last word may be the beginning of one.

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
    return Search(actor, parsed, rows, bool(narrowed)).run(results, slice(skip, skip + limit))


@dataclass
class Search:
    """`documents` are those that may be found."""

    actor: Actor
    query: SearchQuery
    documents: QuerySet[Document]
    is_narrowed: bool

    def run(self, results: SearchResults, window: slice) -> SearchResults:
        if not self.query.wanted_words:
            return self._list_documents(results, window)
        expression = self.query.make_expression()
        matches, named = self._match(expression), self._list_named()
        if not matches.rows and not named:
            expression, results = self._replace_words(results)
            matches = self._match(expression)
            if not matches.rows and len(expression.groups) > 1:
                expression = replace(expression, needs_all=False)
                matches, results = self._match(expression), replace(results, is_partial=True)
        if not matches.rows and not named:
            return replace(results, suggestions=self._suggest())
        return self._gather(results, matches, named, expression.groups, window)

    def _match(self, expression: Expression) -> Matches:
        return find_matches(self.actor.organization, expression, self.documents, is_narrowed=self.is_narrowed)

    def _list_named(self) -> list[str]:
        """Newest first. What is left out is looked for on pages alone."""
        words = " ".join(word.text for word in self.query.wanted_words)
        rows = self.documents.filter(match_words(self.actor, words))
        return list(rows.order_by("-created_at", "-pk").values_list("pk", flat=True)[:MAX_NAMED])

    def _list_documents(self, results: SearchResults, window: slice) -> SearchResults:
        """Those that are left, newest first."""
        if not self.is_narrowed:
            return results
        keys = list(self.documents.order_by("-created_at", "-pk").values_list("pk", flat=True)[: MAX_NAMED + 1])
        hits = [DocumentHit(document, 1.0) for document in self._load(keys[:MAX_NAMED][window])]
        return replace(
            results,
            hits=hits,
            total_documents=min(len(keys), MAX_NAMED),
            are_counted=len(keys) <= MAX_NAMED,
        )

    def _replace_words(self, results: SearchResults) -> tuple[Expression, SearchResults]:
        """Words that no page has are looked for as parts of words, or as what they nearly are."""
        replaced: dict[str, list[str]] = {}
        groups = []
        for word in self.query.wanted_words:
            others = self._find_replacements(word)
            if others:
                replaced[word.text] = others
            groups.append((*word.group, *(Phrase((other,)) for other in others)))
        expression = replace(self.query.make_expression(), groups=tuple(groups))
        return expression, replace(results, replaced=replaced)

    def _find_replacements(self, word: TypedWord) -> list[str]:
        organization, term = self.actor.organization, word.single_term
        if not term or self._match(Expression((word.group,))).rows:
            return []
        near = word_list.list_near_words(organization, term)
        others = dict.fromkeys([*near, *word_list.list_words_with(organization, term)])
        return [other for other in others if self._match(Expression(((Phrase((other,)),),))).rows]

    def _suggest(self) -> list[str]:
        """Words that begin as one of those that were typed, and do stand on a page that may be found."""
        others = [other for word in self.query.wanted_words[:MAX_ASKED] for other in self._list_beginnings(word)]
        return [other for other in others if self._match(Expression(((Phrase((other,)),),))).rows][:MAX_SUGGESTIONS]

    def _list_beginnings(self, word: TypedWord) -> list[str]:
        term = word.group[0].terms[-1]
        return word_list.list_words_from(self.actor.organization, term[: max(MIN_BEGINNING, len(term) // 2)])

    def _gather(
        self, results: SearchResults, matches: Matches, named: Sequence[str], groups: Sequence[Group], window: slice
    ) -> SearchResults:
        pages: defaultdict[str, list[Match]] = defaultdict(list)
        for match in sorted(matches.rows, key=lambda match: (-match.rank, -match.key)):
            pages[match.document_id].append(match)
        scores = _score(pages, named)
        keys = sorted(scores, key=lambda key: -scores[key])
        documents = self._load(keys[window])
        words = self._load_words([match for key in keys[window] for match in pages.get(key, [])[:PAGES_A_HIT]])
        values = self._load_values(keys[window])
        hits = [
            DocumentHit(
                document,
                round(scores[document.pk], 3),
                sorted({match.number for match in pages.get(document.pk, [])}),
                _make_pages(pages.get(document.pk, []), words, groups),
                values[document.pk],
                document.pk in named,
            )
            for document in documents
        ]
        return replace(
            results,
            hits=hits,
            total_documents=len(keys),
            total_pages=len({(match.document_id, match.number) for match in matches.rows}),
            are_counted=matches.are_all and len(named) < MAX_NAMED,
        )

    def _load(self, keys: Sequence[str]) -> list[Document]:
        """In the order of the keys, without those that have gone since."""
        rows = self.documents.filter(pk__in=keys).prefetch_related("tags")
        by_key = {document.pk: document for document in rows}
        return [by_key[key] for key in keys if key in by_key]

    def _load_words(self, matches: Sequence[Match]) -> dict[tuple[str, int], list[Word]]:
        places = {(match.reading_id, match.number) for match in matches}
        rows = Page.objects.filter(
            reading__in={reading for reading, _ in places}, number__in={number for _, number in places}
        ).values_list("reading_id", "number", "words")
        return {
            (reading, number): unpack(bytes(packed)) for reading, number, packed in rows if (reading, number) in places
        }

    def _load_values(self, keys: Sequence[str]) -> defaultdict[str, list[ValueHit]]:
        words = " ".join(word.text for word in self.query.wanted_words)
        values: defaultdict[str, list[ValueHit]] = defaultdict(list)
        rows = CurrentValue.objects.for_org(self.actor.organization).filter(begins_with(words), document__in=keys)
        for document_id, path, text in rows.order_by("pk").values_list("document_id", "path", "text"):
            if len(values[document_id]) < VALUES_A_HIT:
                values[document_id].append(ValueHit(path, text))
        return values


def _score(pages: dict[str, list[Match]], named: Sequence[str]) -> dict[str, float]:
    """By its best page; what is called so comes first. In the order in which they came."""
    best = max((matches[0].rank for matches in pages.values()), default=0.0)
    scores = {key: _compare(matches[0].rank, best) for key, matches in pages.items()}
    for key in named:
        scores[key] = _OF_NAMES + (1 - _OF_NAMES) * scores.get(key, 0)
    return scores


def _compare(rank: float, best: float) -> float:
    return max(_LEAST, _OF_PAGES * rank / best) if best > 0 else _OF_PAGES


def _make_pages(
    matches: Sequence[Match], words: dict[tuple[str, int], list[Word]], groups: Sequence[Group]
) -> list[PageHit]:
    loaded = [match for match in matches[:PAGES_A_HIT] if (match.reading_id, match.number) in words]
    return [
        make_page_hit(match.reading_id, match.number, words[match.reading_id, match.number], groups) for match in loaded
    ]

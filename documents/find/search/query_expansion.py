"""Expand a query that no page fulfils: by words near the typed ones or around them, then to pages with some of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from accounts.models import Organization
from documents.find.search.results import SearchResults
from documents.index.words import word_list
from documents.index.words.expressions import Expression, Phrase
from documents.index.words.matching import Matches, PageFinder
from documents.index.words.terms import split_terms
from documents.index.words.typed_words import TypedWord


@dataclass(frozen=True)
class ExpandedQuery:
    """`expression` is looked for in the end, with `others` beside words that were typed."""

    expression: Expression
    matches: Matches
    others: Mapping[str, Sequence[str]] = field(default_factory=dict)
    is_partial: bool = False

    def list_shown(self, results: SearchResults) -> dict[str, list[str]]:
        """Those that stand in the snippets: of others it is not known that a page has them that may be seen."""
        snippets = [page.snippet for hit in results.hits for page in hit.pages] if self.others else []
        marked = (snippet.text[start:end] for snippet in snippets for start, end in snippet.marks)
        terms = {term for text in marked for term in split_terms(text)}
        shown = {word: [other for other in others if other in terms] for word, others in self.others.items()}
        return {word: others for word, others in shown.items() if others}


def expand_query(
    organization: Organization, pages: PageFinder, words: Sequence[TypedWord], expression: Expression
) -> ExpandedQuery:
    """Adds words near those that are on no page, then near all of them, then looks for pages with some of the words."""
    others = {word.text: _list_others(organization, word) for word in words}
    absent = [word for word in words if others[word.text] and not pages.is_on_page(word.group)]
    expanded = _look_for(pages, words, expression, {word.text: others[word.text] for word in absent})
    if expanded.matches.rows or len(words) == 1:
        return expanded
    if len(absent) < len(words):
        loose = _look_for(pages, words, expression, others)
        if loose.matches.rows:
            return loose
    some = replace(expanded.expression, optional=())
    return replace(expanded, matches=pages.find_any(some), is_partial=True)


def _look_for(
    pages: PageFinder, words: Sequence[TypedWord], expression: Expression, others: Mapping[str, Sequence[str]]
) -> ExpandedQuery:
    groups = tuple((*word.group, *(Phrase((other,)) for other in others.get(word.text, ()))) for word in words)
    # What was typed counts twice.
    wider = replace(expression, groups=groups, optional=expression.groups)
    return ExpandedQuery(wider, pages.find(wider) if any(others.values()) else Matches(), others)


def _list_others(organization: Organization, word: TypedWord) -> list[str]:
    term = word.single_term
    if not term:
        return []
    near, longer = word_list.list_near_words(organization, term), word_list.list_words_with(organization, term)
    return list(dict.fromkeys([*near, *longer]))

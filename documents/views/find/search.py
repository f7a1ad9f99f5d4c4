"""The search page: every word of every page of the organization, with the filters of the documents list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET

from accounts.actor import Actor
from accounts.services import member_memory
from accounts.views.pages import PageRequest, organization_page
from documents.find.filters import DocumentFilter, parse_filter
from documents.find.filters.document_filter import WORDS
from documents.find.search import find_pages
from documents.find.search.results import SearchResults
from documents.find.search.sorting import SearchOrder
from documents.index.vectors.choice import find_model
from documents.index.vectors.query_vectors import recall_vector, vectorize_by_worker
from documents.models import Document
from documents.views.find.counts import count_documents, format_number
from documents.views.find.listed_filter import ListedFilter
from documents.views.find.recent_searches import RecentSearch, list_recent
from documents.views.find.search_rows import DocumentLines, describe_count, make_document_lines
from documents.views.find.search_starts import StartGroup, list_starts
from documents.views.lists import read_row_count
from kit.events import organization_group
from kit.formats import count_noun

STEP, MAX_SHOWN = 20, 100
SORT = "sort"
ORDERS = ((SearchOrder.BEST, "Best match"), (SearchOrder.NEWEST, "Newest"), (SearchOrder.NAME, "Name"))
EXAMPLES = (
    ("packing tape", "both words on one page, in any order"),
    ('"packing tape"', "the exact words"),
    ("INV-2026*", "anything starting with this"),
    ("invoice -draft", "pages without a word"),
    ("tag:legal since:2026-01-01", "documents with a tag, uploaded from a day on; also kind: and person:"),
    ("total > 1000", "a value of a field"),
)


@dataclass(frozen=True)
class Suggestion:
    words: str
    query: str


@dataclass(frozen=True)
class Outside:
    """What the same words find where no filter narrows."""

    count: str
    query: str


@dataclass(frozen=True)
class ShownResults:
    """`scope`: in how many documents was searched; empty: there is none. `is_refused`: a sentence says why in none."""

    scope: str
    count: str = ""
    documents: list[DocumentLines] = field(default_factory=list)
    sentences: list[str] = field(default_factory=list)
    suggestions: list[Suggestion] = field(default_factory=list)
    outside: Outside | None = None
    more: int = 0
    offers_meaning: bool = False
    is_refused: bool = False
    examples: tuple[tuple[str, str], ...] = EXAMPLES
    recent: Sequence[RecentSearch] = ()
    starts: Sequence[StartGroup] = ()


@require_GET
@organization_page()
def search(request: PageRequest) -> HttpResponse:
    """The results; `shown=<number>` gives that many documents. htmx gets them alone, also for what is half typed."""
    narrowing = parse_filter(request.actor, request.GET)
    listed = ListedFilter(narrowing)
    is_part = bool(request.htmx) and not request.htmx.history_restore_request
    if not is_part and not listed.is_canonical(request.GET):
        return redirect(f"{request.path}?{listed.query}".removesuffix("?"))
    number = min(read_row_count(request, STEP), MAX_SHOWN)
    order = _read_order(request)
    results = _load_results(request.actor, narrowing, number, is_typing=is_part, order=order)
    if narrowing.words and not is_part and not results.is_refused:
        # Only what was sent, and not what was half typed on the way to it.
        member_memory.remember_search(request.actor, text=listed.query)
    context = {
        "filter": listed,
        "results": results,
        "is_part": is_part,
        "section": "search",
        "order": order,
        "orders": ORDERS,
    }
    return render(request, f"documents/search/{'results' if is_part else 'page'}.html", context)


def _read_order(request: PageRequest) -> SearchOrder:
    """The one that the address names, else the last that was chosen in this session."""
    sent, kept = request.GET.get(SORT, ""), request.session.get(SORT, "")
    known = [order for order in (sent, kept) if order in list(SearchOrder)]
    order = SearchOrder(known[0]) if known else SearchOrder.BEST
    if order != (kept or SearchOrder.BEST):
        request.session[SORT] = order.value
    return order


def _load_results(
    actor: Actor, narrowing: DocumentFilter, number: int, *, is_typing: bool, order: SearchOrder
) -> ShownResults:
    documents = narrowing.apply_terms(Document.objects.for_org(actor.organization))
    number_left = count_documents(documents, organization_group(actor.organization.pk))
    scope = count_noun(number_left, "document") if number_left else ""
    if not narrowing.narrows:
        return ShownResults(scope, recent=list_recent(actor), starts=list_starts(actor) if scope else ())
    if any(not refusal.name for refusal in narrowing.refusals):
        # Cut: what is left of it is not what was looked for.
        return ShownResults(scope, is_refused=True)
    results = find_pages(
        actor,
        narrowing.words,
        limit=number,
        documents=documents if narrowing.terms else None,
        is_typing=is_typing,
        # What is half typed is not worth its price.
        vectorize=recall_vector(actor) if is_typing else vectorize_by_worker(actor),
        order=order,
    )
    return ShownResults(
        scope,
        count=describe_count(results),
        is_refused=bool(results.problem),
        documents=make_document_lines(results),
        sentences=list(_explain(results, order)),
        suggestions=_suggest(narrowing, results),
        outside=_look_outside(actor, narrowing, results),
        offers_meaning=is_typing and results.could_ask_meaning and bool(find_model(actor.organization)),
        more=min(number + STEP, MAX_SHOWN) if results.total_documents > number < MAX_SHOWN else 0,
    )


def _explain(results: SearchResults, order: SearchOrder) -> Iterator[str]:
    if results.problem:
        yield results.problem
    if results.note:
        yield results.note
    for word, others in results.replaced.items():
        beside = " with the other words" if len(results.words) > 1 else ""
        yield f"“{word}” is on no page{beside}. Shown instead: {', '.join(f'“{other}”' for other in others)}."
    if results.is_partial and results.hits:
        yield "No page has all of these words. Shown are pages with some of them."
    if results.total_documents > MAX_SHOWN:
        first = "best" if order is SearchOrder.BEST else "first"
        yield f"The {first} {MAX_SHOWN} are shown. A further word or a filter leaves fewer."
    if order is not SearchOrder.BEST and not results.are_counted:
        yield f"More match than are looked at: the order is that of {format_number(results.total_documents)} of them."


def _suggest(narrowing: DocumentFilter, results: SearchResults) -> list[Suggestion]:
    texts = [narrowing.words.replace(word, others[0]) for word, others in results.replaced.items() if others]
    texts += [] if results.hits else results.suggestions
    return [Suggestion(text, narrowing.format_query(words=text)) for text in dict.fromkeys(texts)]


def _look_outside(actor: Actor, narrowing: DocumentFilter, results: SearchResults) -> Outside | None:
    if results.hits or not narrowing.terms or not narrowing.words or results.problem:
        return None
    others = find_pages(actor, narrowing.words, limit=1)
    query = urlencode({WORDS: narrowing.words})
    return Outside(describe_count(others), query) if others.total_documents else None

"""Where the words that a list is narrowed by stand in each of its documents: one place a document."""

from __future__ import annotations

from collections.abc import Sequence

from accounts.actor import Actor
from documents.find.filters.box import join_wanted, make_box_expression
from documents.find.narrowing import begins_with
from documents.find.search.results import PageHit, ValueHit
from documents.find.search.snippets import make_page_hit
from documents.index.words.matching import list_pages
from documents.models import CurrentValue
from documents.reading.blocks import load_pages
from reader.words import unpack

# Pages are read for their snippets: of a longer list the first documents have one.
MAX_DOCUMENTS = 100


def find_page_hits(actor: Actor, words: str, document_ids: Sequence[str]) -> dict[str, PageHit]:
    """By document, on the first page that has all of the words."""
    expression = make_box_expression(words)
    pages = list_pages(actor.organization, expression).filter(document__in=list(document_ids[:MAX_DOCUMENTS]))
    first: dict[str, tuple[str, int]] = {}
    for document_id, reading_id, number in pages.order_by("number").values_list("document", "reading", "number"):
        first.setdefault(document_id, (reading_id, number))
    loaded = load_pages(set(first.values())) if first else {}
    return {
        document_id: make_page_hit(*place, unpack(bytes(loaded[place].words)), expression.groups)
        for document_id, place in first.items()
        if place in loaded
    }


def find_value_hits(actor: Actor, words: str, document_ids: Sequence[str]) -> dict[str, ValueHit]:
    """By document, the first value that begins with the words."""
    rows = CurrentValue.objects.for_org(actor.organization).filter(begins_with(join_wanted(words)))
    hits: dict[str, ValueHit] = {}
    some = rows.filter(document__in=list(document_ids[:MAX_DOCUMENTS])).order_by("pk")
    for document_id, path, text in some.values_list("document", "path", "text"):
        hits.setdefault(document_id, ValueHit(path, text))
    return hits

"""Searching all pages of an organization."""

from __future__ import annotations

from rest_framework.request import Request

from accounts.api.access import OrganizationView
from accounts.api.wire.described import Flag, Text, describe, describe_window
from accounts.api.wire.fields import read_flag
from accounts.api.wire.pagination import read_window
from accounts.api.wire.responses import Answer
from accounts.models import Role
from documents.api import search_answers
from documents.api.document_filters import FILTERS
from documents.find.filters import require_filter
from documents.find.search import DocumentHit, find_pages
from documents.find.search.finding import MAX_LIMIT
from documents.index.vectors.query_vectors import vectorize_by_worker
from documents.models import Document
from kit.errors import Invalid

DEFAULT_LIMIT = 20


_QUERY = [
    Text(
        "q",
        'Words on one page, `"a phrase"`, `begin*`, `-without`, and terms such as `tag:legal`. '
        "500 characters and 20 words at most.",
    ),
    *describe_window(DEFAULT_LIMIT, MAX_LIMIT, rows="Documents"),
    Flag("typing", "The last word may be the beginning of one."),
    *(parameter for parameter in FILTERS if parameter.name not in ("q", "order_by")),
]


class Search(OrganizationView):
    roles = {"GET": Role.VIEWER}

    @describe(
        "Search all pages",
        query=_QUERY,
        refusals={400: ["The search has no letters or figures. Write a word, or the beginning of one and *."]},
    )
    def get(self, request: Request) -> Answer[search_answers.SearchPage]:
        """Words on pages, in names, tags and values, in any case and with or without accents. Where no page has all,
        they are looked for as what they nearly are and as parts of words, then some of them, the rare ones first. Of a
        word of very many pages the 2,000 indexed last are looked at. With an embedding model, words that are no phrase,
        number, beginning or exclusion are compared with parts of pages by their meaning too, and both orders are fused.
        """
        at = read_window(request, default=DEFAULT_LIMIT, maximum=MAX_LIMIT)
        narrowing = require_filter(self.actor, request.query_params)
        documents = narrowing.apply_terms(Document.objects.for_org(self.actor.organization))
        is_typing = read_flag(request, "typing", False)
        results = find_pages(
            self.actor,
            narrowing.words,
            limit=at.limit,
            skip=at.skip,
            documents=documents if narrowing.terms else None,
            is_typing=is_typing,
            vectorize=None if is_typing else vectorize_by_worker(self.actor),
        )
        if results.problem:
            raise Invalid(results.problem)
        return Answer(
            {
                "results": [_serialize_hit(hit) for hit in results.hits],
                "total_count": results.total_documents,
                "skip": at.skip,
                "total_pages": results.total_pages,
                "are_counted": results.are_counted,
                "words": list(results.words),
                "replaced": {word: list(others) for word, others in results.replaced.items()},
                "is_partial": results.is_partial,
                "suggestions": list(results.suggestions),
                "note": results.note,
            }
        )


def _serialize_hit(hit: DocumentHit) -> search_answers.FoundDocument:
    return {
        "document_id": hit.document.pk,
        "document_name": hit.document.name,
        "document_type": hit.document.document_type.key if hit.document.document_type else None,
        "score": hit.score,
        "page_numbers": list(hit.page_numbers),
        "pages": [
            {
                "page": page.number,
                "text": page.snippet.text,
                "marks": [list(mark) for mark in page.snippet.marks],
                "boxes": [list(box) for box in page.boxes],
                "cite": page.citation,
                "by_meaning": page.is_semantic,
            }
            for page in hit.pages
        ],
        "values": [{"path": value.path, "text": value.text} for value in hit.values],
        "is_named": hit.is_named,
        "found_by": hit.found_by,
    }

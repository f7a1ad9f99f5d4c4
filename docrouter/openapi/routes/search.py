"""The operation of searching: its query, and how it is refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from drf_spectacular.utils import OpenApiExample, OpenApiParameter

from docrouter.openapi.routes.operations import FILTERS, Operation
from documents.api import search
from documents.search.finding import MAX_LIMIT

Route = tuple[type, str]
_QUESTION = OpenApiParameter(
    "q",
    str,
    description='Words that stand on one page, `"a phrase"`, `begin*`, `-without`, and terms such as `tag:legal`. '
    "500 characters and 20 words at most.",
)
_WINDOW = [
    OpenApiParameter("skip", {"type": "integer", "minimum": 0, "default": 0}, description="Documents to leave out."),
    OpenApiParameter(
        "limit",
        {"type": "integer", "minimum": 1, "maximum": MAX_LIMIT, "default": search.DEFAULT_LIMIT},
        description="Documents to give.",
    ),
]
_TYPING = OpenApiParameter("typing", bool, description="The last word may be the beginning of one.", default=False)
_FOUND = OpenApiExample(
    "A number in a letterhead",
    response_only=True,
    status_codes=["200"],
    value={
        "results": [
            {
                "document_id": "65f1a2b3c4d5e6f708192a3b",
                "document_name": "scan_17.pdf",
                "score": 0.9,
                "page_numbers": [1],
                "pages": [
                    {
                        "page": 1,
                        "text": "ACME Fittings GmbH HRB 4711 Ulm",
                        "marks": [[23, 27]],
                        "boxes": [[0.62, 0.05, 0.66, 0.06]],
                        "cite": "65f1a2b3c4d5e6f708192a40.1.2",
                        "by_meaning": False,
                    }
                ],
                "values": [],
                "is_named": False,
                "found_by": ["words"],
            }
        ],
        "total_count": 1,
        "skip": 0,
        "total_pages": 1,
        "are_counted": True,
        "words": ["4711"],
        "replaced": {},
        "is_partial": False,
        "suggestions": [],
        "note": "",
    },
)
_FILTERS = [parameter for parameter in FILTERS if parameter.name not in ("q", "order_by")]

OPERATIONS: Mapping[Route, Operation] = {
    (search.Search, "GET"): Operation(
        "Search all pages", query=[_QUESTION, *_WINDOW, _TYPING, *_FILTERS], examples=[_FOUND]
    )
}
ABOUT: Mapping[Route, str] = {
    (search.Search, "GET"): (
        "Words on pages, in names, tags and values, whatever their case and accents. Where no page has all words, they "
        "are looked for as what they nearly are and as parts of words, then some of them, the rare ones first. Of a "
        "word of very many pages the 2,000 indexed last are looked at. With an embedding model, words that are no "
        "phrase, number, beginning or exclusion are compared with parts of pages by their meaning too, and both orders "
        "are fused."
    )
}
REFUSALS: Mapping[Route, Mapping[int, Sequence[str]]] = {
    (search.Search, "GET"): {
        400: ["The search has no letters or figures. Write a word, or the beginning of one and *."]
    }
}

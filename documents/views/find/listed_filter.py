"""A filter of documents as the list shows it: chips, sortable heads, what the box holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import urlencode

from django.http import QueryDict

from documents.find.columns import COLUMN
from documents.find.filters import FILTER_NAMES, DocumentFilter
from documents.find.filters.document_filter import ORDER, WORDS
from documents.find.filters.orders import VALUE

ORDERS = (
    ("-uploaded", "Newest first"),
    ("uploaded", "Oldest first"),
    ("name", "Name"),
    ("state", "State"),
    ("verified", "To verify first"),
    ("-verified", "Verified first"),
    ("person", "Person"),
    ("tags", "Tags, no tag first"),
    ("-tags", "Tags, Z to A"),
)


class Chip(NamedTuple):
    """`query` is the address without it."""

    kind: str
    words: str
    query: str


@dataclass(frozen=True)
class ListedFilter:
    filter: DocumentFilter

    @property
    def narrows(self) -> bool:
        return self.filter.narrows

    @property
    def query(self) -> str:
        return self.filter.format_query()

    @property
    def box(self) -> str:
        """The words, and whatever could not be used, as it was written."""
        refused = [each for each in self.filter.refusals if each.name not in ("", ORDER, COLUMN)]
        written = [each.value if each.name == VALUE else f"{each.name}:{each.value}" for each in refused]
        return " ".join([self.filter.words, *written]).strip()

    @property
    def sentences(self) -> list[str]:
        return list(dict.fromkeys(refusal.sentence for refusal in self.filter.refusals))

    @property
    def hidden(self) -> list[tuple[str, str]]:
        """What the form sends beside the box."""
        return [pair for pair in self.filter.list_pairs() if pair[0] != WORDS]

    @property
    def chips(self) -> list[Chip]:
        chips = []
        for term in self.filter.terms:
            kind, colon, words = term.words.partition(": ")
            query = self.filter.format_query(without=term)
            chips.append(Chip(f"{kind}:" if colon else "", words if colon else term.words, query))
        return chips

    @property
    def orders(self) -> list[tuple[str, str]]:
        comparisons = (term.comparison for term in self.filter.terms if term.comparison)
        field = next((each.field for each in comparisons if each.operator != "empty"), "")
        return [*ORDERS, *([(VALUE, f"{field}, rising"), (f"-{VALUE}", f"{field}, falling")] if field else [])]

    def is_canonical(self, query: QueryDict) -> bool:
        """Whether the address already says it in the one way."""
        sent = [(name, value) for name in query for value in query.getlist(name) if name in FILTER_NAMES]
        return bool(self.sentences) or urlencode(sent) == self.query

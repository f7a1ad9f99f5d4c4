"""A filter of documents as the list shows it: chips, sortable heads, what the box holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import urlencode

from django.http import QueryDict

from documents.find.filters import DocumentFilter
from documents.find.filters.document_filter import ORDER, WORDS
from documents.find.filters.orders import VALUE
from documents.find.filters.terms import TERMS

# Of each column its class, its words, and what the list is sorted by for it.
HEADS = (
    ("c-name", "Name", "name"),
    ("c-state", "State", "state"),
    ("c-check", "Verified", "verified"),
    ("c-tags", "Tags", "tags"),
    ("c-by", "Uploaded", "uploaded"),
)
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


class Head(NamedTuple):
    """`sorting` is what aria-sort says; `query` the address that sorts by it, or turns it."""

    css: str
    words: str
    query: str
    sorting: str


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
        refused = [each for each in self.filter.refusals if each.name not in ("", ORDER)]
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
    def heads(self) -> list[Head]:
        return [self._make_head(*head) for head in HEADS]

    @property
    def orders(self) -> list[tuple[str, str]]:
        comparisons = (term.comparison for term in self.filter.terms if term.comparison)
        field = next((each.field for each in comparisons if each.operator != "empty"), "")
        return [*ORDERS, *([(VALUE, f"{field}, rising"), (f"-{VALUE}", f"{field}, falling")] if field else [])]

    def is_canonical(self, query: QueryDict) -> bool:
        """Whether the address already says it in the one way."""
        names = (WORDS, *TERMS, ORDER)
        sent = [(name, value) for name in query for value in query.getlist(name) if name in names]
        return bool(self.sentences) or urlencode(sent) == self.query

    def _make_head(self, css: str, words: str, column: str) -> Head:
        order = self.filter.order
        if not column:
            return Head(css, words, "", "")
        if order.column != column:
            return Head(css, words, self.filter.format_query(order=f"{'-' * (column == 'uploaded')}{column}"), "")
        turned = f"{'-' * (not order.is_descending)}{column}"
        return Head(
            css, words, self.filter.format_query(order=turned), "descending" if order.is_descending else "ascending"
        )

"""A list of documents as an address describes it: words, terms and an order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from urllib.parse import urlencode

from django.db.models import Q
from django.http import QueryDict

from accounts.actor import Actor
from documents.find.columns import COLUMN, Column, parse_columns
from documents.find.field_conditions import FieldCondition
from documents.find.filters.box import MAX_LETTERS, match_box, split_box
from documents.find.filters.orders import NEWEST_FIRST, Order, Rows, parse_order
from documents.find.filters.terms import TERMS, Term, parse_term
from documents.find.filters.value_order import ValueOrder, parse_value_order
from documents.models import Document
from kit.errors import AppError, Invalid

MAX_TERMS = 30
WORDS, ORDER = "q", "order_by"
FILTER_NAMES = (WORDS, ORDER, *TERMS, COLUMN)


@dataclass(frozen=True)
class Refusal:
    """A part of the address that could not be used, as it was written, and why."""

    name: str
    value: str
    sentence: str


@dataclass(frozen=True)
class DocumentFilter:
    actor: Actor
    words: str = ""
    terms: Sequence[Term] = ()
    order: Order | ValueOrder = field(default_factory=Order)
    refusals: Sequence[Refusal] = ()
    columns: Sequence[Column] = ()

    @property
    def narrows(self) -> bool:
        return bool(self.words or self.terms)

    def apply(self, rows: Rows) -> Rows:
        """Those that match, in no order."""
        condition = match_box(self.actor, self.words) if self.words else Q()
        return self.apply_terms(rows.filter(condition))

    def apply_terms(self, rows: Rows) -> Rows:
        """The same whatever the words are."""
        condition = Q()
        for term in self.terms:
            condition &= term.condition
        return rows.filter(condition)

    def list_parts(self, rows: Rows, last: Document | None = None) -> Sequence[Rows]:
        """They follow each other in the order of the list; with `last` only what comes after it."""
        if isinstance(self.order, ValueOrder):
            return self.order.list_parts(rows, last)
        sorted_rows = self.sort(rows)
        return [self.filter_after(sorted_rows, last) if last else sorted_rows]

    def sort(self, rows: Rows) -> Rows:
        """In one statement. Raises Invalid for the order of a field, whose empty values come in another."""
        return self._get_plain_order().sort(rows, self.actor.organization)

    def filter_after(self, rows: Rows, last: Document) -> Rows:
        return self._get_plain_order().filter_after(rows, last)

    def _get_plain_order(self) -> Order:
        if isinstance(self.order, ValueOrder):
            raise Invalid(f"{self.order.column} is an order of the page alone. Sort by value beside a filter of it.")
        return self.order

    def with_terms(self, terms: Sequence[Term]) -> DocumentFilter:
        return replace(self, terms=tuple(terms))

    def list_pairs(
        self, without: Term | None = None, order: str = "", words: str | None = None
    ) -> list[tuple[str, str]]:
        """What the address says of it."""
        words = self.words if words is None else words
        pairs = [(WORDS, words)] if words else []
        pairs += [(term.name, term.value) for term in self.terms if term is not without]
        order = order or self.order.text
        pairs += [(ORDER, order)] if order != NEWEST_FIRST else []
        return pairs + [(COLUMN, column.text) for column in self.columns]

    def format_query(self, without: Term | None = None, order: str = "", words: str | None = None) -> str:
        return urlencode(self.list_pairs(without, order, words))

    def get_value(self, name: str) -> str:
        return next((term.value for term in self.terms if term.name == name), "")


def parse_filter(actor: Actor, query: QueryDict | Mapping[str, Sequence[str]]) -> DocumentFilter:
    """What makes no sense is left out and named in `refusals`."""
    written = {name: [value for value in _get_list(query, name) if value] for name in FILTER_NAMES}
    box = " ".join(written[WORDS]).replace("\0", "")
    words, typed = split_box(box, TERMS)
    pairs = [
        (name, value) for name in TERMS for value in [*written[name], *(each for key, each in typed if key == name)]
    ]
    terms: dict[tuple[str, str], Term] = {}
    refusals = []
    for name, value in dict.fromkeys(pairs[:MAX_TERMS]):
        try:
            term = parse_term(actor, name, value[: MAX_LETTERS + 1])
            terms[term.name, term.value] = term
        except AppError as error:
            refusals.append(Refusal(name, value, error.sentence))
    if len(box) > MAX_LETTERS:
        refusals.append(Refusal("", "", f"The search has {len(box):,} characters; {MAX_LETTERS} are the most."))
    if len(pairs) > MAX_TERMS:
        refusals.append(Refusal("", "", f"There are {len(pairs)} filters; {MAX_TERMS} are the most."))
    order: Order | ValueOrder = Order()
    columns: Sequence[Column] = ()
    try:
        comparisons = [term.comparison for term in terms.values() if term.comparison]
        order = _parse_order(actor, (written[ORDER] or [NEWEST_FIRST])[-1], comparisons)
    except AppError as error:
        refusals.append(Refusal(ORDER, written[ORDER][-1], error.sentence))
    try:
        columns = parse_columns(written[COLUMN])
    except AppError as error:
        refusals.append(Refusal(COLUMN, "", error.sentence))
    return DocumentFilter(actor, words, tuple(terms.values()), order, tuple(refusals), columns)


def require_filter(actor: Actor, query: QueryDict | Mapping[str, Sequence[str]]) -> DocumentFilter:
    """The same for programs. Raises Invalid."""
    parsed = parse_filter(actor, query)
    if parsed.refusals:
        raise Invalid(parsed.refusals[0].sentence)
    return parsed


def _parse_order(actor: Actor, text: str, comparisons: list[FieldCondition]) -> Order | ValueOrder:
    return parse_value_order(actor.organization, text) or parse_order(text, comparisons)


def _get_list(query: QueryDict | Mapping[str, Sequence[str]], name: str) -> Sequence[str]:
    return query.getlist(name) if isinstance(query, QueryDict) else query.get(name, ())

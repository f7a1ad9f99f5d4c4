"""Where a document stands in the list that it was opened from, and what comes before and after it there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from urllib.parse import parse_qs, urlencode, urlsplit

from django.http import QueryDict

from accounts.models import Role
from accounts.views.pages import PageRequest
from documents.find.filters import DocumentFilter, parse_filter
from documents.find.filters.verification import Rows, filter_to_verify
from documents.models import Document
from documents.review import presence
from kit import formats

# What the address of a document says of the list that it was opened from, and which one was verified before it.
LIST, AFTER = "list", "after"
MAX_QUERY = 2000
# Beyond it a person reads 1,000+.
MAX_COUNTED = 1000


@dataclass(frozen=True)
class Neighbours:
    """`query` is the filter of the list. Of `total` documents of it that are to be verified this is the `position`th,
    and `verified` are done.

    Next and previous are among these, or where there are none, among all of the list; after the last comes the first.
    `position` is 0 for one that does not wait; `verified_before` is the document that was verified just before, `other`
    who verifies this one meanwhile.
    """

    query: str
    total: int
    verified: int
    position: int
    has_others: bool
    verified_before: str
    other: str

    @property
    def address_end(self) -> str:
        """What the address of a document carries on, with its question mark."""
        return format_list_query(self.query)

    @property
    def list_address_end(self) -> str:
        """What the address of the list itself carries on."""
        return f"?{self.query}" if self.query else ""

    @property
    def shown_total(self) -> str:
        return formats.format_bounded(self.total, maximum=MAX_COUNTED)

    @property
    def count_with_values(self) -> int:
        return self.total + self.verified


@dataclass(frozen=True)
class ReviewLine:
    """Documents in the order of the list, which is a ring. `total` counts those to verify; 0 where it is of all
    documents."""

    rows: Rows
    narrowing: DocumentFilter
    total: int = 0
    verified: int = 0

    def list_after(self, document: Document) -> Sequence[Rows]:
        """Those that come after it, the nearest first, in parts that follow each other."""
        return self.narrowing.list_parts(self.rows, document)

    def list_before(self, document: Document) -> Sequence[Rows]:
        return self.turn_back().list_after(document)

    def turn_back(self) -> ReviewLine:
        return replace(self, narrowing=replace(self.narrowing, order=self.narrowing.order.turn()))

    def list_from(self, document: Document) -> Iterator[str]:
        """List the ids after it, and from the first one again."""
        yield from _iterate_keys(self.list_after(document))
        yield from _iterate_keys(self.narrowing.list_parts(self.rows.exclude(pk=document.pk)))

    def has_others(self, document: Document, position: int) -> bool:
        return self.total > 1 if position else self.rows.exclude(pk=document.pk).exists()

    def find_position(self, document: Document) -> int:
        """From 1; 0 for a document that is not in the line, or when that is too long to be counted."""
        if self.total > MAX_COUNTED or not self.rows.filter(pk=document.pk).exists():
            return 0
        return sum(part.count() for part in self.list_before(document)) + 1


def format_list_query(query: str, **more: str) -> str:
    pairs = {**({LIST: query} if query else {}), **more}
    return f"?{urlencode(pairs)}" if pairs else ""


def read_list_query(request: PageRequest) -> str:
    """From the address, or where htmx fetches a part, from that of its page."""
    query = request.GET.get(LIST, "")
    if not query and request.htmx and request.htmx.current_url:
        query = parse_qs(urlsplit(request.htmx.current_url).query).get(LIST, [""])[0]
    return query[:MAX_QUERY]


def find_neighbours(request: PageRequest, document: Document) -> Neighbours:
    query = read_list_query(request)
    line = _find_line(request, document, query)
    position = line.find_position(document) if line.total else 0
    return Neighbours(
        query=query,
        total=line.total,
        verified=line.verified,
        position=position,
        has_others=line.has_others(document, position),
        verified_before=_find_verified_before(request, document),
        other=presence.find_others(request.actor, [document.pk]).get(document.pk, ""),
    )


def find_next(request: PageRequest, document: Document, *, forward: bool = True) -> str | None:
    """The document to go on with, kept for the actor where it waits to be verified."""
    line = _find_line(request, document, read_list_query(request))
    ids = (line if forward else line.turn_back()).list_from(document)
    return presence.hand_out(request.actor, ids) if line.total else next(ids, None)


def find_below(request: PageRequest, document: Document) -> str | None:
    """The document that stands below it in the list that it was opened from."""
    narrowing = parse_filter(request.actor, QueryDict(read_list_query(request)))
    line = ReviewLine(narrowing.apply(Document.objects.for_org(request.actor.organization)), narrowing)
    return next(_iterate_keys(line.list_after(document)), None)


def _iterate_keys(parts: Sequence[Rows]) -> Iterator[str]:
    """As many as somebody passes who looks for one that nobody else verifies."""
    keys = (part.values_list("pk", flat=True)[: presence.MAX_PASSED] for part in parts)
    return islice(chain.from_iterable(keys), presence.MAX_PASSED)


def _find_line(request: PageRequest, document: Document, query: str) -> ReviewLine:
    """The documents to verify, for who may, beside a document that has values; else all of the list."""
    narrowing = parse_filter(request.actor, QueryDict(query))
    rows = narrowing.apply(Document.objects.for_org(request.actor.organization))
    if request.actor.may(Role.REVIEWER) and document.state == Document.State.LLM_COMPLETED:
        to_verify = filter_to_verify(rows)
        if total := to_verify[: MAX_COUNTED + 1].count():
            verified = rows.filter(review=Document.Review.VERIFIED)[: MAX_COUNTED + 1].count()
            return ReviewLine(to_verify, narrowing, total, verified)
    return ReviewLine(rows, narrowing)


def _find_verified_before(request: PageRequest, document: Document) -> str:
    asked = request.GET.get(AFTER, "")
    rows = Document.objects.for_org(request.actor.organization).exclude(pk=document.pk)
    return rows.filter(pk=asked[:24]).values_list("pk", flat=True).first() or "" if asked else ""

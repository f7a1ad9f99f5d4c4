"""The texts of two documents side by side, with what differs between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from accounts.access import fetch
from accounts.views.pages import PageRequest, organization_page
from documents.comparing import Change, Comparison, Side, compare_readings
from documents.comparing.results import MATTERS, ComparedRow, Matter
from documents.models import Document, Reading
from documents.reading.reading import get_newest
from kit.errors import Invalid

TWO = "Choose two documents to compare."
UNREAD = "{name} has not been read, so there is no text to compare."
WORDS: dict[Matter, str] = {
    "number": "numbers and dates",
    "text": "words",
    "signs": "punctuation",
    "misread": "maybe misread",
}
# Text that both have is folded; beyond so many letters it is left to the documents' own pages.
MAX_SAME_LETTERS = 400_000


class MarkedWords(NamedTuple):
    """`is_changed`: the other text has something else in their place."""

    text: str
    is_changed: bool


@dataclass(frozen=True)
class PageSide:
    """`block_id` leads to the place in the document."""

    page: int
    block_id: str
    parts: list[MarkedWords]


@dataclass(frozen=True)
class PageChange:
    change: Change
    one: PageSide | None
    other: PageSide | None

    @property
    def words(self) -> str:
        return self.change.kind if self.change.kind != "changed" else WORDS[self.change.matter]


@dataclass
class SameText:
    """Passages in a row that both have. `texts` is empty where there is too much of it."""

    count: int = 0
    texts: list[str] = field(default_factory=list)


@require_GET
@organization_page()
def compare(request: PageRequest) -> HttpResponse:
    """`ids`: of the two documents; the one that came first is the older, unless `swapped` says otherwise."""
    documents = _fetch_both(request)
    context: dict[str, object] = {"documents": documents, "swapped": request.GET.get("swapped")}
    readings = [get_newest(document) for document in documents]
    unread = next((d for d, reading in zip(documents, readings, strict=True) if reading is None), None)
    if unread:
        return render(request, "documents/compare/page.html", {**context, "problem": UNREAD.format(name=unread.name)})
    one, other = (reading for reading in readings if reading)
    comparison = compare_readings(one, other)
    context |= {
        "comparison": comparison,
        "rows": list(_list_rows(comparison, one, other)),
        "counts": _count(comparison),
    }
    return render(request, "documents/compare/page.html", context)


def _fetch_both(request: PageRequest) -> list[Document]:
    ids = list(dict.fromkeys(request.GET.get("ids", "").split()))
    if len(ids) != 2:
        raise Invalid(TWO)
    rows = [fetch(request.actor, Document.objects.all(), each, noun="Document") for each in ids]
    documents = sorted(rows, key=lambda document: (document.created_at, document.pk))
    return documents[::-1] if request.GET.get("swapped") else documents


def _count(comparison: Comparison) -> list[tuple[int, str]]:
    counts = Counter(change.matter for change in comparison.changes)
    return [(counts[matter], WORDS[matter]) for matter in MATTERS if counts[matter]]


def _list_rows(comparison: Comparison, one: Reading, other: Reading) -> Iterator[PageChange | SameText]:
    same, letters = SameText(), 0
    for row in comparison.rows:
        if row.change is None:
            letters += len(row.other)
            _add_same(same, row, is_shown=letters <= MAX_SAME_LETTERS)
            continue
        if same.count:
            yield same
            same = SameText()
        yield PageChange(row.change, _make_side(row.change, 0, one), _make_side(row.change, 1, other))
    if same.count:
        yield same


def _add_same(same: SameText, row: ComparedRow, *, is_shown: bool) -> None:
    same.count += 1
    if is_shown:
        same.texts.append(row.other)


def _make_side(change: Change, side: int, reading: Reading) -> PageSide | None:
    place: Side | None = change.other if side else change.one
    if place is None:
        return None
    stretches = ((each.now if side else each.was, not each.is_same) for each in change.stretches)
    parts = [MarkedWords(text, is_changed) for text, is_changed in stretches if text] or [MarkedWords(place.text, True)]
    return PageSide(place.place.page, f"{reading.pk}.{place.place}", parts)

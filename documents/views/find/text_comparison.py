"""Two documents side by side: the values and the passages that differ between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_GET

from accounts.access import fetch
from accounts.views.pages import PageRequest, organization_page
from documents.comparing import Change, Comparison, Side, compare_readings
from documents.comparing.results import MATTERS, ComparedRow, Matter
from documents.extractions.value_differences import PlacedValue, ValueComparison, ValueDifference, compare_values
from documents.models import Document, Reading
from documents.reading.reading import get_newest
from documents.views.find.changes_of_values import find_values_of_changes
from documents.views.find.comparison_file import write_differences
from kit import formats
from kit.errors import Invalid

TWO = "Choose two documents to compare."
UNREAD = "{name} has not been read, so there is no text to compare."
WORDS: dict[Matter, str] = {
    "number": "numbers and dates",
    "text": "words",
    "signs": "punctuation",
    "misread": "maybe misread",
}
VALUES = "values"
# Text that both have is folded; beyond so many letters it is left to the documents' own pages.
MAX_SAME_LETTERS = 400_000


class PlaceRoots(NamedTuple):
    """The addresses of places up to the place itself: a page has thousands, which are too many to reverse."""

    page: str
    strip: str


class MarkedWords(NamedTuple):
    """`is_changed`: the other text has something else in their place."""

    text: str
    is_changed: bool


@dataclass(frozen=True)
class PageSide:
    """`block_id` leads to the place in the document; after a comma further words of the line may come."""

    page: int
    block_id: str
    parts: list[MarkedWords]

    @property
    def page_words(self) -> str:
        return f"Page {self.page}"


@dataclass(frozen=True)
class PageChange:
    """`number` counts the values that differ too. `value`: that of the value that says the same; then it has none."""

    number: int
    change: Change
    one: PageSide | None
    other: PageSide | None
    value: int = 0

    @property
    def words(self) -> str:
        return self.change.kind if self.change.kind != "changed" else WORDS[self.change.matter]


@dataclass(frozen=True)
class ValueRow:
    """`number` goes on from one row to the next, before those of the changes in the texts."""

    number: int
    difference: ValueDifference

    @property
    def sides(self) -> list[PlacedValue | None]:
        return [self.difference.one, self.difference.other]

    @property
    def growth(self) -> str:
        """By how much the newer is more or later, with its sign."""
        if (more := self.difference.growth) is not None:
            return f"{'+' if more > 0 else '−'}{formats.format_amount(abs(more))}"
        if (days := self.difference.days) is not None:
            plural = "" if abs(days) == 1 else "s"
            return f"{formats.format_number(abs(days))} day{plural} {'later' if days > 0 else 'earlier'}"
        return ""


class KindCount(NamedTuple):
    """A kind of difference that the page can be narrowed to. `key` is empty for all."""

    key: str
    words: str
    total: int


@dataclass
class SameText:
    """Passages in a row that both have. `texts` is empty where there is too much of it."""

    count: int = 0
    texts: list[str] = field(default_factory=list)


@require_GET
@organization_page()
def compare(request: PageRequest) -> HttpResponse:
    """`ids`: of the two documents; the one that came first is the older, unless `swapped` says otherwise. `form`: csv
    gives the differences as a file."""
    documents = _fetch_both(request)
    swapped = request.GET.get("swapped")
    ages = ("Newer", "Older") if swapped else ("Older", "Newer")
    context: dict[str, object] = {
        "documents": documents,
        "named": list(zip(ages, documents, strict=True)),
        "ages": ages,
        "swapped": swapped,
    }
    readings = [get_newest(document) for document in documents]
    unread = next((d for d, reading in zip(documents, readings, strict=True) if reading is None), None)
    if unread:
        return render(request, "documents/compare/page.html", {**context, "problem": UNREAD.format(name=unread.name)})
    one, other = (reading for reading in readings if reading)
    comparison, compared = compare_readings(one, other), compare_values(*documents)
    of_values = find_values_of_changes(comparison.changes, compared, (one, other))
    changes = [change for change in comparison.changes if change.number not in of_values]
    if request.GET.get("form") == "csv":
        return _send_file(documents, write_differences(changes, comparison.notes, compared, WORDS))
    values = [ValueRow(at, each) for at, each in enumerate(compared.differences if compared else (), 1)]
    context |= {
        "comparison": comparison,
        "compared_values": compared,
        "values": values,
        "rows": list(_list_rows(comparison, (one, other), len(values), of_values)),
        "kinds": _count_kinds(changes, compared),
        "total": len(values) + len(changes),
        "places": _find_place_roots(request),
    }
    return render(request, "documents/compare/page.html", context)


def _find_place_roots(request: PageRequest) -> PlaceRoots:
    page, strip = (reverse(name, args=[request.actor.organization.pk, "x"]) for name in ("place", "research-place"))
    return PlaceRoots(page.removesuffix("x"), strip.removesuffix("x"))


def _fetch_both(request: PageRequest) -> list[Document]:
    ids = list(dict.fromkeys(request.GET.get("ids", "").split()))
    if len(ids) != 2:
        raise Invalid(TWO)
    rows = [fetch(request.actor, Document.objects.all(), each, noun="Document") for each in ids]
    documents = sorted(rows, key=lambda document: (document.created_at, document.pk))
    return documents[::-1] if request.GET.get("swapped") else documents


def _send_file(documents: list[Document], content: bytes) -> HttpResponse:
    response = HttpResponse(content, content_type="text/csv; charset=utf-8")
    name = " and ".join(document.name[:80] for document in documents)
    response["Content-Disposition"] = content_disposition_header(True, f"{name}.csv")
    return response


def _count_kinds(changes: Sequence[Change], compared: ValueComparison | None) -> list[KindCount]:
    """Give the kinds that occur, after all of them together."""
    counts = Counter(change.matter for change in changes)
    values = len(compared.differences) if compared else 0
    kinds = [KindCount("", "All", values + len(changes)), KindCount(VALUES, "Values", values)]
    kinds += [KindCount(matter, WORDS[matter].capitalize(), counts[matter]) for matter in MATTERS]
    return [kind for kind in kinds if kind.total]


def _list_rows(
    comparison: Comparison, readings: Sequence[Reading], values: int, of_values: Mapping[int, int]
) -> Iterator[PageChange | SameText]:
    same, letters, number = SameText(), 0, values
    for row in comparison.rows:
        if row.change is None:
            letters += len(row.text)
            _add_same(same, row, is_shown=letters <= MAX_SAME_LETTERS)
            continue
        if same.count:
            yield same
            same = SameText()
        value = of_values.get(row.change.number, 0)
        number += not value
        one, other = (_make_side(row.change, side, reading) for side, reading in enumerate(readings))
        yield PageChange(number, row.change, one, other, value)
    if same.count:
        yield same


def _add_same(same: SameText, row: ComparedRow, *, is_shown: bool) -> None:
    same.count += 1
    if is_shown:
        same.texts.append(row.text)


def _make_side(change: Change, side: int, reading: Reading) -> PageSide | None:
    place: Side | None = change.other if side else change.one
    if place is None:
        return None
    stretches = ((each.now if side else each.was, not each.is_same) for each in change.stretches)
    parts = [MarkedWords(text, is_changed) for text, is_changed in stretches if text] or [MarkedWords(place.text, True)]
    places = [place.place._replace(word=number) for number in place.marked] or [place.place]
    return PageSide(place.place.page, f"{reading.pk}.{','.join(map(str, places))}", parts)

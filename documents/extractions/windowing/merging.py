"""One result of what several windows gave: rows are put together by their identity, in the order of the pages."""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import TypeAlias

from documents.values import Location, Stored, StoredRow, Where, match_rows
from documents.values.addresses import RowStep, split_steps

Join: TypeAlias = Callable[[list[StoredRow], list[StoredRow]], list[StoredRow]]
"""Rows that are there and rows that come to them → one list."""


@dataclass(frozen=True)
class WindowResult:
    """What one window gave, located on its pages."""

    result: Stored
    provenance: dict[Where, Location]


@dataclass(frozen=True)
class _RowPlaces:
    """Where rows stand: on which pages they have values, and how far down on the one that has most of them."""

    pages: Mapping[str, Collection[int]]
    tops: dict[str, tuple[int, float]]

    def get_page(self, row: StoredRow) -> int | None:
        return self.tops[row["row_id"]][0] if row["row_id"] in self.tops else None

    def get_top(self, row: StoredRow) -> float:
        return self.tops.get(row["row_id"], (0, 0.0))[1]

    def fill_gaps(self, stored: Stored) -> None:
        """A row that was found nowhere stands with the one before it in its list."""
        if isinstance(stored, dict):
            for value in stored.values():
                self.fill_gaps(value)
        elif isinstance(stored, list):
            for before, row in pairwise(stored):
                if before["row_id"] in self.tops:
                    self.tops.setdefault(row["row_id"], self.tops[before["row_id"]])
            for row in stored:
                self.fill_gaps(row["value"])

    def join(self, kept: list[StoredRow], added: list[StoredRow]) -> list[StoredRow]:
        """A row that was found nowhere goes behind the one before it."""
        rows = list(kept)
        pages = self._fill_pages(added)
        for page, group in groupby(zip(pages, added, strict=True), key=lambda pair: pair[0]):
            end = _find_position([self.get_page(row) for row in rows], page)
            start = end
            while start and self.get_page(rows[start - 1]) == page:
                start -= 1
            rows[start:end] = heapq.merge(rows[start:end], [row for _, row in group], key=self.get_top)
        return rows

    def _fill_pages(self, rows: Sequence[StoredRow]) -> list[int]:
        page = next((known for row in rows if (known := self.get_page(row))), 1)
        return [page := self.get_page(row) or page for row in rows]


def merge_parts(parts: Sequence[WindowResult]) -> WindowResult:
    """Earlier windows win for single values; a row that two windows saw is kept once, completed from the later."""
    whole = parts[0]
    for part in parts[1:]:
        rows = match_rows(whole.result, whole.provenance, part.result, part.provenance)
        result = _merge(whole.result, part.result, rows, lambda kept, added: [*kept, *added])
        whole = WindowResult(result, part.provenance | whole.provenance)
    return whole


def add_pages(whole: WindowResult, part: WindowResult, pages: Collection[int]) -> WindowResult:
    """`whole` with what was asked of these `pages` later: its values stay, empty ones are filled, new rows come where
    their pages are. Only rows that stand on these pages may be the same as new ones."""
    provenance = part.provenance | whole.provenance
    places = _locate_rows(provenance)
    places.fill_gaps(part.result)
    near = _keep_rows_on(whole.result, places, frozenset(pages))
    rows = match_rows(near, whole.provenance, part.result, part.provenance)
    return WindowResult(_merge(whole.result, part.result, rows, places.join), provenance)


def _merge(one: Stored, other: Stored, rows: Mapping[str, str], join: Join) -> Stored:
    if isinstance(one, dict) and isinstance(other, dict):
        names = [*one, *(name for name in other if name not in one)]
        return {name: _merge(one.get(name), other.get(name), rows, join) for name in names}
    if isinstance(one, list) and isinstance(other, list):
        return _merge_rows(one, other, rows, join)
    return other if one in (None, "") or one == [] else one


def _merge_rows(one: list[StoredRow], other: list[StoredRow], rows: Mapping[str, str], join: Join) -> list[StoredRow]:
    later = {row["row_id"]: row for row in other}
    kept = [
        StoredRow(row_id=row["row_id"], value=_merge(row["value"], later[rows[row["row_id"]]]["value"], rows, join))
        if rows.get(row["row_id"]) in later
        else row
        for row in one
    ]
    seen = set(rows.values())
    return join(kept, [row for row in other if row["row_id"] not in seen])


def _locate_rows(provenance: Mapping[Where, Location]) -> _RowPlaces:
    places: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
    for where, location in provenance.items():
        if location.page and location.boxes:
            for step in split_steps(where):
                if isinstance(step, RowStep):
                    places[step.row_id].append((location.page, location.boxes[0][1]))
    return _RowPlaces(
        {row_id: {page for page, _ in known} for row_id, known in places.items()},
        {row_id: _choose_place(known) for row_id, known in places.items()},
    )


def _choose_place(places: Sequence[tuple[int, float]]) -> tuple[int, float]:
    counts = Counter(page for page, _ in places)
    page = min(counts, key=lambda number: (-counts[number], number))
    return min(place for place in places if place[0] == page)


def _keep_rows_on(stored: Stored, places: _RowPlaces, pages: frozenset[int]) -> Stored:
    if isinstance(stored, dict):
        return {name: _keep_rows_on(value, places, pages) for name, value in stored.items()}
    if isinstance(stored, list):
        return [row for row in stored if not pages.isdisjoint(places.pages.get(row["row_id"], ()))]
    return stored


def _find_position(pages: Sequence[int | None], page: int) -> int:
    """Behind the rows up to this page. One that is misplaced among the others changes nothing."""
    best = balance = at = 0
    for position, known in enumerate(pages, start=1):
        balance += 0 if known is None else 1 if known > page else -1
        if balance <= best:
            best, at = balance, position
    return at

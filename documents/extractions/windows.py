"""Long documents go to the model in windows of pages that overlap; their results are put together by row identity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from documents.values import Location, Row, Stored, Where, match_rows

WINDOW_TOKENS = 24_000
OVERLAP_PAGES = 1


def split_into_windows(sizes: Mapping[int, int], max_tokens: int) -> list[list[int]]:
    """Page numbers in runs of at most `max_tokens`, each beginning with the last page of the one before.

    `sizes`: page number → tokens. A page that is larger alone is a window of its own.
    """
    windows: list[list[int]] = []
    current: list[int] = []
    for number, size in sizes.items():
        if current and sum(sizes[page] for page in current) + size > max_tokens:
            windows.append(current)
            overlap = current[-OVERLAP_PAGES:] if len(current) > OVERLAP_PAGES else []
            fits = sum(sizes[page] for page in overlap) + size <= max_tokens
            current = list(overlap) if fits else []
        current.append(number)
    return [*windows, current] if current else windows


def split_window(window: Sequence[int]) -> list[list[int]]:
    """Two windows for one that was too long; they share a page when there are pages enough for both to be shorter."""
    middle = len(window) // 2
    shared = OVERLAP_PAGES if len(window) > 2 else 0
    return [list(window[: middle + shared]), list(window[middle:])]


@dataclass(frozen=True)
class Part:
    """What one window gave, located on its pages."""

    result: Stored
    provenance: dict[Where, Location]


def merge_parts(parts: Sequence[Part]) -> Part:
    """Earlier windows win for single values; a row that two windows saw is kept once, completed from the later."""
    whole = parts[0]
    for part in parts[1:]:
        rows = match_rows(whole.result, whole.provenance, part.result, part.provenance)
        result = _merge(whole.result, part.result, rows)
        whole = Part(result, part.provenance | whole.provenance)
    return whole


def _merge(one: Stored, other: Stored, rows: Mapping[str, str]) -> Stored:
    if isinstance(one, dict) and isinstance(other, dict):
        names = [*one, *(name for name in other if name not in one)]
        return {name: _merge(one.get(name), other.get(name), rows) for name in names}
    if isinstance(one, list) and isinstance(other, list):
        return _merge_rows(one, other, rows)
    return other if one in (None, "") or one == [] else one


def _merge_rows(one: list[Row], other: list[Row], rows: Mapping[str, str]) -> list[Row]:
    later = {row["row_id"]: row for row in other}
    kept = [
        Row(row_id=row["row_id"], value=_merge(row["value"], later[rows[row["row_id"]]]["value"], rows))
        if rows.get(row["row_id"]) in later
        else row
        for row in one
    ]
    seen = set(rows.values())
    return [*kept, *(row for row in other if row["row_id"] not in seen)]

"""One page of a long list, and how many rows there are in all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db.models import Model, QuerySet

M = TypeVar("M", bound=Model)


@dataclass(frozen=True)
class Window:
    skip: int
    limit: int


@dataclass(frozen=True)
class Part(Generic[M]):
    """`total` counts the rows of all pages."""

    rows: list[M]
    total: int


def part_of(rows: QuerySet[M], at: Window, *, whole: QuerySet[M] | None = None) -> Part[M]:
    """The rows in the window. At most two queries and those of the prefetches.

    `whole`, for large tables with a bounded limit: `rows` give the keys only, and one query more finds them in it.
    """
    wanted = rows if whole is None else rows.values_list("pk", flat=True)
    found = list(wanted[at.skip : at.skip + at.limit])
    return Part(found if whole is None else _by_key(whole, found), _total(rows, at, len(found)))


def _by_key(whole: QuerySet[M], keys: list[Any]) -> list[M]:
    """Sorted and skipped alone, keys come out of an index, without a look at the wide rows."""
    rows = whole.in_bulk(keys)
    return [rows[key] for key in keys if key in rows]


def _total(rows: QuerySet[M], at: Window, found: int) -> int:
    """A page that is not full is the last one: nothing is left to count."""
    last = found < at.limit and (found > 0 or at.skip == 0)
    return at.skip + found if last else rows.count()

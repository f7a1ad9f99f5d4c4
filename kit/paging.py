"""One page of a long list, and how many rows there are in all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from typing import Generic, TypeVar

from django.db.models import Model, QuerySet
from django.db.models.expressions import Combinable

from kit.group_cache import get_or_compute, query_key

M = TypeVar("M", bound=Model)
# Keys that are remembered of a long list: as far as people page.
HEAD = 200


@dataclass(frozen=True)
class Window:
    skip: int
    limit: int


@dataclass(frozen=True)
class PageOfRows(Generic[M]):
    """`total` counts the rows of all pages; `is_cut` says that there was no room for all of this one."""

    rows: list[M]
    total: int
    is_cut: bool = False


def part_of(rows: QuerySet[M], at: Window) -> PageOfRows[M]:
    """The rows in the window. At most two queries and those of the prefetches."""
    page = list(rows[at.skip : at.skip + at.limit])
    return PageOfRows(page, _total(at, len(page), rows.count))


def large_part_of(rows: QuerySet[M], at: Window, *, whole: QuerySet[M], group: str) -> PageOfRows[M]:
    """Take a page of a large table: `rows` give the keys only, and one query more finds them in `whole`.

    The first keys and the total are remembered until something changes in the group (kit.group_cache).
    """
    # Sorted and skipped alone, keys come out of an index, without a look at the wide rows.
    keys, total = _keys_and_total(rows.values_list("pk", flat=True), at, group)
    return PageOfRows(_by_key(whole, keys), total)


def part_within(rows: QuerySet[M], at: Window, *, letters: Combinable, maximum: int) -> PageOfRows[M]:
    """Take a page of rows with long texts: it ends before the `letters` of its rows are more than `maximum`.

    One row always comes. The texts are measured where they are, so that none is read in vain.
    """
    sized = rows.annotate(letters_of_row=letters).values_list("pk", "letters_of_row")
    pairs = list(sized[at.skip : at.skip + at.limit])
    sums = accumulate(size or 0 for _, size in pairs)
    keys = [
        key for number, ((key, _), total) in enumerate(zip(pairs, sums, strict=True)) if total <= maximum or not number
    ]
    return PageOfRows(_by_key(rows, keys), _total(at, len(pairs), rows.count), is_cut=len(keys) < len(pairs))


def first_of(parts: Sequence[QuerySet[M]], maximum: int, *, whole: QuerySet[M], group: str) -> list[M]:
    """The first rows of a large table, without their number. Each of the `parts` follows the one before it."""
    keys: list[str] = []
    for part in parts:
        if len(keys) < maximum:
            some = part.values_list("pk", flat=True)[: maximum - len(keys)]
            keys += get_or_compute(group, query_key(some), partial(list, some))
    return _by_key(whole, keys)


def total_of(rows: QuerySet[Model, object], *, group: str) -> int:
    return get_or_compute(group, query_key(rows.order_by(), "total"), rows.count)


def _by_key(whole: QuerySet[M], keys: list[str]) -> list[M]:
    by_key = whole.in_bulk(keys)
    return [by_key[key] for key in keys if key in by_key]


def _keys_and_total(keys: QuerySet[Model, str], at: Window, group: str) -> tuple[list[str], int]:
    if at.skip + at.limit <= HEAD:
        head, total = get_or_compute(group, query_key(keys, "head"), lambda: _head(keys))
        return head[at.skip : at.skip + at.limit], total
    page = list(keys[at.skip : at.skip + at.limit])
    return page, _total(at, len(page), lambda: total_of(keys, group=group))


def _head(keys: QuerySet[Model, str]) -> tuple[list[str], int]:
    head = list(keys[:HEAD])
    return head, _total(Window(0, HEAD), len(head), keys.count)


def _total(at: Window, number: int, count: Callable[[], int]) -> int:
    """A page that is not full is the last one: nothing is left to count."""
    last = number < at.limit and (number > 0 or at.skip == 0)
    return at.skip + number if last else count()

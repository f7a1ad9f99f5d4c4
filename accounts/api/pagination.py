"""Lists on the wire: `{<plural>: […], total_count, skip}`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from django.db.models import Model, QuerySet
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.fields import whole_number

M = TypeVar("M", bound=Model)
_LARGEST = 2**31 - 1


@dataclass(frozen=True)
class Window:
    skip: int
    limit: int


def window(request: Request, *, default: int = 10, most: int | None = 100) -> Window:
    """`skip` and `limit` of the query; out of range is 422. `most=None` leaves the limit open."""
    skip = whole_number(request, "skip", 0, least=0, most=_LARGEST)
    limit = whole_number(request, "limit", default, least=1, most=most or _LARGEST)
    return Window(skip or 0, limit or default)


def listing(
    plural: str, rows: QuerySet[M], at: Window, shown: Callable[[M], Any], *, wide: bool = False, **more: object
) -> Response:
    """One page of the rows in the envelope, each as `shown` gives it. At most two queries and those of the prefetches.

    `wide`, for large tables with a bounded limit: the keys of the page are found first, by one query more.
    """
    page = _by_key(rows, at) if wide else list(rows[at.skip : at.skip + at.limit])
    body = {plural: [shown(row) for row in page], "total_count": _total(rows, at, len(page)), "skip": at.skip, **more}
    return Response(body)


def _by_key(rows: QuerySet[M], at: Window) -> list[M]:
    """Sorted and skipped alone, keys come out of an index, without a look at the wide rows."""
    keys = list(rows.prefetch_related(None).values_list("pk", flat=True)[at.skip : at.skip + at.limit])
    found = {row.pk: row for row in rows.order_by().filter(pk__in=keys)} if keys else {}
    return [found[key] for key in keys if key in found]


def _total(rows: QuerySet[M], at: Window, found: int) -> int:
    """A page that is not full is the last one: nothing is left to count."""
    last = found < at.limit and (found > 0 or at.skip == 0)
    return at.skip + found if last else rows.count()

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
    plural: str,
    rows: QuerySet[M],
    at: Window,
    shown: Callable[[M], Any],
    *,
    whole: QuerySet[M] | None = None,
    **more: object,
) -> Response:
    """One page of the rows in the envelope, each as `shown` gives it. At most two queries and those of the prefetches.

    `whole`, for large tables with a bounded limit: `rows` give the keys only, and one query more finds them in it.
    """
    part = rows if whole is None else rows.values_list("pk", flat=True)
    found = list(part[at.skip : at.skip + at.limit])
    page = found if whole is None else _by_key(whole, found)
    total = _total(rows, at, len(found))
    return Response({plural: [shown(row) for row in page], "total_count": total, "skip": at.skip, **more})


def _by_key(whole: QuerySet[M], keys: list[Any]) -> list[M]:
    """Sorted and skipped alone, keys come out of an index, without a look at the wide rows."""
    rows = whole.in_bulk(keys)
    return [rows[key] for key in keys if key in rows]


def _total(rows: QuerySet[M], at: Window, found: int) -> int:
    """A page that is not full is the last one: nothing is left to count."""
    last = found < at.limit and (found > 0 or at.skip == 0)
    return at.skip + found if last else rows.count()

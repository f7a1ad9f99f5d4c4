"""Lists on the wire: `{<plural>: […], total_count, skip}`."""

from __future__ import annotations

from rest_framework.request import Request

from accounts.api.wire.answers import Page, PageOfLongRows
from accounts.api.wire.fields import read_number
from kit.paging import M, PageOfRows, Window

_LARGEST = 2**31 - 1


def read_window(request: Request, *, default: int = 10, maximum: int | None = 100) -> Window:
    """`skip` and `limit` of the query; out of range is 422. `maximum=None` leaves the limit open."""
    skip = read_number(request, "skip", 0, minimum=0, maximum=_LARGEST)
    limit = read_number(request, "limit", default, minimum=1, maximum=maximum or _LARGEST)
    return Window(skip or 0, limit or default)


def count_rows(part: PageOfRows[M], at: Window) -> Page:
    """Count the rows for a page's envelope."""
    return {"total_count": part.total, "skip": at.skip}


def count_long_rows(part: PageOfRows[M], at: Window) -> PageOfLongRows:
    """Count the rows of a page that may have been cut short."""
    counts: PageOfLongRows = {"total_count": part.total, "skip": at.skip}
    if part.is_cut:
        counts["next_skip"] = at.skip + len(part.rows)
    return counts

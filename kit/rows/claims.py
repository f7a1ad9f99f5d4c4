"""Claims of rows: a lease says until when the holder counts as alive, and a fence makes a late one harmless."""

from __future__ import annotations

from typing import Any, TypeVar

from django.db import models
from django.utils import timezone

AnyRow = TypeVar("AnyRow", bound=models.Model)


def take_over(rows: models.QuerySet[Any, AnyRow], row_id: str) -> AnyRow | None:
    """The row with a fence of our own; None when its holder has renewed the lease, or ended, in the meantime.

    `rows` are those that somebody holds. The lease is compared by the UPDATE itself, so that a holder that is late but
    alive keeps its work.
    """
    row: Any = rows.filter(pk=row_id).first()
    if row is None:
        return None
    lost = rows.filter(pk=row_id, fence=row.fence, lease_until__lte=timezone.now())
    if not lost.update(fence=row.fence + 1):
        return None
    row.fence += 1
    return row  # type: ignore[no-any-return]

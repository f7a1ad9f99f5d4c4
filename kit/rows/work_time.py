"""How long claims have worked on a row, over all its tries: what attempts do not count, these seconds do."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from django.utils import timezone


class Claimed(Protocol):
    claimed_at: datetime | None
    lease_until: datetime | None

    @property
    def worked_ms(self) -> int: ...


def count_worked_ms(row: Claimed) -> int:
    """With the present claim: until now, or until the lease ended of a holder that died."""
    if row.claimed_at is None or row.lease_until is None:
        return row.worked_ms
    until = min(timezone.now(), row.lease_until)
    return row.worked_ms + max(0, round((until - row.claimed_at).total_seconds() * 1000))

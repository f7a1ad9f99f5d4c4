"""A start frees the last run's leftovers. Right only while no worker lives."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from accounts.models import MAIL_LEASE
from agent.models import CALL_LEASE, TURN_LEASE
from documents.models import (
    BULK_ITEM_LEASE,
    BULK_LEASE,
    EXTRACTION_LEASE,
    INDEXING_LEASE,
    READING_LEASE,
    UNPACKING_LEASE,
)
from kit.leases import Lease
from worker import models

_LEASES: dict[str, tuple[Lease[Any], ...]] = {
    "reading": (READING_LEASE, UNPACKING_LEASE),
    "agent": (EXTRACTION_LEASE, INDEXING_LEASE, BULK_LEASE, BULK_ITEM_LEASE, TURN_LEASE, CALL_LEASE, MAIL_LEASE),
}


def void_leases() -> int:
    """Ends every lease now, so that the sweeps take the rows back at once; returns how many there were."""
    now = timezone.now()
    models.ProcessLease.objects.filter(lease_until__gt=now).update(lease_until=now)
    return sum(void_leases_of(queue) for queue in _LEASES)


def void_leases_of(queue: str) -> int:
    """Free what workers on one queue hold. Right only while none of them lives."""
    return sum(lease.void_all() for lease in _LEASES[queue])

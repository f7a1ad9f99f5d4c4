"""What a start makes of the last run's leftovers. Right only while no worker lives."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from agent.models import ToolCall, Turn
from documents.models import Extraction, Reading
from worker.models import Lease

_LEASED: dict[str, tuple[type[models.Model], ...]] = {"reading": (Reading,), "agent": (Extraction, Turn, ToolCall)}


def void_leases() -> int:
    """Ends every lease now, so that the sweeps take the rows back at once; returns how many there were."""
    now = timezone.now()
    Lease.objects.filter(until__gt=now).update(until=now)
    return sum(void_leases_of(queue) for queue in _LEASED)


def void_leases_of(queue: str) -> int:
    """The same for what workers on one queue hold. Right only while none of them lives."""
    now = timezone.now()
    held = (
        model._base_manager.filter(status__in=("reading", "running", "executing"), lease_until__gt=now)
        for model in _LEASED[queue]
    )
    return sum(rows.update(lease_until=now) for rows in held)

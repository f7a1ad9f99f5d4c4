"""What a start makes of the last run's leftovers. Right only while no worker lives."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from agent.models import ToolCall, Turn
from documents.models import Extraction, Reading
from worker.models import Lease

_LEASED: tuple[type[models.Model], ...] = (Reading, Extraction, Turn, ToolCall)


def void_leases() -> int:
    """Ends every lease now, so that the sweeps take the rows back at once; returns how many there were."""
    now = timezone.now()
    Lease.objects.filter(until__gt=now).update(until=now)
    return sum(model._base_manager.filter(lease_until__gt=now).update(lease_until=now) for model in _LEASED)

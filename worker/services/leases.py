"""Leases by name, for a part that one process plays at a time. Those of rows of work: kit.leases."""

from __future__ import annotations

import os
import socket
from datetime import timedelta

from django.db.models import F, Q
from django.utils import timezone

from worker.models import ProcessLease


def this_process() -> str:
    """Name this process for its leases: host and pid."""
    return f"{socket.gethostname()}:{os.getpid()}"


def acquire(name: str, *, holder: str, seconds: float) -> bool:
    """Takes or keeps the lease. False while somebody else holds it."""
    now = timezone.now()
    until = now + timedelta(seconds=seconds)
    _, is_new = ProcessLease.objects.get_or_create(name=name, defaults={"holder": holder, "lease_until": until})
    if is_new or ProcessLease.objects.filter(name=name, holder=holder, lease_until__gt=now).update(lease_until=until):
        return True
    free = ProcessLease.objects.filter(Q(lease_until__lte=now), name=name)
    return bool(free.update(holder=holder, lease_until=until, fence=F("fence") + 1))


def release(name: str, *, holder: str) -> None:
    """So that the next one need not wait for the end of the lease."""
    ProcessLease.objects.filter(name=name, holder=holder).update(lease_until=timezone.now())

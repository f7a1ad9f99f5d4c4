"""Leases by name, for a part that one process plays at a time. Those of rows of work: kit.leases."""

from __future__ import annotations

import os
import socket
from datetime import timedelta

from django.db.models import F, Q
from django.utils import timezone

from worker.models import Lease


def this_process() -> str:
    """How this process signs leases: host and pid."""
    return f"{socket.gethostname()}:{os.getpid()}"


def acquire(name: str, *, holder: str, seconds: float) -> bool:
    """Takes or keeps the lease. False while somebody else holds it."""
    now = timezone.now()
    until = now + timedelta(seconds=seconds)
    _, is_new = Lease.objects.get_or_create(name=name, defaults={"holder": holder, "until": until})
    if is_new or Lease.objects.filter(name=name, holder=holder, until__gt=now).update(until=until):
        return True
    free = Lease.objects.filter(Q(until__lte=now), name=name)
    return bool(free.update(holder=holder, until=until, fence=F("fence") + 1))


def release(name: str, *, holder: str) -> None:
    """So that the next one need not wait for the end of the lease."""
    Lease.objects.filter(name=name, holder=holder).update(until=timezone.now())

"""The lease of a turn: the row is locked by whoever drives it, and a driver that lost it writes nothing."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from agent.models import Turn

LEASE = timedelta(seconds=60)


class Lost(Exception):
    """The turn is another's by now: what was done in this transaction rolls back."""


def hold(turn: Turn) -> None:
    """Locks the turn's row for this transaction, or raises Lost. Reads the wish to cancel under the lock."""
    held = Turn.objects.filter(pk=turn.pk, status=Turn.Status.RUNNING, fence=turn.fence)
    if not held.update(lease_until=timezone.now() + LEASE):
        raise Lost
    turn.cancel_requested_at = Turn.objects.values_list("cancel_requested_at", flat=True).get(pk=turn.pk)

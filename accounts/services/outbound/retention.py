"""Requests to the outside are listed for a time and up to a number."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.utils import timezone

from accounts.models import OutboundRequest

MAX_KEPT, ROWS_AT_ONCE, SLICES_A_RUN = 200_000, 5_000, 20


def delete_old(*, keep: int = MAX_KEPT) -> int:
    """Delete rows older than OUTBOUND_LOG_DAYS and all but the newest `keep`. Returns their number."""
    limit = timezone.now() - timedelta(days=settings.OUTBOUND_LOG_DAYS)
    times = OutboundRequest.objects.order_by("-created_at").values_list("created_at", flat=True)
    limit = max([limit, *times[keep : keep + 1]])
    old = OutboundRequest.objects.filter(created_at__lte=limit).order_by("created_at").values_list("pk", flat=True)
    deleted = 0
    for _ in range(SLICES_A_RUN):
        keys = list(old[:ROWS_AT_ONCE])
        if not keys:
            break
        OutboundRequest.objects.filter(pk__in=keys).delete()
        deleted += len(keys)
    return deleted

"""The feed of threads in which nothing goes on: pages replay it after a reconnect, and need no more than its end."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.db.models import Exists, F, OuterRef
from django.utils import timezone

from agent.models import Event, Turn
from documents.retention.purging import delete_some

SLICES_A_RUN = 20


def delete_old() -> int:
    """Events older than EVENT_DAYS; how many.

    The newest of a thread stays: a page that slept through all of them sees by its number that it has to fetch anew.
    What a conversation shows, streams and the log of an automatic setup are read from messages and calls.
    """
    limit = timezone.now() - timedelta(days=settings.EVENT_DAYS)
    live = Turn.objects.filter(thread=OuterRef("thread"), status__in=Turn.LIVE)
    old = Event.objects.filter(~Exists(live), created_at__lt=limit, seq__lt=F("thread__last_seq"))
    deleted = 0
    for _ in range(SLICES_A_RUN):
        count = delete_some(old)
        deleted += count
        if not count:
            break
    return deleted

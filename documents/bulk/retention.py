"""Bulk actions that ended long ago are deleted: what they did is in the audit log. Files of results go before."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.utils import timezone

from documents.models import BulkAction, BulkItem, ResultFile
from documents.retention.result_files import delete_expired, delete_files

ITEMS_AT_ONCE = 5_000
ACTIONS_AT_ONCE = 20


def delete_old() -> int:
    """Those that ended EVENT_DAYS ago, in parts; answers how many. For the scheduler."""
    limit = timezone.now() - timedelta(days=settings.EVENT_DAYS)
    old = list(BulkAction.objects.filter(finished_at__lt=limit).order_by("finished_at")[:ACTIONS_AT_ONCE])
    delete_expired()
    delete_files(ResultFile.objects.filter(action__in=old))
    for action in old:
        while keys := list(BulkItem.objects.filter(action=action).values_list("pk", flat=True)[:ITEMS_AT_ONCE]):
            BulkItem.objects.filter(pk__in=keys).delete()
        action.delete()
    return len(old)

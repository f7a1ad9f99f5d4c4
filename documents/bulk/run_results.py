"""Items that began a run of a prompt: they end when it ends."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Q, QuerySet

from documents.models import BULK_LEASE, BulkAction, BulkItem, Extraction

Run = Extraction.Status
_ENDS = {
    Run.COMPLETED: BulkItem.Status.DONE,
    Run.FAILED: BulkItem.Status.FAILED,
    Run.WITHDRAWN: BulkItem.Status.LEFT_OUT,
}


def count_started(action: BulkAction) -> int:
    return _list_started(action).count()


def settle_runs(action: BulkAction) -> None:
    """Those whose run has ended. Raises LeaseLost."""
    ended = _list_started(action).filter(Q(extraction=None) | Q(extraction__status__in=_ENDS))
    items = list(ended.select_related("extraction"))
    if not items:
        return
    with transaction.atomic():
        BULK_LEASE.lock(action)
        for item in items:
            _settle(item)


def find_waiting_reason(action: BulkAction) -> str:
    """Why its runs wait, where they wait for money."""
    waiting = _list_started(action).filter(extraction__waits_for_budget=True)
    return waiting.values_list("extraction__reason", flat=True).first() or ""


def _settle(item: BulkItem) -> None:
    run = item.extraction
    item.status = _ENDS[Run(run.status)] if run else BulkItem.Status.LEFT_OUT
    item.reason = run.reason if run and run.status != Run.COMPLETED else "" if run else "Its run was deleted."
    item.code = "" if item.status == BulkItem.Status.DONE else "run_failed" if run else "run_deleted"
    item.save(update_fields=["status", "reason", "code"])


def _list_started(action: BulkAction) -> QuerySet[BulkItem, BulkItem]:
    return BulkItem.objects.filter(action=action, status=BulkItem.Status.STARTED)

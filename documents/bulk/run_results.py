"""Items that began runs of prompts: they end when the last of these ends."""

from __future__ import annotations

from collections.abc import Collection

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Prefetch, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from documents.bulk.kinds import get_kind
from documents.models import BULK_LEASE, BulkAction, BulkItem, Extraction, Usage

Run = Extraction.Status
UNDER_WAY = (Run.QUEUED, Run.RUNNING)
# Of several runs the first of these that one ended with.
_ENDS = {
    Run.FAILED: BulkItem.Status.FAILED,
    Run.WITHDRAWN: BulkItem.Status.LEFT_OUT,
    Run.COMPLETED: BulkItem.Status.DONE,
}


def count_started(action: BulkAction) -> int:
    return list_started(action).count()


def list_started(action: BulkAction) -> QuerySet[BulkItem, BulkItem]:
    return BulkItem.objects.filter(action=action, status=BulkItem.Status.STARTED)


def sum_cost_micros(actions: Collection[BulkAction]) -> dict[str, int]:
    """By the key of an action what the runs that it began have cost so far, whatever became of them."""
    actions = [action for action in actions if get_kind(action.kind).runs]
    if not actions:
        return {}
    own = Q(bulk_items__action__requested_by=F("requested_by"), bulk_items__action__created_at__lte=F("created_at"))
    of_run = Usage.objects.filter(subject_id=OuterRef("pk")).order_by().values("subject_id")
    cost = Subquery(of_run.annotate(cost=Sum("cost_micros")).values("cost"))
    runs = Extraction.objects.filter(own, bulk_items__action__in=actions).annotate(cost=cost).order_by()
    return dict(runs.values_list("bulk_items__action").annotate(total=Coalesce(Sum("cost"), 0)))


def settle_runs(action: BulkAction) -> None:
    """Those whose runs have ended. Raises LeaseLost."""
    items = _list_ended(action)
    if not items:
        return
    with transaction.atomic():
        BULK_LEASE.lock(action)
        for item in items:
            _settle(item)


def settle_ended(action: BulkAction) -> None:
    """The same for an action that nobody works on any more."""
    for item in _list_ended(action):
        _settle(item)


def find_waiting_reason(action: BulkAction) -> str:
    """Why its runs wait, where they wait for money."""
    waiting = Extraction.objects.filter(bulk_items__in=list_started(action), waits_for_budget=True)
    return waiting.values_list("reason", flat=True).first() or ""


def _list_ended(action: BulkAction) -> list[BulkItem]:
    under_way = Extraction.objects.filter(bulk_items=OuterRef("pk"), status__in=UNDER_WAY)
    runs = Extraction.objects.order_by("number").only("status", "reason", "number")
    return list(list_started(action).filter(~Exists(under_way)).prefetch_related(Prefetch("runs", runs)))


def _settle(item: BulkItem) -> None:
    """One of whose runs are all gone by now is left out."""
    ended = {run.status: run for run in reversed(item.runs.all())}
    run = next((ended[status] for status in _ENDS if status in ended), None)
    item.status = _ENDS[Run(run.status)] if run else BulkItem.Status.LEFT_OUT
    item.reason = run.reason if run and run.status != Run.COMPLETED else item.reason if run else "Its run was deleted."
    item.code = "" if item.status == BulkItem.Status.DONE else "run_failed" if run else "run_deleted"
    item.save(update_fields=["status", "reason", "code"])

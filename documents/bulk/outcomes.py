"""How a bulk action ends: at its last item, stopped by a person, or because it cannot go on."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from django.db import transaction
from django.db.models import Prefetch
from django.utils import timezone

from accounts.actor import Actor
from accounts.services import audit
from documents import extractions
from documents.bulk import progress, run_results
from documents.bulk.kinds import get_kind
from documents.bulk.own_runs import list_own_runs
from documents.bulk.requesting import require_own
from documents.models import BULK_LEASE, BulkAction, BulkItem, Extraction
from kit import jobs
from kit.errors import Conflict
from kit.jobs import Job
from kit.rows.state import move

Status = BulkAction.Status
STOPPED = "The bulk action was stopped before it came to this document."
NOT_RUN = "The bulk action was stopped before its run began."
GOES_ON = "Its run had begun when the bulk action ended, and goes on."


@transaction.atomic
def finish(action: BulkAction) -> None:
    """Nothing is left to do. Raises LeaseLost."""
    columns = progress.count_items(action).columns
    BULK_LEASE.finish(action, Status.DONE, finished_at=timezone.now(), reason="", **columns)
    _announce_end(action)


@transaction.atomic
def fail(action: BulkAction, reason: str, code: str) -> None:
    """What was done stays; the rest is left out for this reason. Raises LeaseLost."""
    BULK_LEASE.lock(action)
    _settle_rest(action, reason, code or "action_failed")
    columns = progress.count_items(action).columns
    BULK_LEASE.finish(action, Status.FAILED, finished_at=timezone.now(), reason=reason, **columns)
    _announce_end(action)


@transaction.atomic
def stop(actor: Actor, *, action: BulkAction) -> BulkAction:
    """What was done stays; the rest is left out. Raises Denied, or Conflict once it has ended.

    A worker that is in the middle of an item either has committed it, or finds its fence gone and rolls back.
    """
    require_own(actor, action)
    try:
        move(
            action,
            Status.STOPPED,
            transitions=BulkAction.TRANSITIONS,
            finished_at=timezone.now(),
            lease_until=None,
            reason=f"Stopped by {actor.shown_name}.",
        )
    except Conflict:
        raise Conflict("This bulk action has ended already.", code="ended") from None
    if not get_kind(action.kind).is_shared:
        _cancel_runs(action)
        run_results.settle_ended(action)
    _settle_rest(action, STOPPED, "stopped")
    for name, value in progress.count_items(action).columns.items():
        setattr(action, name, value)
    action.save(update_fields=["done_count", "left_out_count", "failed_count"])
    audit.record(actor, "stopped", action, kind=action.kind)
    _announce_end(action)
    return action


def _announce_end(action: BulkAction) -> None:
    """To open pages, and to whoever waits for it."""
    progress.publish_progress(action)
    jobs.enqueue(Job.TELL_JOB_END, action.pk)


def dismiss(actor: Actor, *, action: BulkAction) -> None:
    """Whoever asked has seen its end."""
    require_own(actor, action)
    ended = BulkAction.objects.filter(pk=action.pk).exclude(status__in=BulkAction.UNDER_WAY)
    if ended.update(dismissed_at=timezone.now()):
        progress.publish_progress(action)


def _cancel_runs(action: BulkAction) -> None:
    """Those that wait and that the action began.

    One that the model works on is paid already: it goes on, and counts as done.
    """
    items: dict[int, BulkItem] = {}
    queued = list_own_runs(action).filter(status=Extraction.Status.QUEUED)
    for item in run_results.list_started(action).prefetch_related(Prefetch("runs", queued)):
        for run in item.runs.all():
            with suppress(Conflict):
                extractions.cancel_run(run, reason=STOPPED)
                items[item.pk] = item
    _settle_cancelled(items.values())


def _settle_cancelled(items: Iterable[BulkItem]) -> None:
    """Those without a run that goes on or has failed. A tag that was set stays, and can be undone."""
    ended = (Extraction.Status.COMPLETED, Extraction.Status.WITHDRAWN)
    for item in items:
        if Extraction.objects.filter(bulk_items=item).exclude(status__in=ended).exists():
            continue
        is_changed = item.undo is not None
        item.status = BulkItem.Status.DONE if is_changed else BulkItem.Status.PENDING
        item.reason = NOT_RUN if is_changed else ""
        item.save(update_fields=["status", "reason"])


def _settle_rest(action: BulkAction, reason: str, code: str) -> None:
    items = BulkItem.objects.filter(action=action)
    unfinished = [BulkItem.Status.PENDING]
    if get_kind(action.kind).is_shared:
        unfinished.append(BulkItem.Status.STARTED)
    else:
        items.filter(status=BulkItem.Status.STARTED).update(status=BulkItem.Status.DONE, reason=GOES_ON)
    rest = items.filter(status__in=unfinished)
    rest.update(status=BulkItem.Status.LEFT_OUT, reason=reason, code=code, undo=None, lease_until=None)

"""What a worker does of a bulk action: item by item, each in a transaction of its own that also moves the item.

A worker that is killed has committed an item with its effect, or neither: nothing is lost, and nothing is done twice.
Who asked is looked up anew for each item, with today's role.
"""

from __future__ import annotations

import logging
import time
from contextlib import suppress
from datetime import timedelta

from django.db import InterfaceError, OperationalError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from documents.bulk import outcomes, progress, result_files
from documents.bulk.kinds import ActionOver, get_kind
from documents.bulk.kinds.base import Change
from documents.bulk.requesters import enter_as_requester
from documents.bulk.run_results import count_started, find_waiting_reason, settle_runs
from documents.models import BULK_LEASE, BulkAction, BulkItem
from kit import events, jobs, stopping
from kit.errors import AppError
from kit.jobs import Job
from kit.leases import LeaseLost
from kit.rows.fairness import under_way
from kit.rows.locks import is_lock_failure
from kit.rows.row_guard import RowGuard, is_limit_failure

log = logging.getLogger(__name__)
SLICE_SECONDS = 3.0
PROGRESS_SECONDS = 1.0
# After each item as long as it took, but no longer: SQLite has one writer at a time, and others want to write as well.
LONGEST_REST_SECONDS = 0.05
ITEMS_AT_ONCE = 50
# Of one action: what somebody runs by hand meanwhile does not wait behind thousands.
MAX_RUNS_AT_ONCE = 16
# Of one action whose items several workers do.
MAX_ANSWERED_AT_ONCE = 4
LOOK_AGAIN = timedelta(seconds=1)
MAX_PER_SWEEP = 100
MAX_ATTEMPTS = 5
GIVEN_UP = f"The worker stopped {MAX_ATTEMPTS} times while it worked on this. Try again with fewer documents."
BROKEN = "An error in DocRouter kept this document from being changed. The log of the server says more."
_lost_actions = RowGuard("lost bulk action")


def list_runnable() -> QuerySet[BulkAction, BulkAction]:
    """One action of an organization is worked on at a time, a slice each in turn.

    Beside it a file may be written: that takes minutes, changes no document, and none of the others waits for it.
    """
    is_file = Q(kind=BulkAction.Kind.DOWNLOAD)
    working = BULK_LEASE.list_working()
    busy = under_way(working.exclude(is_file), "organization")
    writing = under_way(working.filter(is_file), "organization")
    due = Q(lease_until=None) | Q(lease_until__lt=timezone.now())
    queued = BulkAction.objects.filter(due, status=BulkAction.Status.QUEUED)
    free = (is_file & Q(writing=0)) | (~is_file & Q(busy=0))
    return queued.annotate(busy=busy, writing=writing).filter(free).order_by("queued_at", "pk")


def run_next(*, holder: str) -> bool:
    """Works on the next action for a slice of time. False when there was nothing to do."""
    action = _claim()
    if action is None:
        return False
    log.info("%s works on bulk action %s", holder, action.pk)
    try:
        _Slice(action).work()
    except LeaseLost:
        log.info("bulk action %s was stopped or taken over; this pass is dropped", action.pk)
    return True


def look_at(action_id: str) -> None:
    """At one that this process waits for, as soon as nobody else does."""
    action = BulkAction.objects.select_related("organization", "requested_by").get(pk=action_id)
    if action.status == BulkAction.Status.QUEUED and BULK_LEASE.claim(
        action, started_at=action.started_at or timezone.now()
    ):
        with suppress(LeaseLost):
            _Slice(action).work()


def requeue_lost_actions() -> int:
    """Puts actions back whose worker died, and wakes workers for those that wait. For the scheduler."""
    number = _lost_actions.run_each(BULK_LEASE.list_lost(), _requeue_lost_action, maximum=MAX_PER_SWEEP)
    jobs.wake(Job.RUN_BULK_ACTION, list_runnable().values_list("pk", flat=True)[:MAX_PER_SWEEP])
    return number


def _requeue_lost_action(action_id: str) -> None:
    action = BULK_LEASE.take_over(action_id)
    if action is None:
        return
    with suppress(LeaseLost):
        if action.attempt + 1 >= MAX_ATTEMPTS:
            outcomes.fail(action, GIVEN_UP, "worker_died")
        else:
            BULK_LEASE.release(action, attempt=action.attempt + 1)


def _claim() -> BulkAction | None:
    for action in list_runnable().select_related("organization", "requested_by")[:5]:
        if BULK_LEASE.claim(action, started_at=action.started_at or timezone.now()):
            return action
    return None


class _Slice:
    def __init__(self, action: BulkAction) -> None:
        self.action, self.kind = action, get_kind(action.kind)
        self.ends_at = time.monotonic() + SLICE_SECONDS
        self.progress_at = time.monotonic() + PROGRESS_SECONDS

    def work(self) -> None:
        """Until the time is over or nothing can be begun. Raises LeaseLost."""
        if self.kind.is_shared:
            return self._wake_sharers()
        if self.kind.is_whole:
            return result_files.write_file(self.action)
        while time.monotonic() < self.ends_at and not stopping.is_set():
            settle_runs(self.action)
            items = self._list_next()
            if not items:
                return self._end_or_wait()
            for item in items:
                if time.monotonic() >= self.ends_at or stopping.is_set():
                    break
                if not self._process(item):
                    return None
        return self._release()

    def _wake_sharers(self) -> None:
        left = BulkItem.objects.filter(action=self.action, status__in=BulkItem.UNFINISHED)
        if not left.exists():
            return outcomes.finish(self.action)
        waiting = left.filter(status=BulkItem.Status.PENDING).count()
        jobs.wake(Job.ANSWER_ITEMS, [self.action.pk] * min(waiting, MAX_ANSWERED_AT_ONCE))
        return self._release(wait=LOOK_AGAIN)

    def _list_next(self) -> list[BulkItem]:
        """Less where runs that began before are still under way."""
        room = min(ITEMS_AT_ONCE, MAX_RUNS_AT_ONCE - count_started(self.action)) if self.kind.runs else ITEMS_AT_ONCE
        if room <= 0:
            return []
        pending = BulkItem.objects.filter(action=self.action, status=BulkItem.Status.PENDING)
        return list(pending.order_by("pk")[:room])

    def _end_or_wait(self) -> None:
        if count_started(self.action):
            self._release(wait=LOOK_AGAIN)
        elif BulkItem.objects.filter(action=self.action, status=BulkItem.Status.PENDING).exists():
            self._release()
        else:
            outcomes.finish(self.action)

    def _release(self, *, wait: timedelta | None = None) -> None:
        now = timezone.now()
        columns = progress.count_items(self.action).columns
        reason = find_waiting_reason(self.action) if wait else ""
        with transaction.atomic():
            BULK_LEASE.release(
                self.action,
                attempt=0,
                queued_at=now,
                lease_until=now + wait if wait else None,
                reason=reason,
                **columns,
            )
            progress.publish_progress(self.action)
        if wait:
            jobs.send(Job.RUN_BULK_ACTION, self.action.pk, countdown=wait.total_seconds() + 0.1)

    def _process(self, item: BulkItem) -> bool:
        """False when the action has ended with it."""
        began = time.monotonic()
        try:
            self._apply(item)
        except ActionOver as error:
            outcomes.fail(self.action, error.sentence, error.code)
            return False
        except AppError as error:
            self._settle(item, BulkItem.Status.LEFT_OUT, error.sentence, error.code or type(error).__name__.lower())
        except (OperationalError, InterfaceError) as error:
            if is_limit_failure(error):
                log.exception("item %s of bulk action %s is too large for the database", item.pk, self.action.pk)
                self._settle(item, BulkItem.Status.FAILED, BROKEN, "error")
            elif not is_lock_failure(error):
                raise
            else:
                log.info("item %s of bulk action %s met a lock and is tried again", item.pk, self.action.pk)
        except LeaseLost:
            raise
        except Exception:  # The edge of one item: the others go on.
            log.exception("item %s of bulk action %s failed", item.pk, self.action.pk)
            self._settle(item, BulkItem.Status.FAILED, BROKEN, "error")
        self._note_progress()
        stopping.wait(min(time.monotonic() - began, LONGEST_REST_SECONDS))
        return True

    def _apply(self, item: BulkItem) -> None:
        with events.mute(events.organization_group(self.action.organization_id)), transaction.atomic():
            BULK_LEASE.lock(self.action)
            actor = enter_as_requester(self.action, self.kind.role)
            current = BulkItem.objects.select_related("document").filter(pk=item.pk).first()
            if current is not None:
                current.action = self.action
                _save_change(current, self.kind.apply(actor, current, self.action.arguments))

    def _settle(self, item: BulkItem, status: str, reason: str, code: str) -> None:
        with transaction.atomic():
            BULK_LEASE.lock(self.action)
            BulkItem.objects.filter(pk=item.pk).update(status=status, reason=reason, code=code[:40], undo=None)

    def _note_progress(self) -> None:
        if time.monotonic() < self.progress_at:
            return
        self.progress_at = time.monotonic() + PROGRESS_SECONDS
        with transaction.atomic():
            BULK_LEASE.lock(self.action, attempt=0, **progress.count_items(self.action).columns)
            progress.publish_progress(self.action)


def _save_change(item: BulkItem, change: Change) -> None:
    item.status = BulkItem.Status.STARTED if change.runs else BulkItem.Status.DONE
    item.undo, item.reason = change.undo, change.note
    item.save(update_fields=["status", "undo", "reason"])
    item.runs.add(*change.runs)

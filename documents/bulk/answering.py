"""Documents that are asked a question, each by the worker that has claimed its item.

The model is asked outside of any transaction. What it said is kept in a row of its own before the item ends: a worker
that is killed in between has the next one find that row, and nothing is paid twice.
"""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta

from django.db import DatabaseError, InterfaceError, OperationalError
from django.db.models import Q
from django.utils import timezone

from accounts.actor import Actor
from documents.bulk.kinds import ActionOver, LeftOut, get_kind
from documents.bulk.requesters import enter_as_requester
from documents.bulk.surveys import IN_PART, SurveyTerms
from documents.bulk.working import BROKEN, MAX_ANSWERED_AT_ONCE
from documents.find.research.asking import Reader
from documents.find.research.condensing import Condensed, condense_all, describe_part, keep
from documents.find.research.surveying import GONE, explain_unread, load_readings
from documents.models import BULK_ITEM_LEASE, BulkAction, BulkItem, Reading
from kit import stopping
from kit.cleanup import on_failure
from kit.errors import AppError, OutOfBudget
from kit.leases import LeaseLost
from kit.rows.row_guard import RowGuard
from llm.client import Cancelled, ModelFailed

log = logging.getLogger(__name__)
Status = BulkItem.Status
MAX_ACTIONS, MAX_PER_SWEEP = 20, 100
# A provider that takes no more calls, or is down, is asked so often, and workers may die over one item so often.
RATE_TRIES, MAX_TRIES, MAX_ATTEMPTS = 4, 2, 5
# A longer wait is the item's and no worker's.
MAX_WAIT_SECONDS = 2.0
FIRST_REST_SECONDS, LONGEST_REST_SECONDS = 5.0, 60.0
GIVEN_UP = f"The worker stopped {MAX_ATTEMPTS} times while it read this document."
_lost_items = RowGuard("lost item of a question")


def answer_next(*, action: BulkAction | None = None, cancelled: Callable[[], bool] = bool) -> bool:
    """The next document that is due, of this action or of any. False when there is none.

    Once `cancelled` the item is put back for others.
    """
    item = _claim_next(action)
    if item is None:
        return False
    try:
        with on_failure(lambda: _release(item), but=LeaseLost):
            _Answering(item, cancelled).run()
    except LeaseLost:
        log.info("item %s of bulk action %s was stopped or taken over", item.pk, item.action_id)
    return True


def requeue_lost_items() -> int:
    """Those whose worker died. For the scheduler."""
    return _lost_items.run_each(BULK_ITEM_LEASE.list_lost(), _requeue_lost_item, maximum=MAX_PER_SWEEP)


def _requeue_lost_item(item_id: str) -> None:
    item = BULK_ITEM_LEASE.take_over(item_id)
    if item is not None:
        with suppress(LeaseLost):
            _put_back(item)


def _put_back(item: BulkItem) -> None:
    if item.attempt >= MAX_ATTEMPTS:
        BULK_ITEM_LEASE.finish(item, Status.FAILED, reason=GIVEN_UP, code="worker_died")
    else:
        BULK_ITEM_LEASE.release(item)


def _claim_next(action: BulkAction | None) -> BulkItem | None:
    """Of the action with the fewest under way, the oldest first among equals."""
    actions = BulkAction.objects.filter(
        kind=BulkAction.Kind.ASK, status__in=BulkAction.UNDER_WAY, organization__agent_stopped=False
    )
    if action is not None:
        actions = actions.filter(pk=action.pk)
    under_way = list(actions.order_by("created_at", "pk")[:MAX_ACTIONS])
    started = _count_started(under_way)
    for each in sorted(under_way, key=lambda action: started[action.pk]):
        if started[each.pk] < MAX_ANSWERED_AT_ONCE and (item := _claim(each)):
            return item
    return None


def _count_started(actions: Sequence[BulkAction]) -> Counter[str]:
    rows = BulkItem.objects.filter(action__in=actions, status=Status.STARTED)
    return Counter(rows.values_list("action", flat=True))


def _claim(action: BulkAction) -> BulkItem | None:
    due = Q(lease_until=None) | Q(lease_until__lt=timezone.now())
    pending = BulkItem.objects.filter(due, action=action, status=Status.PENDING)
    rows = pending.select_related("action__organization", "action__requested_by").order_by("pk")
    return next((row for row in rows[:MAX_ANSWERED_AT_ONCE] if _take(row)), None)


def _take(item: BulkItem) -> bool:
    return BULK_ITEM_LEASE.claim(item, attempt=item.attempt + 1)


def _release(item: BulkItem) -> None:
    """It broke off: the next worker may try."""
    with suppress(LeaseLost, DatabaseError):
        _put_back(item)


def _count_tries(error: ModelFailed) -> int:
    return RATE_TRIES if error.code == "rate" else MAX_TRIES


@dataclass
class _Answering:
    item: BulkItem
    cancelled: Callable[[], bool]

    def run(self) -> None:
        """Raises LeaseLost."""
        try:
            actor = enter_as_requester(self.item.action, get_kind(self.item.action.kind).role)
            self._settle(self._ask(actor, self._find_reading(actor)))
        except Cancelled:
            BULK_ITEM_LEASE.release(self.item, attempt=self.item.attempt - 1)
        except ActionOver as error:
            self._end_action(error)
        except LeftOut as error:
            self._leave_out(error)
        except (LeaseLost, OperationalError, InterfaceError):
            raise
        except Exception:  # The edge of one item: the others go on.
            log.exception("item %s of bulk action %s failed", self.item.pk, self.item.action_id)
            BULK_ITEM_LEASE.finish(self.item, Status.FAILED, reason=BROKEN, code="error")

    def _find_reading(self, actor: Actor) -> Reading:
        readings = load_readings(actor, [self.item.document_id])
        if self.item.document_id not in readings:
            why = explain_unread(actor, self.item.document_id)
            raise LeftOut(why, code="in_trash" if why == GONE else "not_read")
        return readings[self.item.document_id]

    def _ask(self, actor: Actor, reading: Reading) -> Condensed:
        """Kept in a row, unless it failed."""
        terms = SurveyTerms.read(self.item.action)
        until = time.monotonic() + terms.seconds
        account = terms.make_account(actor)
        reader = Reader(terms.model, account, until, lambda: not self._may_go_on(), MAX_WAIT_SECONDS)
        [condensed] = condense_all(actor, [reading], terms.question, reader=reader)
        if condensed.error or condensed.row_id:
            return condensed
        return keep(reading, terms.question, terms.model, condensed.text, condensed.pages)

    def _may_go_on(self) -> bool:
        """Keeps the claim; False once the process ends, or the item is no longer ours."""
        if stopping.is_set() or self.cancelled():
            return False
        until = self.item.lease_until
        if until and until - timezone.now() < BULK_ITEM_LEASE.duration / 2:
            return BULK_ITEM_LEASE.renew(self.item)
        return BULK_ITEM_LEASE.fetch_ours(self.item) is not None

    def _settle(self, condensed: Condensed) -> None:
        error = condensed.error
        if error is None:
            part = describe_part(condensed)
            code = IN_PART if part else ""
            BULK_ITEM_LEASE.finish(self.item, Status.DONE, condensed_id=condensed.row_id, reason=part, code=code)
        elif isinstance(error, OutOfBudget):
            self._end_action(ActionOver(error.sentence, code="budget"))
        elif isinstance(error, ModelFailed) and error.code == "busy":
            self._rest(FIRST_REST_SECONDS, attempt=self.item.attempt - 1)
        elif isinstance(error, ModelFailed) and error.retryable and self.item.attempt < _count_tries(error):
            doubled = FIRST_REST_SECONDS * 2 ** (self.item.attempt - 1)
            self._rest(doubled if error.retry_after is None else error.retry_after)
        else:
            BULK_ITEM_LEASE.finish(self.item, Status.FAILED, reason=error.sentence, code=(error.code or "failed")[:40])

    def _rest(self, seconds: float, **changes: object) -> None:
        rest = timedelta(seconds=min(seconds, LONGEST_REST_SECONDS))
        BULK_ITEM_LEASE.release(self.item, **{"lease_until": timezone.now() + rest, **changes})

    def _leave_out(self, error: AppError) -> None:
        code = error.code or "left_out"
        BULK_ITEM_LEASE.finish(self.item, Status.LEFT_OUT, reason=error.sentence, code=code)

    def _end_action(self, error: ActionOver) -> None:
        """Nothing further can be asked: all that wait are left out for the same reason."""
        self._leave_out(error)
        rest = BulkItem.objects.filter(action=self.item.action_id, status=Status.PENDING)
        rest.update(status=Status.LEFT_OUT, reason=error.sentence, code=error.code or "left_out")

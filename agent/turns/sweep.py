"""What the scheduler does for the agent: it finds by row state whatever lost its worker or its wake-up."""

from __future__ import annotations

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from agent.calls import decisions, execution, rounds
from agent.calls.jobs import job_ends
from agent.models import CALL_LEASE, TURN_LEASE, ToolCall, Turn
from agent.turns import turn_runner
from agent.turns.turn_queue import find_runnable_turns
from kit import jobs
from kit.jobs import Job
from kit.rows.fairness import under_way
from kit.rows.row_guard import RowGuard

MAX_PER_SWEEP = 200
CallStatus = ToolCall.Status
TurnStatus = Turn.Status
_lost_calls, _lost_turns = RowGuard("lost call"), RowGuard("lost turn")
_late_cards, _ended_jobs = RowGuard("late card"), RowGuard("ended bulk action")
_done_rounds = RowGuard("turn of a finished round")


def run_once() -> None:
    """Safe to run at any time and by several processes at once."""
    now = timezone.now()
    _lost_calls.run_each(CALL_LEASE.list_lost(), _requeue_lost_call, maximum=MAX_PER_SWEEP)
    _lost_turns.run_each(TURN_LEASE.list_lost(), _requeue_lost_turn, maximum=MAX_PER_SWEEP)
    late = ToolCall.objects.filter(status=CallStatus.PENDING, expires_at__lte=now).order_by("expires_at")
    _late_cards.run_each(late, decisions.expire, maximum=MAX_PER_SWEEP)
    _ended_jobs.run_each(job_ends.list_ended(), job_ends.record_end, maximum=MAX_PER_SWEEP)
    _done_rounds.run_each(_find_finished_rounds().order_by("created_at"), _finish_round, maximum=MAX_PER_SWEEP)
    jobs.wake(Job.RUN_TURN, find_runnable_turns().values_list("pk", flat=True)[: settings.AGENT_THREADS])
    jobs.wake(Job.EXECUTE_CALL, find_runnable_calls().values_list("pk", flat=True)[: settings.AGENT_THREADS])


def _requeue_lost_call(call_id: str) -> None:
    if call := CALL_LEASE.take_over(call_id):
        execution.release_call(call)


def _requeue_lost_turn(turn_id: str) -> None:
    if turn := TURN_LEASE.take_over(turn_id):
        turn_runner.release_turn(turn)


def find_runnable_calls() -> QuerySet[ToolCall]:
    busy = under_way(CALL_LEASE.list_working(), "thread__organization")
    approved = ToolCall.objects.filter(status=CallStatus.APPROVED, thread__organization__agent_stopped=False)
    return approved.annotate(busy=busy).order_by("busy", "created_at", "position")


def _find_finished_rounds() -> QuerySet[Turn]:
    """Turns that wait although each call of their round has ended: the wake-up between the two was lost."""
    of_round = Q(round=OuterRef("round")) | Q(planned_step__gt=0)
    is_open = ~Q(status__in=ToolCall.ENDED_OR_PLANNED) | Q(job__isnull=False)
    still_open = ToolCall.objects.filter(of_round, is_open, turn=OuterRef("pk"))
    return Turn.objects.filter(~Exists(still_open), status=TurnStatus.AWAITING_APPROVAL)


@transaction.atomic
def _finish_round(turn_id: str) -> None:
    rounds.finish_round_if_done(rounds.lock_turn(turn_id))

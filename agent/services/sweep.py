"""What the scheduler does for the agent: it finds by row state whatever lost its holder or its wake-up."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from agent.models import ToolCall, Turn
from agent.services import decisions, driving, execution, feed, rounds
from agent.services.driving import runnable_turns, under_way
from docrouter.kit import jobs
from docrouter.kit.jobs import Job
from docrouter.kit.state import move

MOST_A_SWEEP = 200
TOO_LATE = "Nobody decided in time."
CallStatus = ToolCall.Status
TurnStatus = Turn.Status


def run_once() -> None:
    """Safe to run at any time and by several processes at once."""
    now = timezone.now()
    for call in ToolCall.objects.filter(status=CallStatus.EXECUTING, lease_until__lte=now)[:MOST_A_SWEEP]:
        execution.give_back(call)
    for turn in Turn.objects.filter(status=TurnStatus.RUNNING, lease_until__lte=now)[:MOST_A_SWEEP]:
        driving.give_back(turn)
    for call in ToolCall.objects.filter(status=CallStatus.PENDING, expires_at__lte=now)[:MOST_A_SWEEP]:
        _expire(call)
    for turn in _finished_rounds()[:MOST_A_SWEEP]:
        _settle(turn)
    for turn in runnable_turns()[:MOST_A_SWEEP]:
        jobs.send(Job.DRIVE_TURN, turn.pk)
    for call in runnable_calls()[:MOST_A_SWEEP]:
        jobs.send(Job.EXECUTE_CALL, call.pk)


def runnable_calls() -> QuerySet[ToolCall]:
    busy = under_way("thread__organization", ToolCall.objects.filter(status=CallStatus.EXECUTING))
    approved = ToolCall.objects.filter(status=CallStatus.APPROVED, thread__organization__agent_stopped=False)
    return approved.annotate(busy=busy).order_by("busy", "created_at", "position")


def _finished_rounds() -> QuerySet[Turn]:
    """Turns that wait although each call of their round has ended: the wake-up between the two was lost."""
    of_round = Q(round=OuterRef("round")) | Q(planned_step__gt=0)
    still_open = ToolCall.objects.filter(of_round, turn=OuterRef("pk")).exclude(status__in=ToolCall.SETTLED)
    return Turn.objects.filter(~Exists(still_open), status=TurnStatus.AWAITING_APPROVAL)


@transaction.atomic
def _settle(turn: Turn) -> None:
    rounds.lock(turn.pk)
    rounds.settle(turn.pk)


@transaction.atomic
def _expire(call: ToolCall) -> None:
    """An expired card ends its turn: after weeks nobody waits for the model to go on. The next message tells it."""
    turn = rounds.lock(call.turn_id)
    decisions.withdraw([call], to=CallStatus.EXPIRED, why=TOO_LATE)
    feed.call_changed(call)
    if turn.status == TurnStatus.AWAITING_APPROVAL:
        others = [other for other in rounds.open_calls(turn) if other.status == CallStatus.PENDING]
        decisions.withdraw(others, to=CallStatus.EXPIRED, why=TOO_LATE)
        move(turn, TurnStatus.EXPIRED, transitions=Turn.TRANSITIONS, reason=TOO_LATE, finished_at=timezone.now())
        feed.turn_changed(turn)

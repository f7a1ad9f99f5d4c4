"""Calls that end before anybody began them: with their turn, too late, or with the step that they build on."""

from __future__ import annotations

from django.utils import timezone

from accounts.actor import Actor
from agent import feed
from agent.calls import plans
from agent.calls.call_words import UNFOUNDED, get_step
from agent.calls.chains import members
from agent.models import Decision, ToolCall, Turn
from kit.errors import Conflict
from kit.rows.state import move

Status = ToolCall.Status
_HOW = {
    Status.REJECTED: "was rejected",
    Status.EXPIRED: "nobody decided in time",
    Status.DENIED: "was refused",
    Status.FAILED: "failed",
}


def withdraw(calls: list[ToolCall], *, to: str, why: str, actor: Actor | None = None) -> None:
    """Ends cards and approved calls that nobody has begun, inside the caller's transaction. Others are left alone."""
    kind = Decision.Kind.EXPIRED if to == Status.EXPIRED else Decision.Kind.CANCELLED
    for call in calls:
        try:
            move(
                call,
                to,
                transitions=ToolCall.TRANSITIONS,
                only_from=[Status.PLANNED, Status.PENDING, Status.APPROVED],
                result={"reason": why},
                finished_at=timezone.now(),
            )
        except Conflict:
            continue
        Decision.objects.get_or_create(
            call=call,
            version=call.version,
            defaults={
                "kind": kind,
                "user": actor.user if actor else None,
                "reason": why,
                "shown_hash": call.shown_hash,
                "idempotency_key": "withdrawn",
            },
        )


def withdraw_dependents(step: ToolCall) -> None:
    """What waits and builds on a call that ended without an effect ends with it, in the caller's transaction."""
    if step.planned_step:
        later = plans.find_dependents(step)
    else:
        later = [call for call in members.find_dependents(step) if call.status in (Status.PENDING, Status.APPROVED)]
    how = _HOW.get(Status(step.status), "did not run")
    withdraw(later, to=Status.SUPERSEDED, why=UNFOUNDED.format(step=get_step(step), tool=step.tool, how=how))
    for call in later:
        feed.report_call(call)


def withdraw_and_end(actor: Actor | None, turn: Turn, why: str, to: str) -> None:
    """Cancels a turn that no worker runs, inside the caller's transaction. Its pending cards become `to`."""
    pending = list(turn.calls.filter(status__in=[ToolCall.Status.PLANNED, ToolCall.Status.PENDING]))
    approved = list(turn.calls.filter(status=ToolCall.Status.APPROVED))
    withdraw(pending, to=to, why=why, actor=actor)
    withdraw(approved, to=ToolCall.Status.CANCELLED, why=why, actor=actor)
    move(
        turn,
        Turn.Status.CANCELLED,
        transitions=Turn.TRANSITIONS,
        reason=why,
        finished_at=timezone.now(),
        cancel_requested_at=timezone.now(),
        lease_until=None,
        partial_text="",
        partial_thinking="",
    )
    for call in [*pending, *approved]:
        feed.report_call(call)

"""The rows of the loop: who drives a turn, what a round leaves behind, and why a turn stands still."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q, Sum
from django.utils import timezone

from agent.models import Message, ToolCall, Turn
from agent.services import feed, messages, proposals, turns
from agent.services.acting import owner_of
from agent.services.proposals import Asked
from docrouter.kit import jobs
from docrouter.kit.errors import Conflict
from docrouter.kit.jobs import Job
from docrouter.kit.state import move
from documents.backends.llm import Cancelled, ModelAnswer
from documents.models import Usage

log = logging.getLogger(__name__)
LEASE = timedelta(seconds=60)
MOST_ATTEMPTS = 5
Status = Turn.Status
Pause = Turn.Pause
GIVEN_UP = "The worker stopped five times while it drove this turn. Nothing that ran is lost. Send the message again."
NOTHING_SAID = "The model answered with nothing. Ask again, or choose another model."


class Lost(Exception):
    """The turn is another's by now: what was done in this transaction rolls back."""


class Ended(Exception):
    """The turn was ended or paused before the model was asked."""


def claim(turn_id: str) -> Turn | None:
    """Takes the turn for this process, for one round."""
    rows = Turn.objects.select_related("thread__owner", "thread__organization", "thread__document", "started_by")
    ready = Q(not_before=None) | Q(not_before__lte=timezone.now())
    turn = rows.filter(ready, pk=turn_id, status=Status.QUEUED).first()
    if turn is None:
        return None
    try:
        move(
            turn, Status.RUNNING, transitions=Turn.TRANSITIONS, where={"fence": turn.fence}, fence=turn.fence + 1,
            attempt=turn.attempt + 1, lease_until=timezone.now() + LEASE, partial_text="", partial_thinking="",
        )  # fmt: skip
    except Conflict:
        return None
    return turn


def check_limits(turn: Turn) -> None:
    """The head of each round. Raises Cancelled, or Ended after pausing the turn."""
    if turn.cancel_requested_at:
        raise Cancelled
    if turn.thread.organization.agent_stopped:
        _halt(turn, Pause.STOPPED, "An admin has stopped the agent in this organization.")
    if turn.round >= turn.max_rounds:
        _halt(turn, Pause.MAX_ROUNDS, f"The turn paused after {turn.round} rounds. It can go on from there.")
    if turn.spent_micros >= turn.limit_micros:
        spent = f"${turn.spent_micros / 1_000_000:.2f}"
        _halt(turn, Pause.BUDGET, f"The turn paused at {spent}, its limit. It can go on from there.")
    owner_of(turn.thread)


def _halt(turn: Turn, why: Pause, sentence: str) -> None:
    pause(turn, why, sentence)
    raise Ended


@transaction.atomic
def record(turn: Turn, answer: ModelAnswer) -> None:
    """Writes what the model answered and what comes of it, in one transaction that holds the fence."""
    _hold(turn)
    if turn.cancel_requested_at:
        return _cancel(turn, answer.text)
    turn.round += 1
    message = messages.write(
        turn, role=Message.Role.ASSISTANT, blocks=_blocks(answer), model=answer.model,
        provider_extras=answer.provider_extras,
    )  # fmt: skip
    calls = _propose(turn, message, answer)
    _move(turn, *_next(answer, calls), round=turn.round)
    if turn.status == Status.QUEUED:
        jobs.enqueue(Job.DRIVE_TURN, turn.pk)
    for call in calls:
        if call.status == ToolCall.Status.APPROVED:
            jobs.enqueue(Job.EXECUTE_CALL, call.pk)
    feed.append(turn.thread_id, "message.added", message_id=message.pk, turn_id=turn.pk)
    for call in calls:
        feed.call_changed(call)
    feed.turn_changed(turn)
    return None


def _blocks(answer: ModelAnswer) -> list[dict[str, Any]]:
    text = answer.text
    if not text and not answer.tool_calls:
        text = NOTHING_SAID
    said = [("thinking", answer.thinking), ("text", text)]
    return [{"type": kind, "text": words} for kind, words in said if words]


def _propose(turn: Turn, message: Message, answer: ModelAnswer) -> list[ToolCall]:
    last = len(answer.tool_calls) - 1
    return [
        proposals.propose(
            turn, message=message, position=position,
            asked=Asked(wanted.name, wanted.arguments_text, cut_off=answer.truncated and position == last),
        )
        for position, wanted in enumerate(answer.tool_calls)
    ]  # fmt: skip


def _next(answer: ModelAnswer, calls: list[ToolCall]) -> tuple[Status, dict[str, Any]]:
    if not calls:
        cut = "The answer reached the model's length limit." if answer.truncated else ""
        return Status.COMPLETED, {"finished_at": timezone.now(), "reason": cut}
    if any(call.status not in ToolCall.TERMINAL for call in calls):
        return Status.AWAITING_APPROVAL, {}
    if any(call.result == {"error": proposals.REPEATED} for call in calls):
        why = "The agent asked for the same thing three times. It can go on from there."
        return Status.PAUSED, {"pause_reason": Pause.LOOP, "reason": why}
    return Status.QUEUED, {}


@transaction.atomic
def pause(turn: Turn, why: Pause, sentence: str) -> None:
    """Stands still until a person lets it go on."""
    _hold(turn)
    _move(turn, Status.PAUSED, {"pause_reason": why, "reason": sentence})
    feed.turn_changed(turn)


@transaction.atomic
def fail(turn: Turn, sentence: str) -> None:
    _hold(turn)
    _move(turn, Status.FAILED, {"reason": sentence, "finished_at": timezone.now()})
    feed.turn_changed(turn)


@transaction.atomic
def cancel(turn: Turn, partial_text: str) -> None:
    """Ends a turn that is being driven. What was said so far stays, marked as incomplete."""
    _hold(turn)
    _cancel(turn, partial_text)


def _cancel(turn: Turn, partial_text: str) -> None:
    if partial_text:
        messages.write(
            turn, role=Message.Role.ASSISTANT, blocks=[{"type": "text", "text": partial_text}], model=turn.model,
            complete=False,
        )  # fmt: skip
    turns.end_cancelled(turn)


@transaction.atomic
def give_back(turn: Turn, *, counts: bool = True) -> None:
    """A round that broke off: queued again, or failed after the last attempt that `counts`."""
    try:
        _hold(turn)
    except Lost:
        return
    if counts and turn.attempt >= MOST_ATTEMPTS:
        _move(turn, Status.FAILED, {"reason": GIVEN_UP, "finished_at": timezone.now()})
    else:
        attempt = turn.attempt if counts else turn.attempt - 1
        move(turn, Status.QUEUED, transitions=Turn.TRANSITIONS, lease_until=None, attempt=attempt)
        jobs.enqueue(Job.DRIVE_TURN, turn.pk)
    feed.turn_changed(turn)


def _hold(turn: Turn) -> None:
    """Locks the turn's row for this transaction, or raises Lost. Reads the wish to cancel under the lock."""
    held = Turn.objects.filter(pk=turn.pk, status=Status.RUNNING, fence=turn.fence)
    if not held.update(lease_until=timezone.now() + LEASE):
        raise Lost
    turn.cancel_requested_at = Turn.objects.values_list("cancel_requested_at", flat=True).get(pk=turn.pk)


def _move(turn: Turn, to: Status, changes: dict[str, Any], **more: Any) -> None:
    """The end of a round: the lease and the partial text go, and the next round starts with all its attempts."""
    used = Usage.objects.filter(subject_id=turn.pk).aggregate(cost=Sum("cost_micros"))["cost"] or 0
    more |= {"attempt": 0, "lease_until": None, "partial_text": "", "partial_thinking": "", "spent_micros": used}
    move(turn, to, transitions=Turn.TRANSITIONS, **changes, **more)

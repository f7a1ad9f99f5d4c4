"""A turn as clients see it: its rounds, what waits for a person, and whether it goes on by itself."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from django.db.models import Exists, OuterRef, Q

from agent.models import Message, ToolCall, Turn
from kit.errors import NotFound
from kit.rows.connections import release_connection

Status = Turn.Status
CallStatus = ToolCall.Status
RUNS = (CallStatus.APPROVED, CallStatus.EXECUTING)
FAILURES = (Turn.Pause.PROVIDER, Turn.Pause.CONTEXT, Turn.Pause.BUDGET, Turn.Pause.STOPPED)
MAX_ROUNDS_TEXT = "(Max tool rounds reached.)"
HALTED = "An admin has stopped the agent in this organization. It goes on from here when it may work again."
AWAY = "The agent is not running at the moment. Nothing is lost: what waits goes on by itself when it is back."
FIRST_LOOK_SECONDS, LONGEST_PAUSE_SECONDS, SECONDS_BETWEEN_CHECKS = 0.05, 0.5, 2.0


@dataclass(frozen=True)
class RoundView:
    """One answer of the model and the newest revision of each of its calls. `index` counts from 0.

    After a draft the model was asked to prove what it says.
    """

    index: int
    text: str
    thinking: str
    calls: list[ToolCall]
    message: Message | None = None

    @property
    def is_draft(self) -> bool:
        return self.message is not None and bool(self.message.join_text("repair"))

    @property
    def is_over(self) -> bool:
        """Planned steps have been answered to the model; they wait for the end of the plan."""
        return all(call.status in (*ToolCall.TERMINAL, CallStatus.PLANNED) for call in self.calls)


@dataclass(frozen=True)
class TurnView:
    turn: Turn
    rounds: list[RoundView] = field(default_factory=list)

    @property
    def calls(self) -> list[ToolCall]:
        return [call for each in self.rounds for call in each.calls]

    @property
    def pending(self) -> list[ToolCall]:
        return [call for call in self.calls if call.status == CallStatus.PENDING]

    @property
    def status(self) -> str:
        """As it is for whoever waits: with calls that are carried out and none to decide, it runs."""
        is_asking = self.turn.status != Status.AWAITING_APPROVAL or self.pending or self.is_halted
        return self.turn.status if is_asking else Status.RUNNING

    @property
    def is_halted(self) -> bool:
        """An admin has stopped the agent: what is queued or approved stays so until it may work again."""
        if not self.turn.thread.organization.agent_stopped:
            return False
        states = {call.status for call in self.calls}
        approved = CallStatus.APPROVED in states and CallStatus.EXECUTING not in states
        return self.turn.status == Status.QUEUED or (self.turn.status == Status.AWAITING_APPROVAL and approved)

    @property
    def stands_still(self) -> bool:
        """It has ended, or goes on only when a person does something."""
        if self.is_halted:
            return True
        if self.turn.status in (Status.QUEUED, Status.RUNNING):
            return False
        if self.turn.status == Status.AWAITING_APPROVAL:
            return bool(self.pending) and not any(call.status in RUNS or call.job_id for call in self.calls)
        return True

    @property
    def failure(self) -> str:
        """Why there is no answer, as a sentence; empty for a turn that did not fail."""
        turn = self.turn
        if self.is_halted:
            return HALTED
        failed = turn.status == Status.FAILED or (turn.status == Status.PAUSED and turn.pause_reason in FAILURES)
        if failed and turn.pause_reason == Turn.Pause.BUDGET:
            return f"Insufficient SPU credits: {turn.reason}"
        return (turn.reason or "The turn failed.") if failed else ""

    @property
    def text(self) -> str:
        """What the agent said last; while it works, of this round alone, as far as that is kept."""
        turn = self.turn
        if turn.status == Status.PAUSED and not self.failure:
            return MAX_ROUNDS_TEXT if turn.pause_reason == Turn.Pause.MAX_ROUNDS else turn.reason
        if not self.stands_still:
            return turn.partial_text
        return self.rounds[-1].text if self.rounds else ""


def read_turn(turn_id: str) -> TurnView:
    """In three queries, whatever its length. Raises NotFound for one that is gone.

    Messages are read before calls: a round is written meanwhile, and one without its calls would look like an answer.
    """
    rows = Turn.objects.select_related("thread__owner", "thread__organization", "thread__document", "started_by")
    turn = rows.filter(pk=turn_id).first()
    if turn is None:
        raise NotFound("Turn not found")
    answers = list(turn.messages.filter(role=Message.Role.ASSISTANT).order_by("number"))
    return TurnView(turn, rounds_of(answers, newest_revisions(turn.calls.all())))


def newest_revisions(calls: Iterable[ToolCall]) -> list[ToolCall]:
    """The calls that a model asked for, in order; of a card that was made anew only its last revision."""
    by_model = (call for call in calls if call.undoes_id is None)
    newest = {(call.message_id, call.position): call for call in sorted(by_model, key=lambda call: call.version)}
    return sorted(newest.values(), key=lambda call: (call.round, call.position))


def rounds_of(messages: Iterable[Message], calls: list[ToolCall]) -> list[RoundView]:
    return [
        RoundView(
            index=index,
            text=message.join_text(),
            thinking=message.join_text("thinking"),
            calls=[call for call in calls if call.message_id == message.pk],
            message=message,
        )
        for index, message in enumerate(messages)
    ]


def wait_for(turn_id: str, *, seconds: float, check: Callable[[], object] = bool) -> TurnView:
    """The turn when it stands still, or after so long. Holds no database connection meanwhile.

    The caller may go away: the turn goes on in the worker. `check` runs before the turn is read and now and then, and
    what it raises ends the waiting; a look at whether it still goes on tells the caller nothing, and needs no check.
    """
    deadline, pause = time.monotonic() + seconds, FIRST_LOOK_SECONDS
    next_check = time.monotonic() + SECONDS_BETWEEN_CHECKS
    while True:
        left = deadline - time.monotonic()
        is_over = left <= 0 or not _goes_on(turn_id)
        if is_over or time.monotonic() >= next_check:
            check()
            next_check = time.monotonic() + SECONDS_BETWEEN_CHECKS
        if is_over:
            view = read_turn(turn_id)
            if left <= 0 or view.stands_still:
                return view
        release_connection()
        time.sleep(min(pause, left))
        pause = min(pause * 1.5, LONGEST_PAUSE_SECONDS)


def _goes_on(turn_id: str) -> bool:
    """Whether a worker is to run it or one of its calls: by one statement, since this is asked again and again."""
    under_way = Q(status__in=RUNS) | Q(job__isnull=False)
    runs = ToolCall.objects.filter(under_way, turn=OuterRef("pk"), undoes=None)
    works = Q(status__in=(Status.QUEUED, Status.RUNNING)) | (Q(status=Status.AWAITING_APPROVAL) & Exists(runs))
    return Turn.objects.filter(works, pk=turn_id, thread__organization__agent_stopped=False).exists()

"""How a turn ended or why it waits, in words, and what can be done about it."""

from __future__ import annotations

from dataclasses import dataclass

from agent.models import Message, Turn
from agent.turns import turns

Pause = Turn.Pause
_WHAT_TO_DO = {
    Pause.BUDGET: "Going on gives it the same room again, within the budget of the organization.",
    Pause.MAX_ROUNDS: "Going on gives it as many rounds again.",
    Pause.TIME: "Going on gives it the same time again.",
    Pause.LOOP: "Say what you want differently, or let it go on.",
    Pause.PROVIDER: "Go on to ask again. Another model can be chosen below; it answers your next message.",
    Pause.CONTEXT: "Start a new thread, or go back to an earlier message and ask for less.",
    Pause.IN_DOUBT: "Report the outcome on the card above.",
    Pause.STOPPED: "It can go on when an admin lets the agent work again.",
}


@dataclass(frozen=True)
class TurnOutcome:
    """`sentence` is empty where the thread shows by itself how the turn ended. `tone` is wait, fail or quiet."""

    tone: str
    sentence: str
    to_do: str = ""
    resumable: bool = False


def describe_turn_outcome(turn: Turn, messages: list[Message]) -> TurnOutcome:
    """`messages` are the turn's own."""
    if turn.status == Turn.Status.PAUSED:
        return _describe_pause(turn)
    if turn.status == Turn.Status.FAILED:
        return TurnOutcome("fail", turn.reason or "The turn failed.")
    if turn.status == Turn.Status.EXPIRED:
        return TurnOutcome("quiet", turn.reason or "Nobody decided in time.")
    if turn.status == Turn.Status.CANCELLED:
        return TurnOutcome("quiet", _describe_cancellation(turn, messages))
    return TurnOutcome("quiet", turn.reason if turn.status == Turn.Status.COMPLETED else "")


def _describe_pause(turn: Turn) -> TurnOutcome:
    # Once the outcome is reported on its card, the turn goes on by itself.
    resumable = turn.pause_reason != Pause.IN_DOUBT
    to_do = _WHAT_TO_DO[Pause(turn.pause_reason)] if turn.pause_reason else ""
    return TurnOutcome("wait", turn.reason or "The turn is paused.", to_do, resumable)


def _describe_cancellation(turn: Turn, messages: list[Message]) -> str:
    if turn.reason == turns.WENT_ON:
        answered = any(message.role == Message.Role.ASSISTANT for message in messages)
        return "" if answered else "Not answered: superseded by another message."
    cut = any(not message.complete for message in messages)
    return "" if cut else "Stopped. Nothing more runs."

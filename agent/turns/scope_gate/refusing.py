"""The end of a turn that is refused: its words, and what leaves the thread with it."""

from __future__ import annotations

from django.utils import timezone

from agent import feed, focus
from agent.calls.refused.refusing import refuse_turn
from agent.conversation import messages
from agent.models import Message, ScopeCheck, Turn
from agent.scope_profiles.applied.foreign_documents import describe_left_out
from agent.scope_profiles.applied.refusal_rows import record_refusal
from agent.scope_profiles.applied.refusal_words import BY_CHECK, OPEN_PAGES
from agent.turns import turn_runner, turns


@feed.one_transaction()
def refuse_before(turn: Turn, sentence: str, check: ScopeCheck) -> None:
    """No model is asked and no tool runs. An automatic setup has failed, since nobody reads its messages."""
    turn_runner.lock_turn(turn)
    if turn.cancel_requested_at:
        return turns.end_as_cancelled(turn)
    check.save(force_insert=True)
    record_refusal(check)
    focus.drop_turns([turn.pk])
    return _end(turn, sentence, Turn.Refused.BEFORE)


@feed.one_transaction()
def refuse_after(turn: Turn) -> None:
    """Instead of the round after the one that brought something foreign."""
    turn_runner.lock_turn(turn)
    if turn.cancel_requested_at:
        return turns.end_as_cancelled(turn)
    return _end(turn, f"{describe_left_out(turn)} {OPEN_PAGES}", Turn.Refused.AFTER)


@feed.one_transaction()
def refuse_answer(turn: Turn, check: ScopeCheck) -> None:
    """Instead of an answer that says or cites something foreign."""
    turn_runner.lock_turn(turn)
    if turn.cancel_requested_at:
        return turns.end_as_cancelled(turn)
    check.save(force_insert=True)
    record_refusal(check)
    refuse_turn(turn)
    return _end(turn, f"{describe_left_out(turn)} {OPEN_PAGES}", Turn.Refused.AFTER)


def _end(turn: Turn, sentence: str, refused: Turn.Refused) -> None:
    turn.round += 1
    message = messages.write(
        turn, role=Message.Role.ASSISTANT, blocks=[{"type": "text", "text": sentence}], model=BY_CHECK
    )
    to = Turn.Status.FAILED if turn.origin == Turn.Origin.HEADLESS else Turn.Status.COMPLETED
    end: turn_runner.RoundEnd = {"finished_at": timezone.now()}
    if to == Turn.Status.FAILED:
        end["reason"] = sentence
    turn_runner.end_round(turn, to, end, round=turn.round, refused=refused)
    return feed.report_round(turn, message.pk, [])

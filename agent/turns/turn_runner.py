"""The rows of the loop: the limits of a turn, what a round leaves behind, and why a turn is paused or waits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import TypedDict

from django.db import transaction
from django.utils import timezone

from agent import feed
from agent.calls import call_drafts, plans, proposed_calls, rounds
from agent.calls.call_drafts import RequestedCall
from agent.citations.reviewing import Review
from agent.conversation import messages
from agent.conversation.messages import Block
from agent.conversation.model_input.history import BY_CONNECTION
from agent.models import TURN_LEASE, Message, ToolCall, Turn
from agent.policy.permissions import STOPPED
from agent.policy.policy_context import Policy
from agent.policy.turn_limits import overlong_note, price_note
from agent.policy.turn_time import describe_time_limit, is_out_of_time
from agent.toolkit.previews import format_count
from agent.turns import fixed_steps, turns
from documents.autosetup import auto_setup
from documents.extractions.edits import NO_EVIDENCE, Evidence
from kit import jobs
from kit.errors import NotFound
from kit.jobs import Job
from kit.leases import LeaseLost, count_worked_ms
from llm.client import Cancelled, ModelAnswer
from llm.money import budgets, subject_costs

MAX_ATTEMPTS = 5
Status = Turn.Status
Pause = Turn.Pause
GIVEN_UP = "The worker stopped five times during this turn. Nothing that ran is lost. Send the message again."
OWNER_LEFT = "The owner of this thread has left the organization, so the agent has stopped."


class RoundEnd(TypedDict, total=False):
    """What the end of a round writes besides the status."""

    reason: str
    pause_reason: Pause
    finished_at: datetime
    not_before: datetime


class Closing(Exception):
    """The turn has come to a limit and ends with an answer from what it has read. `may_ask`: a model may write it."""

    def __init__(self, sentence: str, *, may_ask: bool) -> None:
        super().__init__(sentence)
        self.sentence, self.may_ask = sentence, may_ask


class TurnEnded(Exception):
    """The turn was ended or paused before the model was asked."""


def check_limits(turn: Turn) -> None:
    """The head of each round. Raises Cancelled, TurnEnded after pausing the turn, or Closing."""
    if turn.cancel_requested_at:
        raise Cancelled
    if turn.thread.organization.agent_stopped:
        _halt_turn(turn, Pause.STOPPED, STOPPED)
    if turn.round >= turn.max_rounds:
        if fixed_steps.may_close(turn):
            raise Closing(
                f"Its {format_count(turn.max_rounds, 'round')} {'was' if turn.max_rounds == 1 else 'were'} used up.",
                may_ask=True,
            )
        _halt_turn(turn, Pause.MAX_ROUNDS, f"The turn paused after {turn.round} rounds. It can go on from there.")
    if 0 < turn.limit_micros <= turn.spent_micros:
        spent = budgets.format_dollars(turn.spent_micros)
        note = overlong_note(turn) + price_note(turn)
        if fixed_steps.may_close(turn):
            raise Closing(f"The turn had cost {spent}, its limit.{note}", may_ask=False)
        _halt_turn(turn, Pause.BUDGET, f"The turn paused at {spent}, its limit. It can go on from there.{note}")
    if is_out_of_time(turn):
        if fixed_steps.may_close(turn):
            raise Closing(f"Its {turn.limit_ms // 1000} seconds were used up.", may_ask=True)
        _halt_turn(turn, Pause.TIME, describe_time_limit(turn))
    if not turn.owner_role:
        fail_turn(turn, OWNER_LEFT)
        raise TurnEnded


def _halt_turn(turn: Turn, why: Pause, sentence: str) -> None:
    pause_turn(turn, why, sentence)
    raise TurnEnded


def search_pages(turn: Turn, answer: ModelAnswer, *, cancelled: Callable[[], bool]) -> list[Evidence]:
    """What the cards of the answer's calls show of the pages, call by call: before the transaction that records them.

    It may take seconds for each. Once `cancelled` the rest is left out.
    """
    requested = _list_requested_calls(answer)[: call_drafts.MAX_AT_ONCE]
    return [NO_EVIDENCE if cancelled() else proposed_calls.search_requested(turn, each) for each in requested]


@feed.one_transaction()
def record_round(
    turn: Turn,
    answer: ModelAnswer,
    *,
    thought_seconds: int = 0,
    evidence: Sequence[Evidence] = (),
    review: Review | None = None,
    reason: str = "",
) -> None:
    """Writes what the model answered and what comes of it, in one transaction under the fence. `reason`: why it
    answers now."""
    lock_turn(turn)
    if turn.cancel_requested_at:
        return _cancel(turn, answer.text)
    turn.round += 1
    checked = messages.keep_review(turn, review) if review else []
    message = messages.write(
        turn,
        role=Message.Role.ASSISTANT,
        blocks=[*messages.build_blocks(answer, thought_seconds), *checked],
        model=answer.model,
        provider_extras=answer.provider_extras,
    )
    # Who left while the model answered takes no part any more: what was said is kept, what was asked for is not.
    policy = _find_policy(turn) if answer.tool_calls else None
    gone = bool(answer.tool_calls) and policy is None
    calls: list[ToolCall] = []
    if policy:
        calls = proposed_calls.propose_round(
            turn, message=message, requested=_list_requested_calls(answer), policy=policy, evidence=evidence
        )
    asks_again = any(block["type"] == "repair" for block in checked)
    to = _end_without_owner() if gone else _choose_next_status(turn, answer, calls, reason, asks_again=asks_again)
    end_round(turn, *to, round=turn.round)
    if turn.status == Status.QUEUED:
        jobs.enqueue(Job.RUN_TURN, turn.pk)
    for call in calls:
        if call.status == ToolCall.Status.APPROVED:
            jobs.enqueue(Job.EXECUTE_CALL, call.pk)
    feed.report_round(turn, message.pk, calls)
    return None


def _end_without_owner() -> tuple[Status, RoundEnd]:
    return Status.FAILED, {"reason": OWNER_LEFT, "finished_at": timezone.now()}


def _find_policy(turn: Turn) -> Policy | None:
    try:
        return Policy(turn.thread)
    except NotFound:
        return None


def _list_requested_calls(answer: ModelAnswer) -> list[RequestedCall]:
    last = len(answer.tool_calls) - 1
    return [
        RequestedCall(call.name, call.arguments_text, cut_off=answer.truncated and position == last)
        for position, call in enumerate(answer.tool_calls)
    ]


def _choose_next_status(
    turn: Turn, answer: ModelAnswer, calls: list[ToolCall], why: str, *, asks_again: bool = False
) -> tuple[Status, RoundEnd]:
    if asks_again:
        return Status.QUEUED, {}
    if (not calls or rounds.is_presented(calls)) and plans.publish_cards(turn):
        return Status.AWAITING_APPROVAL, {}
    if not calls:
        cut = "The answer reached the model's length limit." if answer.truncated else ""
        cut = "The content filter of the provider cut the answer off." if answer.is_filtered and answer.text else cut
        reason = f"{why} {cut}{overlong_note(turn)}".strip()
        return Status.COMPLETED, {"finished_at": timezone.now(), "reason": reason}
    if any(call.status not in ToolCall.ENDED_OR_PLANNED for call in calls):
        return Status.AWAITING_APPROVAL, {}
    if any(call.result == {"error": call_drafts.REPEATED} or _is_unusable_again(call) for call in calls):
        why = "The agent asked for the same thing three times. It can go on from there."
        return Status.PAUSED, {"pause_reason": Pause.LOOP, "reason": why}
    return Status.QUEUED, {}


def _is_unusable_again(call: ToolCall) -> bool:
    """Whether exactly this, which could never run, has been asked for three times in the turn."""
    same = ToolCall.objects.filter(turn_id=call.turn_id, tool=call.tool, proposed_text=call.proposed_text)
    return call.status == ToolCall.Status.INVALID and same.count() >= call_drafts.MAX_REPEATS


@transaction.atomic
def pause_turn(turn: Turn, why: Pause, sentence: str, *, partial_text: str = "") -> None:
    """Stands still until a person lets it go on. What a stream that died had brought stays, marked as incomplete."""
    lock_turn(turn)
    if turn.cancel_requested_at:
        return _cancel(turn, partial_text)
    if partial_text:
        _keep_partial(turn, {"type": "text", "text": partial_text}, BY_CONNECTION)
    end_round(turn, Status.PAUSED, {"pause_reason": why, "reason": sentence})
    feed.report_turn(turn)
    return None


@transaction.atomic
def requeue_later(turn: Turn, sentence: str, *, seconds: float) -> None:
    """Back to the queue for `seconds`: a provider asked for patience, and no worker's thread waits with it."""
    lock_turn(turn)
    if turn.cancel_requested_at:
        return _cancel(turn, "")
    until = timezone.now() + timedelta(seconds=seconds)
    end_round(turn, Status.QUEUED, {"not_before": until, "reason": sentence}, provider_waits=turn.provider_waits + 1)
    transaction.on_commit(lambda: jobs.send(Job.RUN_TURN, turn.pk, countdown=seconds))
    feed.report_turn(turn)
    return None


@transaction.atomic
def fix_way(turn: Turn, why: str) -> None:
    """From its next round on no model chooses the steps of the turn."""
    lock_turn(turn)
    if turn.cancel_requested_at:
        return _cancel(turn, "")
    Turn.objects.filter(pk=turn.pk).update(fixed_because=why[:500])
    end_round(turn, Status.QUEUED, {"reason": why})
    jobs.enqueue(Job.RUN_TURN, turn.pk)
    feed.report_turn(turn)
    return None


@transaction.atomic
def fail_turn(turn: Turn, sentence: str) -> None:
    lock_turn(turn)
    end_round(turn, Status.FAILED, {"reason": sentence, "finished_at": timezone.now()})
    feed.report_turn(turn)


@transaction.atomic
def cancel_turn(turn: Turn, partial_text: str) -> None:
    """Ends a turn that is running. What was said so far stays, marked as incomplete."""
    lock_turn(turn)
    _cancel(turn, partial_text)


def _cancel(turn: Turn, partial_text: str) -> None:
    if partial_text:
        _keep_partial(turn, {"type": "text", "text": partial_text})
    turns.end_as_cancelled(turn)


def _keep_partial(turn: Turn, *blocks: Block) -> None:
    message = messages.write(turn, role=Message.Role.ASSISTANT, blocks=list(blocks), model=turn.model, complete=False)
    feed.append(turn.thread_id, "message.added", message_id=message.pk, turn_id=turn.pk)


@transaction.atomic
def release_turn(turn: Turn, *, counts: bool = True) -> None:
    """A round that broke off: queued again, or failed after the last attempt that `counts`. Its time counts always."""
    stored = TURN_LEASE.fetch_ours(turn)
    if stored is None:
        return
    stored.running_since = turn.running_since
    worked_ms = max(count_worked_ms(stored), stored.worked_ms + stored.count_elapsed_ms())
    try:
        lock_turn(stored)
    except LeaseLost:
        return
    if counts and stored.attempt >= MAX_ATTEMPTS:
        end_round(stored, Status.FAILED, {"reason": GIVEN_UP, "finished_at": timezone.now()})
    else:
        attempt = stored.attempt if counts else stored.attempt - 1
        TURN_LEASE.release(stored, attempt=attempt, worked_ms=worked_ms)
        jobs.enqueue(Job.RUN_TURN, stored.pk)
    feed.report_turn(stored)


def lock_turn(turn: Turn) -> None:
    """Locks the row for this transaction, and reads under the lock whether a person has stopped the turn.

    Raises LeaseLost: what was done in this transaction rolls back.
    """
    TURN_LEASE.lock(turn, read=("cancel_requested_at",))


def end_round(turn: Turn, to: Status, changes: RoundEnd, **more: object) -> None:
    """The end of a round: the lease and the partial text go, and the next round starts with all its attempts."""
    used = subject_costs.sum_spent(turn.pk)
    counts = {"provider_waits": 0} | more | {"attempt": 0, "spent_micros": used}
    counts["worked_ms"] = turn.worked_ms + turn.count_elapsed_ms()
    TURN_LEASE.finish(turn, to, **changes, **counts, partial_text="", partial_thinking="")
    if turn.origin == Turn.Origin.HEADLESS:
        auto_setup.note_round(turn.pk, rounds=turn.round)
    if turn.origin == Turn.Origin.HEADLESS and to not in (Status.QUEUED, Status.AWAITING_APPROVAL):
        jobs.enqueue(Job.ADVANCE_PROPOSAL, turn.pk)

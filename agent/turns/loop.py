"""The third guard, and the agent itself: one call of `run_round` is one round of one turn, from rows to rows.

A lease keeps two workers apart and a fence makes a late one harmless. Nothing waits in memory: after the round the
turn is queued for the next one, waits for decisions, is paused, or has ended.
"""

from __future__ import annotations

import logging
from dataclasses import replace

from agent.calls import rounds
from agent.conversation import messages
from agent.conversation.live_text import LiveText
from agent.conversation.model_requests import ask_model, ask_to_close
from agent.models import Turn
from agent.policy.turn_time import describe_time_limit, has_time_ended, is_question
from agent.toolkit.registry import END_TURN
from agent.turns import fixed_steps, turn_queue, turn_runner
from agent.turns.reviews import answer_reviews, repaired_answers
from agent.turns.scope_gate import before, left_out, refusing
from agent.turns.scope_gate.answers import AnswerRefused, check_answer
from agent.turns.scope_gate.before import OutOfScope
from agent.turns.surveys import survey_retry
from agent.turns.turn_runner import Pause
from kit import stopping
from kit.cleanup import on_failure
from kit.errors import AppError, OutOfBudget
from kit.leases import LeaseLost
from llm.client import Cancelled, ModelAnswer, ModelFailed
from llm.client.failures import LONGEST_WAIT_SECONDS
from llm.client.streaming import FIRST_RATE_WAIT, LONGEST_RATE_WAIT

log = logging.getLogger(__name__)
MAX_WAITS = 6
FIRST_WAIT = 2.0
# For a provider that takes no more calls for now.
RATE_WAITS = 3
# A question can be answered without the model: all its waits together take so much of its time, the steps the rest.
SHARE_OF_QUESTION = 1 / 6
STILL_TOO_LONG = (
    "The conversation is too long for {model}, even in short. Going on shortens it further; "
    "a new thread, or a model that reads more at once, helps for good."
)


def run_next_round(*, holder: str) -> bool:
    """Runs a round of the turn whose time it is, fair between organizations. False when there is none."""
    turn = turn_queue.claim_next()
    if turn is not None:
        _run_claimed(turn, holder)
    return turn is not None


def run_round(turn_id: str, *, holder: str) -> None:
    """Runs one round. Does nothing when the turn is not queued, or another worker has claimed it."""
    turn = turn_queue.claim_turn(turn_id)
    if turn is not None:
        _run_claimed(turn, holder)


def _run_claimed(turn: Turn, holder: str) -> None:
    log.info("%s runs round %s of turn %s", holder, turn.round + 1, turn.pk)
    try:
        with on_failure(lambda: turn_runner.release_turn(turn), but=LeaseLost):
            _run(turn)
    except LeaseLost:
        log.info("turn %s was taken over, this round is dropped", turn.pk)
    turn_queue.wake_next()


def _run(turn: Turn) -> None:
    if turn.refused:
        return refusing.refuse_after(turn)
    live = LiveText(turn)
    try:
        turn_runner.check_limits(turn)
        with live:
            live.is_held = before.check_request(turn, cancelled=live.is_over)
            why_fixed = fixed_steps.explain_need(turn)
            answer = repaired_answers.complete(
                turn, survey_retry.choose_call(turn) or _take_step(turn, live, why_fixed)
            )
            check_answer(turn, answer)
            evidence = turn_runner.search_pages(turn, answer, cancelled=live.is_over)
            review = (
                answer_reviews.review_words(turn, answer)
                if answer.tool_calls and not _only_keeps(answer)
                else answer_reviews.review(
                    turn, answer.text, notes=[why_fixed], may_repair=not (why_fixed or answer.tool_calls)
                )
            )
    except Cancelled as stopped:
        _handle_stop(turn, live, stopped.partial_text)
    except turn_runner.Closing as closing:
        _close(turn, live, closing.sentence, may_ask=closing.may_ask)
    except OutOfBudget as error:
        if fixed_steps.may_close(turn):
            _close(turn, live, error.sentence, may_ask=False)
        else:
            turn_runner.pause_turn(turn, Pause.BUDGET, error.sentence)
    except ModelFailed as failure:
        _handle_failure(turn, live, failure)
    except AnswerRefused as refused:
        refusing.refuse_answer(turn, refused.check)
    except OutOfScope as refusal:
        refusing.refuse_before(turn, refusal.sentence, refusal.check)
    except turn_runner.TurnEnded:
        log.info("turn %s ended before its next round", turn.pk)
    except AppError as error:
        turn_runner.fail_turn(turn, error.sentence)
    else:
        if not answer.tool_calls and not (review and messages.asks_again(turn, review)):
            answer = left_out.add_note(turn, fixed_steps.add_coverage(turn, answer))
        turn_runner.record_round(turn, answer, thought_seconds=live.thought_seconds, evidence=evidence, review=review)


def _take_step(turn: Turn, live: LiveText, why_fixed: str) -> ModelAnswer:
    return fixed_steps.choose_step(turn, why_fixed) if why_fixed else _drop_lone_end(ask_model(turn, live))


def _only_keeps(answer: ModelAnswer) -> bool:
    """Whether it ends the turn and only ticks its steps off beside that: its words are an answer."""
    names = {call.name for call in answer.tool_calls}
    return END_TURN in names and all(name == END_TURN or rounds.keeps_thread(name) for name in names)


def _drop_lone_end(answer: ModelAnswer) -> ModelAnswer:
    """An answer that does no more than end the turn is one without calls: its words are checked as any."""
    is_lone = all(call.name == END_TURN for call in answer.tool_calls)
    return replace(answer, tool_calls=[]) if is_lone else answer


def _close(turn: Turn, live: LiveText, why: str, *, may_ask: bool) -> None:
    """The last answer of a question over documents: by the model without tools, else what was read itself."""
    answer = fixed_steps.write_answer(turn, fixed_steps.STOPPED.format(why=why))
    if may_ask and not turn.fixed_because:
        try:
            with live:
                answer = repaired_answers.complete(turn, ask_to_close(turn, live, why))
        except Cancelled as stopped:
            return _handle_stop(turn, live, stopped.partial_text)
        except (ModelFailed, OutOfBudget) as error:
            log.info("turn %s is closed without its model: %s", turn.pk, error)
    try:
        check_answer(turn, answer)
    except AnswerRefused as refused:
        return refusing.refuse_answer(turn, refused.check)
    review = answer_reviews.review(turn, answer.text, notes=[why], may_repair=False)
    return turn_runner.record_round(
        turn, left_out.add_note(turn, fixed_steps.add_coverage(turn, answer)), reason=why, review=review
    )


def _handle_failure(turn: Turn, live: LiveText, failure: ModelFailed) -> None:
    """A provider that is busy is asked again by itself; anything else waits for a person."""
    if failure.code == "busy":
        turn_runner.release_turn(turn, counts=False)
    elif failure.code == "context":
        turn_runner.pause_turn(turn, Pause.CONTEXT, STILL_TOO_LONG.format(model=turn.model))
    elif failure.code == "deadline" and has_time_ended(turn) and not is_question(turn):
        sentence = describe_time_limit(turn)
        turn_runner.pause_turn(turn, Pause.TIME, sentence, partial_text=_choose_partial(live, failure.partial_text))
    elif may_wait(turn, failure):
        turn_runner.requeue_later(turn, failure.sentence, seconds=_choose_wait(turn, failure))
    elif is_question(turn) and not turn.fixed_because:
        turn_runner.fix_way(turn, failure.sentence)
    else:
        turn_runner.pause_turn(
            turn, Pause.PROVIDER, failure.sentence, partial_text=_choose_partial(live, failure.partial_text)
        )


def _choose_partial(live: LiveText, partial_text: str) -> str:
    """Nothing of a text that has not passed its scope."""
    return "" if live.is_held else partial_text or live.text


def _choose_wait(turn: Turn, failure: ModelFailed) -> float:
    """What the provider asks for, first of all."""
    return _choose_nth_wait(failure, turn.provider_waits)


def may_wait(turn: Turn, failure: ModelFailed) -> bool:
    waits = RATE_WAITS if failure.code == "rate" else MAX_WAITS
    if not failure.retryable or turn.provider_waits >= waits:
        return False
    if not is_question(turn):
        return _choose_wait(turn, failure) <= LONGEST_WAIT_SECONDS
    if failure.code == "rate":
        return _choose_wait(turn, failure) <= LONGEST_RATE_WAIT
    together = sum(_choose_nth_wait(failure, number) for number in range(turn.provider_waits + 1))
    return together <= (turn.limit_ms / 1000 * SHARE_OF_QUESTION if turn.limit_ms else LONGEST_RATE_WAIT)


def _choose_nth_wait(failure: ModelFailed, number: int) -> float:
    if failure.retry_after is not None:
        return failure.retry_after
    if failure.code == "rate":
        return min(LONGEST_RATE_WAIT, FIRST_RATE_WAIT * 2.0**number)
    return FIRST_WAIT * 2.0**number


def _handle_stop(turn: Turn, live: LiveText, partial_text: str) -> None:
    """The person's cancellation comes first; a worker that is to stop releases its round for another."""
    if live.lost:
        raise LeaseLost
    if turn.cancel_requested_at or not stopping.is_set():
        turn_runner.cancel_turn(turn, _choose_partial(live, partial_text))
    else:
        turn_runner.release_turn(turn, counts=False)

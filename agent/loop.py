"""The third guard, and the agent itself: one call of `drive` is one round of one turn, from rows to rows.

A lease keeps two drivers apart and a fence makes a late one harmless. Nothing waits in memory: after the round the
turn is queued for the next one, waits for decisions, is paused, or has ended.
"""

from __future__ import annotations

import logging

from django.conf import settings

from agent import context, prompt
from agent.history import wire_messages
from agent.live import LiveText
from agent.models import Turn
from agent.registry import registry
from agent.services import driving
from agent.services.driving import Lost, Pause
from docrouter.kit import stopping
from docrouter.kit.errors import AppError, OutOfBudget
from documents.backends.llm import Cancelled, ModelAnswer, ModelFailed, ModelRequest, ask
from documents.services.spending import Spender

log = logging.getLogger(__name__)


def drive(turn_id: str, *, holder: str) -> None:
    """Drives one round. Does nothing when the turn is not queued, or another process holds it."""
    turn = driving.claim(turn_id)
    if turn is None:
        return
    log.info("%s drives round %s of turn %s", holder, turn.round + 1, turn.pk)
    try:
        _round(turn)
    except Lost:
        log.info("turn %s was taken over, this round is dropped", turn.pk)
    except BaseException:
        driving.give_back(turn)
        raise


def _round(turn: Turn) -> None:
    live = LiveText(turn)
    try:
        driving.check_limits(turn)
        answer = _ask(turn, live)
    except Cancelled as stopped:
        _stopped(turn, live, stopped.partial_text)
    except OutOfBudget as error:
        driving.pause(turn, Pause.BUDGET, error.sentence)
    except ModelFailed as error:
        driving.pause(turn, Pause.CONTEXT if error.code == "context" else Pause.PROVIDER, error.sentence)
    except driving.Ended:
        log.info("turn %s ended before its next round", turn.pk)
    except AppError as error:
        driving.fail(turn, error.sentence)
    else:
        driving.record(turn, answer)


def _ask(turn: Turn, live: LiveText) -> ModelAnswer:
    thread = turn.thread
    messages = [
        {"role": "system", "content": prompt.system_part(thread)},
        *context.data_messages(turn),
        *wire_messages(thread),
    ]
    request = ModelRequest(
        model=turn.model, messages=messages, tools=[tool.schema() for tool in registry],
        max_tokens=settings.MODEL_MAX_TOKENS, deadline_seconds=settings.MODEL_TIMEOUT_SECONDS,
    )  # fmt: skip
    spender = Spender(
        organization=thread.organization, purpose="agent", subject_id=turn.pk, user=turn.started_by,
        most_micros=max(0, turn.limit_micros - turn.spent_micros),
    )  # fmt: skip
    return ask(request, spender=spender, on_delta=live.take, cancelled=live.is_over)


def _stopped(turn: Turn, live: LiveText, partial_text: str) -> None:
    """The person's wish comes first; a worker that is asked to stop puts its round back for another."""
    if live.lost:
        raise Lost
    if turn.cancel_requested_at or not stopping.is_set():
        driving.cancel(turn, partial_text or live.text)
    else:
        driving.give_back(turn, counts=False)

"""Bare calls of models that system admins make over the API: a row, run once by a worker, while somebody waits."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from accounts.actor import Actor
from accounts.services import audit
from kit import events, jobs, stopping
from kit.errors import AppError, Conflict, Denied, Upstream
from kit.jobs import Job
from kit.rows.connections import release_connection
from kit.rows.state import move
from llm import models_catalogue
from llm.call_shapes import Answered, CallBody, ChatRequest, Completion, Embedded
from llm.client import Cancelled, Delta, ModelRequest, ask
from llm.client.wordless.embedding import embed
from llm.models import ModelCall
from llm.money.spending import BudgetAccount

log = logging.getLogger(__name__)
Status = ModelCall.Status
UNDER_WAY = (Status.QUEUED, Status.RUNNING)
KEEP_FOR = timedelta(hours=1)
SPARE_SECONDS = 10
FIRST_LOOK_SECONDS, LONGEST_PAUSE_SECONDS = 0.05, 0.5
BATCH_SECONDS = 0.05
STOPPED = "The worker was stopped during the call."
NOT_TAKEN = "No worker took the call within {seconds:.0f} seconds. Look whether the workers run."
TOO_SLOW = "{model} did not answer within {seconds:.0f} seconds."


@transaction.atomic
def prepare(actor: Actor, *, kind: ModelCall.Kind, model: str, request: CallBody, seconds: float) -> ModelCall:
    """The call as a row, which `wake` sends to a worker, and which nobody wants after `seconds`.

    Raises Denied for all but system admins, and Invalid when the model cannot be used.
    """
    if not actor.user.is_superuser:
        raise Denied("Admin access required")
    if kind == ModelCall.Kind.EMBEDDING:
        models_catalogue.check_embeds(model)
    else:
        models_catalogue.check_usable(model)
        model = models_catalogue.resolve(model, default=settings.DEFAULT_MODEL)
    return store(actor, kind=kind, model=model, request=request, seconds=seconds)


@transaction.atomic
def store(actor: Actor, *, kind: ModelCall.Kind, model: str, request: CallBody, seconds: float) -> ModelCall:
    """Store a call as `prepare` does, of words that are ours and a model that can be used: whoever may, asks."""
    call = ModelCall.objects.create(
        organization=actor.organization,
        user=actor.user,
        kind=kind,
        model=model,
        request=request,
        expires_at=timezone.now() + timedelta(seconds=seconds),
    )
    audit.record(actor, "called", call, model=model)
    return call


def wake(call: ModelCall) -> None:
    jobs.enqueue(Job.CALL_MODEL, call.pk)


def get_stream_seconds() -> float:
    return settings.MODEL_TIMEOUT_SECONDS + SPARE_SECONDS


def wait_for(call: ModelCall, *, check: Callable[[], object] = bool) -> ModelCall:
    """The call as it is at its end, or cancelled because nobody waits for it any longer. Keeps no database connection.

    `check` runs before each further look; what it raises ends the waiting and gives the call up.
    """
    pause = FIRST_LOOK_SECONDS
    while True:
        refresh(call)
        if call.status not in UNDER_WAY:
            return call
        release_connection()
        time.sleep(min(pause, max(0.0, (call.expires_at - timezone.now()).total_seconds())))
        pause = min(pause * 1.5, LONGEST_PAUSE_SECONDS)
        try:
            check()
        except AppError:
            cancel(call)
            raise


def refresh(call: ModelCall, *, taken_within: float = math.inf) -> None:
    """Reads the row again. Cancels the call when nobody waits for it any longer, or no worker took it in this time."""
    call.refresh_from_db()
    waited = (timezone.now() - call.created_at).total_seconds()
    if call.status == Status.QUEUED and waited >= taken_within:
        _end(call, Status.CANCELLED, reason=NOT_TAKEN.format(seconds=taken_within))
    elif call.status in UNDER_WAY and call.expires_at <= timezone.now():
        _end(call, Status.CANCELLED, reason=TOO_SLOW.format(model=call.model, seconds=waited))
    else:
        return
    call.refresh_from_db()


def cancel(call: ModelCall) -> ModelCall:
    """Nobody waits any more: a worker that has it stops at its next look. What has ended stays as it ended."""
    _end(call, Status.CANCELLED)
    call.refresh_from_db()
    return call


def run(call_id: str, *, holder: str) -> None:
    """Claims the call and makes it. It is tried once: whoever waits would rather ask again than wait for more."""
    call = ModelCall.objects.select_related("organization", "user").filter(pk=call_id).first()
    if call is None or call.expires_at <= timezone.now():
        return
    try:
        move(call, Status.RUNNING, transitions=ModelCall.TRANSITIONS)
    except Conflict:
        return
    log.info("%s makes model call %s", holder, call.pk)
    try:
        answer = _run(call)
    except Cancelled:
        _end(call, Status.FAILED, reason=STOPPED, failure_status=Upstream.status)
    except AppError as error:
        _end(call, Status.FAILED, reason=error.sentence, failure_status=error.status)
    else:
        _end(call, Status.COMPLETED, answer=answer)
    events.send_now(events.model_call_group(call.pk), {"kind": "ended"})


def clean_up() -> int:
    """Ends what nobody waits for, and forgets what has ended. For the scheduler."""
    now = timezone.now()
    late = ModelCall.objects.filter(status__in=UNDER_WAY, expires_at__lt=now)
    ended = late.update(status=Status.CANCELLED, finished_at=now)
    ModelCall.objects.exclude(status__in=UNDER_WAY).filter(created_at__lt=now - KEEP_FOR).delete()
    return ended


def _end(call: ModelCall, to: ModelCall.Status, **changes: Any) -> None:
    try:
        move(call, to, transitions=ModelCall.TRANSITIONS, finished_at=timezone.now(), **changes)
    except Conflict:
        log.info("model call %s had ended already", call.pk)


def _make_account(call: ModelCall) -> BudgetAccount:
    purpose = call.request.get("purpose") or f"bare {call.kind}"
    return BudgetAccount(call.organization, purpose, call.pk, call.user)


def _run(call: ModelCall) -> Completion | Embedded:
    return _run_embedding(call) if call.kind == ModelCall.Kind.EMBEDDING else _run_chat(call)


def _run_embedding(call: ModelCall) -> Embedded:
    embedded = embed(call.model, [call.request["input"]], account=_make_account(call))
    [vector] = embedded.vectors
    return {
        "model": embedded.model,
        "dimensions": len(vector),
        "embedding": vector,
        "usage": {"prompt_tokens": embedded.prompt_tokens, "total_tokens": embedded.prompt_tokens},
    }


def _run_chat(call: ModelCall) -> Completion:
    """As OpenAI's API answers, since that is what the published clients know."""
    live = _Live(call)
    body: ChatRequest = call.request
    request = ModelRequest(
        call.model,
        body["messages"],
        max_tokens=body["max_tokens"] or 0,
        temperature=body["temperature"],
        response_format=body.get("response_format"),
    )
    answer = ask(request, account=_make_account(call), on_delta=live.take, cancelled=live.is_over)
    message: Answered = {"role": "assistant", "content": answer.text}
    return {
        "id": f"chatcmpl-{call.pk}",
        "object": "chat.completion",
        "created": int(call.created_at.timestamp()),
        "model": answer.model,
        "choices": [{"index": 0, "message": message, "finish_reason": answer.finish_reason}],
        "usage": {
            "prompt_tokens": answer.prompt_tokens,
            "completion_tokens": answer.completion_tokens,
            "total_tokens": answer.prompt_tokens + answer.completion_tokens,
        },
    }


@dataclass
class _Live:
    """The text on its way to the one who waits, in batches with their offsets: what is lost comes with the end."""

    call: ModelCall
    text: str = ""
    sent: int = 0
    sent_at: float = 0.0

    def take(self, delta: Delta) -> None:
        if delta.kind == "text":
            self.text += delta.text
        if time.monotonic() - self.sent_at >= BATCH_SECONDS:
            self._send()

    def is_over(self) -> bool:
        """Asked four times a second."""
        self._send()
        running = ModelCall.objects.filter(pk=self.call.pk, status=Status.RUNNING).exists()
        return not running or stopping.is_set()

    def _send(self) -> None:
        self.sent_at = time.monotonic()
        if piece := self.text[self.sent :]:
            event = {"kind": "delta", "offset": self.sent, "text": piece}
            self.sent = len(self.text)
            events.send_now(events.model_call_group(self.call.pk), event)

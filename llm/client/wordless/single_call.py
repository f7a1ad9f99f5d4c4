"""One call of a model that writes nothing: reserved, made once on the loop thread, booked, as `model_client` does."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from concurrent.futures import TimeoutError as Late
from dataclasses import dataclass
from typing import TypeVar

from django.conf import settings
from django.db import connection

from kit.cleanup import on_failure
from kit.json_types import Json, JsonObject
from kit.rows.connections import release_connection
from llm.client import loop_thread
from llm.client.failures import convert_error, describe
from llm.client.litellm_loader import litellm
from llm.client.model_client import GRACE_SECONDS
from llm.client.providers import get_credentials, get_wire_model, require_key
from llm.client.types import BudgetAccount, Cancelled, Cost, ModelFailed, Quote
from llm.client.wire import round_timeout

LOOK_SECONDS = 0.25
Answer = TypeVar("Answer")


@dataclass(frozen=True)
class SingleCall:
    """`function` is one of litellm's, with `arguments` of its own. `estimate`: the most that it costs.

    `deadline_seconds` 0: the setting's value.
    """

    model: str
    function: str
    arguments: Mapping[str, object]
    estimate: Cost
    deadline_seconds: float = 0

    @property
    def seconds(self) -> float:
        return self.deadline_seconds or settings.MODEL_TIMEOUT_SECONDS


def call_once(
    call: SingleCall,
    read: Callable[[JsonObject], tuple[Answer, Cost]],
    *,
    account: BudgetAccount,
    cancelled: Callable[[], bool] = bool,
) -> Answer:
    """Return what `read` makes of the provider's answer; it says what that cost, or raises ModelFailed (`broken`).

    Raises ModelFailed, OutOfBudget or Cancelled; RuntimeError inside a transaction.
    """
    if connection.in_atomic_block:
        raise RuntimeError("A model is never called inside a transaction: it would hold its locks for seconds.")
    require_key(call.model)
    # These may ask the database, whose connection is released below.
    own: JsonObject = {"model": get_wire_model(call.model), **get_credentials(call.model)}
    quote = Quote(call.model, call.estimate.micros, price_known=call.estimate.price_known)
    reservation = account.reserve(quote, seconds=call.seconds + GRACE_SECONDS)
    release_connection()
    started = time.monotonic()

    def book(cost: Cost) -> None:
        reservation.book_cost(cost, duration_ms=round((time.monotonic() - started) * 1000))

    try:
        with on_failure(lambda: book(call.estimate), but=ModelFailed):
            answer, cost = read(_request(call, own, cancelled))
    except ModelFailed as failure:
        # A call that ran out of time, or had an answer of no use, may have been billed all the same.
        if failure.code in ("deadline", "broken"):
            book(call.estimate)
        else:
            reservation.release()
        raise
    book(cost)
    return answer


def _request(call: SingleCall, own: JsonObject, cancelled: Callable[[], bool]) -> JsonObject:
    function = getattr(litellm(), call.function)

    async def work() -> Json:
        # Not every provider's path heeds the argument, and it bounds each read, not the whole.
        async with asyncio.timeout(call.seconds):
            return await function(timeout=round_timeout(call.seconds), **call.arguments, **own)

    future = loop_thread.submit(work())
    try:
        answer: JsonObject = _wait_for(future, call.seconds + GRACE_SECONDS, cancelled).model_dump()
    except Late:
        future.cancel()
        raise describe("deadline", call.model) from None
    except Cancelled:
        future.cancel()
        raise
    except Exception as error:  # Each provider's client raises errors of its own.
        raise convert_error(error, call.model) from error
    return answer


def _wait_for(future: Future[Json], seconds: float, cancelled: Callable[[], bool]) -> Json:
    until = time.monotonic() + seconds
    while True:
        try:
            return future.result(LOOK_SECONDS)
        except Late:
            if future.done() or time.monotonic() >= until:
                raise
            if cancelled():
                raise Cancelled from None

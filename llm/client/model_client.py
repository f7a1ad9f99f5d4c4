"""The only client of models: reserve the money, make one streamed call on the loop thread, book the cost."""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from types import ModuleType
from typing import cast

from django.conf import settings
from django.db import connection

from kit.cleanup import on_failure
from kit.errors import OutOfBudget
from kit.rows.connections import release_connection
from llm.client import loop_thread, pricing
from llm.client.dialects.calls import read_calls
from llm.client.failures import describe
from llm.client.litellm_loader import litellm
from llm.client.providers import get_credentials, get_wire_model, require_key
from llm.client.stream_assembly import Collected
from llm.client.streaming import collect
from llm.client.types import (
    BudgetAccount,
    Cancelled,
    Cost,
    Delta,
    ModelAnswer,
    ModelFailed,
    ModelRequest,
    Quote,
    Reservation,
)
from llm.client.wire import CompletionArguments, Credentials, round_timeout

log = logging.getLogger(__name__)
# With less time than this a cut answer is not asked for again.
MIN_SECONDS = 1.0
OnDelta = Callable[[Delta], None]
IsCancelled = Callable[[], bool]
POLL_SECONDS, GRACE_SECONDS = 0.25, 5.0


def ask(
    request: ModelRequest,
    *,
    account: BudgetAccount,
    on_delta: OnDelta | None = None,
    cancelled: IsCancelled | None = None,
) -> ModelAnswer:
    """Asks and waits. `on_delta` and `cancelled` run in the calling thread, the latter about four times a second.

    Raises ModelFailed (an Upstream), OutOfBudget or Cancelled; RuntimeError inside a transaction.
    """
    if connection.in_atomic_block:
        raise RuntimeError("A model is never called inside a transaction: it would hold its locks for seconds.")
    if cancelled and cancelled():
        raise Cancelled
    call = _Call.prepare(request)
    reservation = _wait_for_reservation(call, account, cancelled or (lambda: False))
    call.started = time.monotonic()
    release_connection()  # it would stay open, unused, for as long as the model thinks
    return call.run(reservation, on_delta, cancelled or (lambda: False))


def ask_whole(
    request: ModelRequest,
    *,
    account: BudgetAccount,
    on_delta: OnDelta | None = None,
    cancelled: IsCancelled | None = None,
) -> ModelAnswer:
    """As `ask`. A cut answer is asked for once more, without `on_delta`, where limits allow twice the room."""
    answer = ask(request, account=account, on_delta=on_delta, cancelled=cancelled)
    is_cut = answer.truncated and not answer.is_overlong
    return ask_longer(request, answer, account=account, cancelled=cancelled) if is_cut else answer


def ask_longer(
    request: ModelRequest, answer: ModelAnswer, *, account: BudgetAccount, cancelled: IsCancelled | None = None
) -> ModelAnswer:
    """In place of an answer that was cut, where the limits and the time of the request allow a longer one; else the
    same answer."""
    left = (request.deadline_seconds or settings.MODEL_TIMEOUT_SECONDS) - answer.seconds
    if answer.max_tokens >= answer.full_max_tokens or left < MIN_SECONDS:
        return answer
    minimum = min(2 * answer.max_tokens, answer.full_max_tokens)
    longer = replace(request, max_tokens=answer.full_max_tokens, min_tokens=minimum, deadline_seconds=left)
    try:
        again = ask(longer, account=account, cancelled=cancelled)
    except (OutOfBudget, ModelFailed) as error:
        log.info("an answer of %s that was cut stays so: %s", request.model, error)
        return answer
    return replace(
        again,
        cost_micros=answer.cost_micros + again.cost_micros,
        prompt_tokens=answer.prompt_tokens + again.prompt_tokens,
        completion_tokens=answer.completion_tokens + again.completion_tokens,
        seconds=answer.seconds + again.seconds,
    )


def _wait_for_reservation(call: _Call, account: BudgetAccount, cancelled: IsCancelled) -> Reservation:
    """Waits for a reservation while the provider has too many calls under way, unless the caller waits by itself."""
    while True:
        try:
            return account.reserve(call.quote, seconds=call.deadline + GRACE_SECONDS)
        except ModelFailed as failure:
            waited = time.monotonic() - call.started
            if failure.code != "busy" or call.request.max_wait_seconds is not None or waited > call.deadline:
                raise
        release_connection()
        time.sleep(POLL_SECONDS)
        if cancelled():
            raise Cancelled


@dataclass
class _Call:
    module: ModuleType
    request: ModelRequest
    price: pricing.Price
    deadline: float
    quote: Quote
    credentials: Credentials
    max_tokens: int = 0
    collected: Collected = field(default_factory=Collected)
    started: float = field(default_factory=time.monotonic)

    @classmethod
    def prepare(cls, request: ModelRequest) -> _Call:
        require_key(request.model)
        module = litellm()
        entry = pricing.find_entry(module.model_cost, request.model)
        price, request = pricing.find_price(entry, request.model), pricing.mark_cacheable(request, entry)
        deadline = request.deadline_seconds or settings.MODEL_TIMEOUT_SECONDS
        quote = pricing.make_quote(module, request, price, pricing.limit_output(entry, request.max_tokens))
        return cls(module, request, price, deadline, quote, get_credentials(request.model))

    def run(self, reservation: Reservation, on_delta: OnDelta | None, cancelled: IsCancelled) -> ModelAnswer:
        self.max_tokens = reservation.max_tokens
        try:
            with on_failure(lambda: self._bill(reservation, None), but=ModelFailed):
                self._wait(on_delta, cancelled)
        except ModelFailed as failure:
            if failure.code == "overlong":
                log.warning("%s", failure.sentence)
            self._bill(reservation, failure)
            raise
        cost, estimated = self._cost()
        reservation.book_cost(cost, duration_ms=self._duration())
        tells_overlong = not estimated and pricing.exceeds_limit(cost.completion_tokens, self.max_tokens)
        if self.collected.is_overlong or tells_overlong:
            log.warning(
                "%s was asked for %s tokens and wrote %s: its server ignores max_tokens",
                cost.model,
                self.max_tokens,
                cost.completion_tokens,
            )
        return self._answer(cost, estimated)

    def _wait(self, on_delta: OnDelta | None, cancelled: IsCancelled) -> None:
        events: queue.SimpleQueue[Delta | None] = queue.SimpleQueue()
        ended = threading.Event()

        async def work() -> None:
            try:
                await collect(
                    self.module,
                    self._arguments(),
                    self.collected,
                    events.put,
                    deadline_seconds=self.deadline,
                    max_written=pricing.limit_written(self.request.model, self.price, self.max_tokens),
                    max_wait_seconds=self.request.max_wait_seconds,
                )
            finally:
                ended.set()

        future = loop_thread.submit(work())
        future.add_done_callback(lambda _: events.put(None))
        with on_failure(lambda: _stop(future, ended)):
            self._pump(events, on_delta, cancelled)
            future.result()

    def _pump(self, events: queue.SimpleQueue[Delta | None], on_delta: OnDelta | None, cancelled: IsCancelled) -> None:
        polled = time.monotonic()
        while True:
            try:
                event = events.get(timeout=POLL_SECONDS)
                if event is None:
                    return
                if on_delta:
                    on_delta(event)
            except queue.Empty:
                pass
            now = time.monotonic()
            if now - polled >= POLL_SECONDS:
                polled = now
                if cancelled():
                    raise Cancelled("".join(self.collected.text))
                if now - self.started > self.deadline + GRACE_SECONDS:
                    # The loop itself is stuck: its own deadline has passed long ago.
                    raise describe("deadline", self.request.model, partial_text="".join(self.collected.text))

    def _arguments(self) -> CompletionArguments:
        request = self.request
        arguments = {
            "model": get_wire_model(request.model),
            "messages": request.wire_messages(),
            "stream": True,
            "stream_options": {"include_usage": True},
            "max_tokens": self.max_tokens,
            "temperature": request.temperature,
            "max_retries": 0,
            "num_retries": 0,
            "timeout": round_timeout(self.deadline + GRACE_SECONDS),
        }
        optional = {
            "tools": list(request.tools) if request.tools else None,
            "tool_choice": request.tool_choice if request.tools else None,
            "response_format": request.response_format,
        }
        present = {k: v for k, v in optional.items() if v is not None}
        return cast(CompletionArguments, arguments | present | self.credentials)

    def _bill(self, reservation: Reservation, failure: ModelFailed | None) -> None:
        """The provider may bill a request that was sent, whatever came of it; a refused one it does not."""
        collected = self.collected
        refused = failure is not None and not collected.began and failure.code not in ("deadline", "broken", "empty")
        if refused or not collected.sent:
            reservation.release()
        else:
            reservation.book_cost(self._cost()[0], duration_ms=self._duration())

    def _cost(self) -> tuple[Cost, bool]:
        """(cost, whether the tokens are our own count)."""
        prompt, completion = self.collected.prompt_tokens, self.collected.completion_tokens
        estimated = prompt is None or completion is None
        if estimated:
            prompt, completion = pricing.count_tokens(self.module, self.request, self.collected.written)
        return self.price.cost(self.request.model, prompt or 0, completion or 0, self.collected.cached), estimated

    def _answer(self, cost: Cost, estimated: bool) -> ModelAnswer:
        got, calls = self.collected, self.collected.calls.collect()
        refusal = "".join(got.refusal)
        finish = "tool_calls" if calls and got.finish_reason in ("stop", "function_call", "") else got.finish_reason
        blocks = got.blocks.collect()
        thinking, text = got.split_words()
        answer = ModelAnswer(
            text=text or refusal,
            thinking=thinking,
            tool_calls=calls,
            finish_reason=finish,
            prompt_tokens=cost.prompt_tokens,
            completion_tokens=cost.completion_tokens,
            cost_micros=cost.micros,
            model=self.request.model,
            provider_extras=got.extras | ({"thinking_blocks": blocks} if blocks else {}),
            truncated=finish == "length",
            is_overlong=got.is_overlong,
            refused=bool(refusal) or finish in ("content_filter", "refusal"),
            tokens_estimated=estimated,
            price_known=cost.price_known,
            max_tokens=self.max_tokens,
            full_max_tokens=self.quote.max_output,
            seconds=time.monotonic() - self.started,
        )
        return read_calls(answer, self.request.tools or (), self.request.messages)

    def _duration(self) -> int:
        return round((time.monotonic() - self.started) * 1000)


def _stop(future: Future[None], ended: threading.Event) -> None:
    if future.done():
        return
    future.cancel()
    ended.wait(2)  # so that what was collected no longer changes while it is billed

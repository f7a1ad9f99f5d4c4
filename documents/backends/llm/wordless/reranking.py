"""Models that order texts by a question, and write nothing: reserved, called once and booked, as `embedding` does.

https://docs.cohere.com/v2/reference/rerank; litellm speaks it with each provider that has such models.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as Late
from dataclasses import dataclass
from types import ModuleType

from django.conf import settings
from django.db import connection

from documents.backends.llm import loop_thread, pricing
from documents.backends.llm.failures import convert_error, describe
from documents.backends.llm.litellm_loader import litellm
from documents.backends.llm.model_client import GRACE_SECONDS, get_credentials, require_key
from documents.backends.llm.providers import get_wire_model
from documents.backends.llm.types import BudgetAccount, Cancelled, Cost, ModelFailed, Quote
from documents.backends.llm.wire import Credentials, ModelEntry
from kit.cleanup import on_failure
from kit.json_types import Json, JsonObject
from kit.rows.connections import release_connection

LOOK_SECONDS = 0.25


@dataclass(frozen=True)
class Reranked:
    """`places` are those of the texts, from 0, the best first."""

    places: list[int]
    cost_micros: int


def rerank(
    model: str,
    question: str,
    texts: Sequence[str],
    *,
    account: BudgetAccount,
    deadline_seconds: float = 0,
    cancelled: Callable[[], bool] = bool,
) -> Reranked:
    """The order of the texts, by one call. `deadline_seconds` 0: the setting's value.

    Raises ModelFailed, OutOfBudget or Cancelled; RuntimeError inside a transaction.
    """
    if connection.in_atomic_block:
        raise RuntimeError("A model is never called inside a transaction: it would hold its locks for seconds.")
    require_key(model)
    module, key_arguments = litellm(), get_credentials(model)
    seconds = deadline_seconds or settings.MODEL_TIMEOUT_SECONDS
    estimate = _estimate_cost(module, model, question, texts)
    quote = Quote(model, estimate.micros, price_known=estimate.price_known)
    reservation = account.reserve(quote, seconds=seconds + GRACE_SECONDS)
    release_connection()
    started = time.monotonic()

    def book() -> None:
        reservation.book_cost(estimate, duration_ms=round((time.monotonic() - started) * 1000))

    try:
        with on_failure(book, but=ModelFailed):
            answer = _request_order(module, model, question, texts, key_arguments, seconds, cancelled)
            places = _read_places(answer, model, len(texts))
    except ModelFailed as failure:
        # What ran out of time, or was answered with nothing to use, may have been billed all the same.
        if failure.code in ("deadline", "broken"):
            book()
        else:
            reservation.release()
        raise
    # At what was reserved: providers count a question and so few short texts as one search.
    book()
    return Reranked(places, estimate.micros)


def _estimate_cost(module: ModuleType, model: str, question: str, texts: Sequence[str]) -> Cost:
    """The most: a price for the search, or one for all tokens, with the question before each text."""
    entry = pricing.find_entry(module.model_cost, model)
    tokens = sum(pricing.estimate_max_tokens(module, f"{question} {text}") for text in texts)
    price = pricing.find_price(_with_output_price(entry), model)
    cost = price.cost(model, tokens, 0)
    micros = 0 if pricing.find_own_price(model) else pricing.find_query_micros(entry)
    return Cost(model, tokens, 0, cost.micros + micros, cost.price_known)


def _with_output_price(entry: ModelEntry) -> ModelEntry:
    """Such a model writes nothing, so the list may leave out what its words would cost."""
    if entry.get("mode") != "rerank":
        return entry
    priced: ModelEntry = {"input_cost_per_token": 0.0, "output_cost_per_token": 0.0}
    has_price = "input_cost_per_token" in entry or "input_cost_per_query" in entry
    return {**priced, **entry} if has_price else entry


def _request_order(
    module: ModuleType,
    model: str,
    question: str,
    texts: Sequence[str],
    key_arguments: Credentials,
    seconds: float,
    cancelled: Callable[[], bool],
) -> JsonObject:
    wire_model = get_wire_model(model)  # which may ask the database, and that is no matter of the loop's

    async def work() -> Json:
        # Not every provider's path heeds the argument, and it bounds each read, not the whole.
        async with asyncio.timeout(seconds):
            return await module.arerank(
                model=wire_model,
                query=question,
                documents=list(texts),
                top_n=len(texts),
                return_documents=False,
                timeout=seconds,
                **key_arguments,
            )

    future = loop_thread.submit(work())
    try:
        answer: JsonObject = _wait_for(future, seconds + GRACE_SECONDS, cancelled).model_dump()
    except Late:
        future.cancel()
        raise describe("deadline", model) from None
    except Cancelled:
        future.cancel()
        raise
    except Exception as error:  # Each provider's client raises errors of its own.
        raise convert_error(error, model) from error
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


def _read_places(answer: JsonObject, model: str, count: int) -> list[int]:
    """By their scores; those that it left out follow. Raises ModelFailed (`broken`) for what is no order of these."""
    try:
        scores = {int(row["index"]): float(row["relevance_score"]) for row in answer["results"]}
    except (KeyError, TypeError, ValueError, OverflowError):
        raise describe("broken", model) from None
    if not scores or not set(scores) <= set(range(count)) or not all(map(math.isfinite, scores.values())):
        raise describe("broken", model)
    return sorted(range(count), key=lambda place: (-scores.get(place, -math.inf), place))

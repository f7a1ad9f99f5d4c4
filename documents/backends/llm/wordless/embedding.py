"""Embeddings: reserve the money, make one call on the loop thread, book the cost, as `model_client` does."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Sequence
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
from documents.backends.llm.types import BudgetAccount, ModelFailed, Quote
from documents.backends.llm.wire import Credentials
from kit.cleanup import on_failure
from kit.json_types import Json, JsonObject
from kit.rows.connections import release_connection

# More numbers a text than any model answers; those in use have 256 to 4,096.
MAX_DIMENSIONS = 16_384


@dataclass(frozen=True)
class Embedding:
    """`vectors`: one for each text, in their order, all of the same length."""

    model: str
    vectors: list[list[float]]
    prompt_tokens: int
    cost_micros: int


def embed(model: str, texts: Sequence[str], *, account: BudgetAccount, deadline_seconds: float = 0) -> Embedding:
    """The texts as numbers, by one call. `deadline_seconds` 0: the setting's value.

    Raises ModelFailed or OutOfBudget; RuntimeError inside a transaction.
    """
    if connection.in_atomic_block:
        raise RuntimeError("A model is never called inside a transaction: it would hold its locks for seconds.")
    require_key(model)
    module, key_arguments = litellm(), get_credentials(model)
    seconds = deadline_seconds or settings.MODEL_TIMEOUT_SECONDS
    price = pricing.find_price(pricing.find_entry(module.model_cost, model), model)
    tokens = sum(pricing.estimate_max_tokens(module, text) for text in texts)
    estimate = price.cost(model, tokens, 0)
    quote = Quote(model, estimate.micros, price_known=price.known)
    reservation = account.reserve(quote, seconds=seconds + GRACE_SECONDS)
    release_connection()
    started = time.monotonic()

    def count_ms() -> int:
        return round((time.monotonic() - started) * 1000)

    try:
        with on_failure(lambda: reservation.book_cost(estimate, duration_ms=count_ms()), but=ModelFailed):
            answer = _request_embedding(module, model, texts, key_arguments, seconds)
            vectors = _read_vectors(answer, model, len(texts))
    except ModelFailed as failure:
        # What ran out of time, or was answered with nothing to use, may have been billed all the same.
        if failure.code in ("deadline", "broken"):
            reservation.book_cost(estimate, duration_ms=count_ms())
        else:
            reservation.release()
        raise
    tokens = pricing.believe_count((answer.get("usage") or {}).get("prompt_tokens")) or estimate.prompt_tokens
    cost = price.cost(model, tokens, 0)
    reservation.book_cost(cost, duration_ms=count_ms())
    return Embedding(model, vectors, tokens, cost.micros)


def _request_embedding(
    module: ModuleType, model: str, texts: Sequence[str], key_arguments: Credentials, seconds: float
) -> JsonObject:
    wire_model = get_wire_model(model)  # which may ask the database, and that is no matter of the loop's

    async def work() -> Json:
        # Not every provider's path heeds the argument, and it bounds each read, not the whole.
        async with asyncio.timeout(seconds):
            return await module.aembedding(
                model=wire_model, input=list(texts), timeout=seconds, max_retries=0, **key_arguments
            )

    future = loop_thread.submit(work())
    try:
        answer: JsonObject = future.result(seconds + GRACE_SECONDS).model_dump()
    except Late:
        future.cancel()
        raise describe("deadline", model) from None
    except Exception as error:  # Each provider's client raises errors of its own.
        raise convert_error(error, model) from error
    return answer


def _read_vectors(answer: JsonObject, model: str, count: int) -> list[list[float]]:
    """Raises ModelFailed (`broken`) for fewer or more than were asked for, of unequal lengths, or of no numbers."""
    try:
        rows = {
            at if row.get("index") is None else row["index"]: [float(number) for number in row["embedding"]]
            for at, row in enumerate(answer["data"])
        }
        vectors = [rows[at] for at in range(count)]
    except (KeyError, TypeError, ValueError, OverflowError, AttributeError):
        raise describe("broken", model) from None
    lengths = {len(vector) for vector in vectors}
    if len(rows) != count or len(lengths) != 1 or not 0 < max(lengths) <= MAX_DIMENSIONS:
        raise describe("broken", model)
    if not all(map(_has_direction, vectors)):
        raise describe("broken", model)
    return vectors


def _has_direction(vector: Sequence[float]) -> bool:
    """Whether it can be compared with others: all of it finite, and not all of it nothing."""
    length = math.hypot(*vector)
    return math.isfinite(length) and length > 0

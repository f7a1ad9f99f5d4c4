"""Embeddings: texts as numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from kit.json_types import JsonObject
from llm.client import pricing
from llm.client.failures import describe
from llm.client.litellm_loader import litellm
from llm.client.types import BudgetAccount, Cost
from llm.client.wordless.single_call import SingleCall, call_once

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
    module = litellm()
    price = pricing.find_price(pricing.find_entry(module.model_cost, model), model)
    estimate = price.cost(model, sum(pricing.estimate_max_tokens(module, text) for text in texts), 0)

    def read(answer: JsonObject) -> tuple[Embedding, Cost]:
        vectors = _read_vectors(answer, model, len(texts))
        tokens = pricing.believe_count((answer.get("usage") or {}).get("prompt_tokens")) or estimate.prompt_tokens
        cost = price.cost(model, tokens, 0)
        return Embedding(model, vectors, tokens, cost.micros), cost

    arguments = {"input": list(texts), "max_retries": 0}
    return call_once(SingleCall(model, "aembedding", arguments, estimate, deadline_seconds), read, account=account)


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

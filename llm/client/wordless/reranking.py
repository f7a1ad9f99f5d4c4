"""Models that order texts by a question, and write nothing.

https://docs.cohere.com/v2/reference/rerank; litellm speaks it with each provider that has such models.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import ModuleType

from kit.json_types import JsonObject
from llm.client import pricing
from llm.client.failures import describe
from llm.client.litellm_loader import litellm
from llm.client.types import BudgetAccount, Cost
from llm.client.wire import ModelEntry
from llm.client.wordless.single_call import SingleCall, call_once


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
    estimate = _estimate_cost(litellm(), model, question, texts)

    def read(answer: JsonObject) -> tuple[Reranked, Cost]:
        # At what was reserved: providers count a question and so few short texts as one search.
        return Reranked(_read_places(answer, model, len(texts)), estimate.micros), estimate

    arguments = {"query": question, "documents": list(texts), "top_n": len(texts), "return_documents": False}
    call = SingleCall(model, "arerank", arguments, estimate, deadline_seconds)
    return call_once(call, read, account=account, cancelled=cancelled)


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


def _read_places(answer: JsonObject, model: str, count: int) -> list[int]:
    """By their scores; those that it left out follow. Raises ModelFailed (`broken`) for what is no order of these."""
    try:
        scores = {int(row["index"]): float(row["relevance_score"]) for row in answer["results"]}
    except (KeyError, TypeError, ValueError, OverflowError):
        raise describe("broken", model) from None
    if not scores or not set(scores) <= set(range(count)) or not all(map(math.isfinite, scores.values())):
        raise describe("broken", model)
    return sorted(range(count), key=lambda place: (-scores.get(place, -math.inf), place))

"""What a call may cost and what it did cost. Prices come from litellm's own list, in dollars a token."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from django.conf import settings

from documents.backends.llm.exchange import Cost, ModelRequest
from documents.backends.llm.providers import provider_of

_MICROS_PER_MTOK = 1_000_000_000_000  # from dollars a token
# English has about four bytes a token, JSON and other scripts three or fewer: an estimate should rather be high.
_BYTES_A_TOKEN = 3


@dataclass(frozen=True)
class Price:
    """Millionths of a dollar for a million tokens."""

    prompt: int
    completion: int
    known: bool = True

    def cost(self, model: str, prompt_tokens: int, completion_tokens: int) -> Cost:
        total = prompt_tokens * self.prompt + completion_tokens * self.completion
        return Cost(model, prompt_tokens, completion_tokens, math.ceil(total / 1_000_000), self.known)


def entry_for(catalogue: Mapping[str, Mapping[str, Any]], model: str) -> Mapping[str, Any]:
    """litellm's entry for a model, which it keeps with or without the provider before the name. Empty when unknown."""
    if model in catalogue:
        return catalogue[model]
    prefix, _, name = model.partition("/")
    entry = catalogue.get(name, {})
    return entry if entry.get("litellm_provider") == prefix else {}


def price_in(entry: Mapping[str, Any], model: str) -> Price:
    """An unknown price counts as the configured ceiling, never as nothing."""
    provider = provider_of(model)
    if provider and provider.name == "offline":
        return Price(0, 0)
    prompt, completion = entry.get("input_cost_per_token"), entry.get("output_cost_per_token")
    if not isinstance(prompt, int | float) or not isinstance(completion, int | float):
        ceiling = settings.UNKNOWN_PRICE_MICROS_PER_MTOK
        return Price(ceiling, ceiling, known=False)
    return Price(math.ceil(prompt * _MICROS_PER_MTOK), math.ceil(completion * _MICROS_PER_MTOK))


def most_output(entry: Mapping[str, Any], wanted: int) -> int:
    """`wanted` (0: the setting), but not more than the model can write."""
    wanted = wanted or settings.MODEL_MAX_TOKENS
    most = entry.get("max_output_tokens")
    return min(wanted, most) if isinstance(most, int) and most > 0 else wanted


def estimate(request: ModelRequest, price: Price, max_tokens: int) -> Cost:
    """The most that the call should cost: the prompt, and an answer up to the limit."""
    sent = [*request.messages, *(request.tools or ()), request.response_format or {}]
    size = len(json.dumps(sent, ensure_ascii=False, default=str).encode())
    return price.cost(request.model, size // _BYTES_A_TOKEN + 16, max_tokens)


def count(module: ModuleType, request: ModelRequest, written: str) -> tuple[int, int]:
    """(prompt, completion) tokens by litellm's tokenizer, for providers that report none."""
    tools = json.dumps(list(request.tools or ()), ensure_ascii=False)
    prompt = module.token_counter(model=request.model, messages=list(request.messages))
    extra = module.token_counter(model=request.model, text=tools) if request.tools else 0
    return int(prompt) + int(extra), int(module.token_counter(model=request.model, text=written)) if written else 0

"""The chat models worth offering, from litellm's own list. For the worker: it imports litellm."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from documents.backends.llm import pricing
from documents.backends.llm.library import litellm
from documents.backends.llm.providers import OFFLINE_MODEL, Provider, has_key, provider_of

# Providers with hundreds of resold models are listed only for those who use them.
_ONLY_WITH_KEY = ("together_ai", "openrouter", "azure", "bedrock")
_LEFT_OUT = re.compile(
    r"audio|realtime|search|transcribe|tts|image|instruct|preview|-exp|live|embed|ft:|computer|codex"
    r"|\d{4}-\d\d-\d\d|-\d{8}|-\d{4}$|-\d{3}$|@|deep-research"
)


@dataclass(frozen=True)
class KnownModel:
    """A chat model with its abilities and prices (None: unknown)."""

    name: str
    provider: str
    key_setting: str
    available: bool
    local: bool
    calls_tools: bool
    answers_schema: bool
    embedding: bool
    dimensions: int | None
    max_input_tokens: int | None
    max_output_tokens: int | None
    input_micros_per_mtok: int | None
    output_micros_per_mtok: int | None


def known_models(always: Iterable[str]) -> list[KnownModel]:
    """The offline model, the names in `always`, and the main providers' chat models; embedding models with a key."""
    prices: Mapping[str, Mapping[str, Any]] = litellm().model_cost
    names = dict.fromkeys(
        [OFFLINE_MODEL, *always, *(name for name in sorted(prices) if _is_offered(name, prices[name]))]
    )
    return [describe(name, pricing.entry_for(prices, name)) for name in names]


def describe(name: str, entry: Mapping[str, Any]) -> KnownModel:
    provider = provider_of(name) or Provider(str(entry.get("litellm_provider", "unknown")), "", "")
    offline = name == OFFLINE_MODEL
    price = pricing.price_in(entry, name)
    own = not entry and provider.name == "openai"
    return KnownModel(
        name=name, provider=provider.name, key_setting=provider.key_setting, available=has_key(provider), local=offline,
        calls_tools=offline or own or bool(entry.get("supports_function_calling")),
        answers_schema=offline or bool(entry.get("supports_response_schema")),
        embedding=entry.get("mode") == "embedding", dimensions=entry.get("output_vector_size"),
        max_input_tokens=entry.get("max_input_tokens"), max_output_tokens=entry.get("max_output_tokens"),
        input_micros_per_mtok=price.prompt if price.known else None,
        output_micros_per_mtok=price.completion if price.known else None,
    )  # fmt: skip


def _is_offered(name: str, entry: Mapping[str, Any]) -> bool:
    provider = provider_of(name)
    if provider is None or entry.get("litellm_provider") != provider.name:
        return False
    if entry.get("mode") == "embedding":
        return has_key(provider) and not _is_gone(entry)
    if entry.get("mode") != "chat":
        return False
    if not entry.get("supports_function_calling") or _LEFT_OUT.search(name) or _is_gone(entry):
        return False
    return provider.name not in _ONLY_WITH_KEY or has_key(provider)


def _is_gone(entry: Mapping[str, Any]) -> bool:
    return str(entry.get("deprecation_date") or "9999") <= f"{timezone.now():%Y-%m-%d}"

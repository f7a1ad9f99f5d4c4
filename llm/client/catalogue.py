"""The chat models worth offering, from litellm's own list. For the worker: it imports litellm."""

from __future__ import annotations

import os
import re
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass

from django.utils import timezone

from llm.client import pricing
from llm.client.litellm_loader import litellm
from llm.client.providers import (
    OFFLINE_MODEL,
    PROVIDERS,
    SERVERS,
    Provider,
    find_provider_of,
    has_key,
    is_local,
)
from llm.client.wire import ModelEntry

# litellm begins a person's sign-in there as soon as it is asked about them; a server has nobody to finish it.
_WITH_SIGN_IN = frozenset({"chatgpt", "github_copilot"})
# litellm sends one of these where a client library insists on a key.
_NO_KEYS = ("fake", "dummy")
# Settings that let somebody in end with these words; at least so much of a provider's name stands before.
_ACCESS = ("KEY", "TOKEN", "JWT", "CREDENTIALS", "PROJECT")
_MIN_START = 4
RERANKS = "rerank"
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
    sees: bool
    embedding: bool
    reranks: bool
    dimensions: int | None
    max_input_tokens: int | None
    max_output_tokens: int | None
    input_micros_per_mtok: int | None
    output_micros_per_mtok: int | None


def list_providers() -> list[Provider]:
    """List providers that litellm alone knows, and whether their keys are in the environment."""
    named = {provider.name for provider in (*PROVIDERS, *SERVERS)}
    names = {str(getattr(each, "value", each)) for each in litellm().provider_list} - named - _WITH_SIGN_IN
    return [_provider_with_key(name) for name in sorted(names)]


def _provider_with_key(name: str) -> Provider:
    """litellm lists all that may be missing, a region or a project too; only of a secret it is sure."""
    module, model = litellm(), f"{name}/any"
    environment = module.validate_environment(model)
    missing = [each for each in environment["missing_keys"] if each.endswith(("KEY", "TOKEN"))]
    if not missing:
        usual = f"{name.upper()}_API_KEY"
        # litellm knows no setting of most providers, and then says that none is missing.
        found_key = environment["keys_in_environment"] and _has_setting(name)
        return Provider(name, name, usual if usual in os.environ else "", resells=True, found_key=found_key)
    # Some are read under several names, which is seen only by what litellm would send.
    key = module.get_llm_provider(model)[2] or ""
    return Provider(name, name, missing[0], resells=True, found_key=bool(key) and not key.startswith(_NO_KEYS))


def _has_setting(provider: str) -> bool:
    """Whether the environment has what looks like this provider's access, such as VERTEXAI_PROJECT for vertex_ai."""
    starts, short = [_bare(provider)], _bare(provider).removesuffix("AI")
    # fireworks_ai reads FIREWORKS_API_KEY too; azure_ai does not read what belongs to azure.
    if len(short) > _MIN_START and find_provider_of(f"{short.lower()}/any", {}) is None:
        starts.append(short)
    names = [name for name, value in os.environ.items() if value and name.endswith(_ACCESS)]
    return any(_bare(name).startswith(tuple(starts)) for name in names)


def _bare(name: str) -> str:
    return re.sub(r"[^A-Z0-9]", "", name.upper())


def list_models(always: Iterable[str], providers: Iterable[Provider]) -> list[KnownModel]:
    """The offline model, the names in `always`, and chat models: of the main providers, and of those with a key.

    Models for embeddings, and those that order texts, only of providers with a key. `providers` are those of
    `list_providers`.
    """
    prices: Mapping[str, ModelEntry] = {_name_fully(name, each): each for name, each in litellm().model_cost.items()}
    listed = {provider.name: provider for provider in providers}
    keyed = (each for each in (*PROVIDERS, *listed.values()) if each.key_setting or each.found_key)
    with_key = {each.name for each in keyed if has_key(each)}
    offered = (
        name for name in sorted(prices) if _is_offered(prices[name], find_provider_of(name, listed), name, with_key)
    )
    names = dict.fromkeys([OFFLINE_MODEL, *always, *offered])
    return [describe_model(name, pricing.find_entry(prices, name), find_provider_of(name, listed)) for name in names]


def _name_fully(name: str, entry: ModelEntry) -> str:
    """litellm lists most models that order texts by names that do not say whose they are."""
    provider = entry.get("litellm_provider", "")
    is_bare = entry.get("mode") == RERANKS and provider and "/" not in name
    return f"{provider}/{name}" if is_bare else name


def describe_model(name: str, entry: ModelEntry, provider: Provider | None) -> KnownModel:
    provider = provider or Provider(str(entry.get("litellm_provider", "unknown")), "")
    offline = name == OFFLINE_MODEL
    price = pricing.find_price(entry, name)
    own = not entry and bool(provider.base_settings)
    return KnownModel(
        name=name,
        provider=provider.name,
        key_setting=provider.key_setting,
        available=has_key(provider),
        local=is_local(name),
        calls_tools=offline or own or bool(entry.get("supports_function_calling")),
        answers_schema=offline or bool(entry.get("supports_response_schema")),
        sees=bool(entry.get("supports_vision")),
        embedding=entry.get("mode") == "embedding",
        reranks=entry.get("mode") == RERANKS,
        dimensions=entry.get("output_vector_size"),
        max_input_tokens=entry.get("max_input_tokens"),
        max_output_tokens=entry.get("max_output_tokens"),
        input_micros_per_mtok=price.prompt if price.known else None,
        output_micros_per_mtok=price.completion if price.known else None,
    )


def _is_offered(entry: ModelEntry, provider: Provider | None, name: str, with_key: Container[str]) -> bool:
    if provider is None or entry.get("litellm_provider") != provider.name:
        return False
    if entry.get("mode") in ("embedding", RERANKS):
        return provider.name in with_key and not _is_gone(entry)
    if entry.get("mode") != "chat":
        return False
    if not entry.get("supports_function_calling") or _LEFT_OUT.search(name) or _is_gone(entry):
        return False
    # Providers with hundreds of resold models are listed only for those who use them.
    return not provider.resells or provider.name in with_key


def _is_gone(entry: ModelEntry) -> bool:
    return str(entry.get("deprecation_date") or "9999") <= f"{timezone.now():%Y-%m-%d}"

"""The providers a self-hoster is likely to have a key for, and the setting each one's key is in. Knows no litellm."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass

from django.conf import settings

from docrouter.kit import env

OFFLINE_MODEL = "offline/rules"


@dataclass(frozen=True)
class Provider:
    """`name` is litellm's; `starts` are the beginnings of model names that need no `provider/` before them."""

    name: str
    title: str
    key_setting: str
    starts: tuple[str, ...] = ()
    takes_stored_key: bool = True


PROVIDERS = (
    Provider("offline", "Built-in rules", ""),
    Provider("openai", "OpenAI", "OPENAI_API_KEY", ("gpt-", "o1", "o3", "o4", "chatgpt-", "text-embedding-")),
    Provider("anthropic", "Anthropic", "ANTHROPIC_API_KEY", ("claude-",)),
    Provider("gemini", "Google Gemini", "GEMINI_API_KEY"),
    Provider("mistral", "Mistral", "MISTRAL_API_KEY"),
    Provider("groq", "Groq", "GROQ_API_KEY"),
    Provider("deepseek", "DeepSeek", "DEEPSEEK_API_KEY"),
    Provider("xai", "xAI", "XAI_API_KEY"),
    Provider("together_ai", "Together AI", "TOGETHERAI_API_KEY"),
    Provider("openrouter", "OpenRouter", "OPENROUTER_API_KEY"),
    Provider("azure", "Azure OpenAI", "AZURE_API_KEY"),
    # A pair of keys and a region, which only the environment can give.
    Provider("bedrock", "Amazon Bedrock", "AWS_ACCESS_KEY_ID", takes_stored_key=False),
)
_BY_NAME = {provider.name: provider for provider in PROVIDERS}
_look_up_stored: Callable[[str], str] = lambda provider: ""  # noqa: E731


def use_stored_keys(look_up: Callable[[str], str]) -> None:
    """`look_up` gives the key that an admin stored for a provider's name, or an empty text. Called at the start."""
    global _look_up_stored
    _look_up_stored = look_up


def stored_key(provider: Provider) -> str:
    return _look_up_stored(provider.name) if provider.key_setting else ""


def env_key(provider: Provider) -> str:
    return env.text(provider.key_setting) if provider.key_setting else ""


def provider_of(model: str) -> Provider | None:
    """The provider behind a model's name, or None when the name tells nothing."""
    prefix, slash, _ = model.partition("/")
    if slash:
        return _BY_NAME.get(prefix)
    return next((p for p in PROVIDERS if p.starts and model.startswith(p.starts)), None)


def has_key(provider: Provider) -> bool:
    """True when a key is set or stored, or none is needed (built in, or one's own server behind MODEL_API_BASE)."""
    if not provider.key_setting or uses_own_server(provider):
        return True
    return bool(env_key(provider) or stored_key(provider))


def uses_own_server(provider: Provider) -> bool:
    return provider.name == "openai" and bool(settings.MODEL_API_BASE)


def is_local(model: str) -> bool:
    """Whether what is sent to this model stays on machines of one's own."""
    provider = provider_of(model)
    return provider is not None and (provider.name == "offline" or uses_own_server(provider))


def keys_into_environment() -> None:
    """litellm reads keys from the environment only; NAME_FILE is ours."""
    for provider in PROVIDERS:
        name = provider.key_setting
        if name and not os.environ.get(name) and (value := env.text(name)):
            os.environ[name] = value


def provider_name(model: str) -> str:
    """The provider's name, or what stands before the slash where we know none."""
    provider = provider_of(model)
    return provider.name if provider else model.partition("/")[0]


def prefixes_of(name: str) -> tuple[str, ...]:
    """How the names of this provider's models begin."""
    provider = _BY_NAME.get(name)
    return (f"{name}/", *(provider.starts if provider else ()))


_RESELLERS = ("together_ai", "openrouter", "azure", "bedrock")


def maker_of(model: str) -> str:
    """Whose signatures and other extras this model understands: its provider's, or only its own behind a reseller."""
    provider = provider_of(model)
    if provider is None or provider.name in _RESELLERS or uses_own_server(provider):
        return model
    return provider.name

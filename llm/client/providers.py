"""Providers of models: the setting of each one's key or server, and whether what it is sent leaves one's own machines.

Knows no litellm. The likely providers stand here; the worker writes all others that litellm knows to rows.
"""

from __future__ import annotations

import ipaddress
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import cast
from urllib.parse import urlsplit

from django.conf import settings

from kit import env
from llm.client.types import ModelFailed
from llm.client.wire import Credentials

OFFLINE_MODEL = "offline/rules"


@dataclass(frozen=True)
class Provider:
    """`name` is litellm's; `starts` are the beginnings of model names that need no `provider/` before them.

    `base_settings` name the address of a server of one's own, the first that is set. `resells`: it serves models of
    many makers, so they are listed only with a key, and what one model gave along goes back to that model alone.
    """

    name: str
    title: str
    key_setting: str = ""
    starts: tuple[str, ...] = ()
    takes_stored_key: bool = True
    base_settings: tuple[str, ...] = ()
    default_base: str = ""
    resells: bool = False
    wire_name: str = ""
    found_key: bool = False  # by the worker, for a provider that is not in this list


def _server(name: str, title: str, *base_settings: str, default: str = "", wire_name: str = "") -> Provider:
    return Provider(name, title, base_settings=base_settings, default_base=default, resells=True, wire_name=wire_name)


PROVIDERS = (
    Provider("offline", "Built-in rules"),
    Provider(
        "openai",
        "OpenAI",
        "OPENAI_API_KEY",
        ("gpt-", "o1", "o3", "o4", "chatgpt-", "text-embedding-"),
        base_settings=("MODEL_API_BASE", "OPENAI_BASE_URL", "OPENAI_API_BASE"),
    ),
    Provider("anthropic", "Anthropic", "ANTHROPIC_API_KEY", ("claude-",)),
    Provider("gemini", "Google Gemini", "GEMINI_API_KEY"),
    Provider("mistral", "Mistral", "MISTRAL_API_KEY"),
    Provider("groq", "Groq", "GROQ_API_KEY"),
    Provider("deepseek", "DeepSeek", "DEEPSEEK_API_KEY"),
    Provider("xai", "xAI", "XAI_API_KEY"),
    Provider("together_ai", "Together AI", "TOGETHERAI_API_KEY", resells=True),
    Provider("openrouter", "OpenRouter", "OPENROUTER_API_KEY", resells=True),
    Provider("azure", "Azure OpenAI", "AZURE_API_KEY", resells=True),
    # A pair of keys and a region, which only the environment can give.
    Provider("bedrock", "Amazon Bedrock", "AWS_ACCESS_KEY_ID", takes_stored_key=False, resells=True),
)
# Servers that people run themselves. The defaults are those of the servers.
SERVERS = (
    _server("ollama", "Ollama", "OLLAMA_API_BASE", default="http://localhost:11434"),
    _server("ollama_chat", "Ollama", "OLLAMA_API_BASE", default="http://localhost:11434"),
    _server("hosted_vllm", "vLLM", "HOSTED_VLLM_API_BASE"),
    # litellm's own `vllm` runs the model inside this process, which nobody wants of a worker.
    _server("vllm", "vLLM", "HOSTED_VLLM_API_BASE", "VLLM_API_BASE", wire_name="hosted_vllm"),
    _server("lm_studio", "LM Studio", "LM_STUDIO_API_BASE", default="http://localhost:1234/v1"),
    _server("llamafile", "llamafile", "LLAMAFILE_API_BASE", default="http://127.0.0.1:8080/v1"),
    _server("xinference", "Xinference", "XINFERENCE_API_BASE", default="http://127.0.0.1:9997/v1"),
)
SEALED_OFF = "the stored key is sealed with a key that is gone; enter it again"
_BY_NAME = {provider.name: provider for provider in (*PROVIDERS, *SERVERS)}
# Ollama hands models of these names on to its makers' cloud, although the server is on this machine.
_CLOUD_SUFFIXES = (":cloud", "-cloud")
_PRIVATE_NETWORKS = [
    ipaddress.ip_network(network)
    for network in ("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "::1/128", "fc00::/7")
]
_look_up_stored: Callable[[str], str] = lambda provider: ""  # noqa: E731
_look_up_sealed_off: Callable[[str], bool] = lambda provider: False  # noqa: E731
_look_up_listed: Callable[[str], Provider | None] = lambda name: None  # noqa: E731


def use_rows(
    *,
    stored_key: Callable[[str], str],
    is_sealed_off: Callable[[str], bool],
    listed: Callable[[str], Provider | None],
) -> None:
    """Where stored keys, and providers that are not in this file, are looked up by a provider's name."""
    global _look_up_stored, _look_up_sealed_off, _look_up_listed
    _look_up_stored, _look_up_sealed_off, _look_up_listed = stored_key, is_sealed_off, listed


def find_stored_key(provider: Provider) -> str:
    return _look_up_stored(provider.name) if provider.key_setting else ""


def read_env_key(provider: Provider) -> str:
    return env.text(provider.key_setting) if provider.key_setting else ""


def find_provider(name: str) -> Provider | None:
    return _BY_NAME.get(name) or _look_up_listed(name)


def find_provider_of(model: str, listed: Mapping[str, Provider] | None = None) -> Provider | None:
    """The provider behind a model's name, or None when the name tells nothing. Asks `listed` in place of the rows."""
    prefix, slash, _ = model.partition("/")
    if not slash:
        return next((p for p in PROVIDERS if p.starts and model.startswith(p.starts)), None)
    return find_provider(prefix) if listed is None else _BY_NAME.get(prefix) or listed.get(prefix)


def get_base(provider: Provider) -> str:
    """The address of one's own server; empty for a cloud's own. What is judged here is what calls are given."""
    for name in provider.base_settings:
        if base := settings.MODEL_API_BASE if name == "MODEL_API_BASE" else env.text(name):
            return base
    return provider.default_base


def find_missing_setting(provider: Provider) -> str:
    """The setting without which the provider cannot be used; empty when nothing is missing."""
    if get_base(provider):
        return ""
    if provider.key_setting:
        there = provider.found_key or read_env_key(provider) or find_stored_key(provider)
        return "" if there else provider.key_setting
    return next(iter(provider.base_settings), "")


def explain_missing(provider: Provider) -> str:
    """Say what to do before the provider can be used; empty when nothing is missing."""
    missing = find_missing_setting(provider)
    if missing and provider.key_setting and _look_up_sealed_off(provider.name):
        return f"{SEALED_OFF}, or set {missing}"
    return f"set {missing}" if missing else ""


def has_key(provider: Provider) -> bool:
    """True when a key is set or stored, or none is needed (built in, or one's own server)."""
    return not find_missing_setting(provider)


def uses_own_server(provider: Provider) -> bool:
    return bool(get_base(provider))


def is_local(model: str) -> bool:
    """Whether what is sent to this model stays on machines of one's own: by LOCAL_PROVIDERS, else by the address."""
    provider = find_provider_of(model)
    if provider is None or model.casefold().endswith(_CLOUD_SUFFIXES):
        return False
    if provider.name == "offline":
        return True
    said_so = settings.LOCAL_PROVIDERS.get(provider.name)
    return is_private(get_base(provider)) if said_so is None else bool(said_so)


def is_private(base: str) -> bool:
    """Loopback or private by its digits. A name is not looked up: who answers to it may change after the look."""
    host = urlsplit(base).hostname or ""
    if host == "localhost":
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    return any(address in network for network in _PRIVATE_NETWORKS)


def get_wire_model(model: str) -> str:
    """The name under which litellm is asked for this model."""
    provider = find_provider_of(model)
    return f"{provider.wire_name}/{model.partition('/')[2]}" if provider and provider.wire_name else model


def export_keys() -> None:
    """litellm reads keys from the environment only; NAME_FILE is ours."""
    named = [provider.key_setting for provider in PROVIDERS]
    named += [name.removesuffix("_FILE") for name in os.environ if name.endswith(("_API_KEY_FILE", "_TOKEN_FILE"))]
    for name in named:
        if name and not os.environ.get(name) and (value := env.text(name)):
            os.environ[name] = value


def get_provider_name(model: str) -> str:
    """The provider's name, or what stands before the slash where we know none."""
    provider = find_provider_of(model)
    return provider.name if provider else model.partition("/")[0]


def list_prefixes(name: str) -> tuple[str, ...]:
    """List the beginnings of the names of this provider's models."""
    provider = _BY_NAME.get(name)
    return (f"{name}/", *(provider.starts if provider else ()))


# Mistral's own API answers "Unexpected role 'user' after role 'tool'"; of others that serve its models nobody knows.
_MISTRAL_FAMILY = re.compile(r"[sx]tral", re.IGNORECASE)


def takes_user_after_result(model: str) -> bool:
    """Whether a message of the user may follow the result of a tool."""
    return not _MISTRAL_FAMILY.search(model)


def get_maker(model: str) -> str:
    """Name the maker whose extras (such as signatures) the model understands; a reseller's models have their own."""
    provider = find_provider_of(model)
    if provider is None or provider.resells or uses_own_server(provider):
        return model
    return provider.name


def require_key(model: str) -> None:
    provider = find_provider_of(model)
    if provider and (missing := explain_missing(provider)):
        what = f"a key of {provider.title}" if provider.key_setting else "the address of its server"
        raise ModelFailed(f"{model} needs {what}: {missing}.", code="key")


def get_credentials(model: str) -> Credentials:
    """A stored key goes with the call; what is in the environment litellm finds by itself.

    The address of one's own server goes along as it was judged local or not, whatever else litellm would read.
    """
    provider = find_provider_of(model)
    if not provider:
        return {}
    key, base = find_stored_key(provider), get_base(provider)
    if base and provider.name == "openai":
        # Servers of one's own seldom want a key, but the client library refuses to send none.
        key = key or env.text("OPENAI_API_KEY", "none")
    return cast(Credentials, {name: value for name, value in (("api_base", base), ("api_key", key)) if value})

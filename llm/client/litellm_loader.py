"""litellm, imported when the first model call needs it: the import takes seconds and 180 MB."""

from __future__ import annotations

import logging
import os
import threading
from types import ModuleType

from kit.processes.imports import pause_collection
from llm.client import providers

_lock = threading.Lock()
_litellm: ModuleType | None = None


def litellm() -> ModuleType:
    """The module, set up for this product. Never call this in a web process."""
    global _litellm
    with _lock:
        if _litellm is None:
            with pause_collection():
                _litellm = _load()
        return _litellm


def _load() -> ModuleType:
    # Read at import: without it litellm fetches its price list from the network.
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    os.environ.setdefault("LITELLM_LOG", "ERROR")
    # Also read at import. An argument `max_retries=0` is taken for none given by `aembedding`, which then sends the
    # request up to three times; one reservation pays for one request, and `streaming` tries again by itself.
    os.environ["DEFAULT_MAX_RETRIES"] = "0"
    # With either of them litellm would reach servers past `transport`.
    os.environ["DISABLE_AIOHTTP_TRANSPORT"] = os.environ["LITELLM_HTTP2"] = "False"
    providers.export_keys()
    import litellm  # noqa: PLC0415 - slow to import, see above

    from llm.client import offline_provider, transport  # noqa: PLC0415 - they import litellm themselves

    litellm.disable_streaming_logging = True
    litellm.suppress_debug_info = True
    litellm.drop_params = True
    litellm.telemetry = False
    for name in ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy"):
        logging.getLogger(name).setLevel(logging.ERROR)
    # Else a model's name is enough to fetch its tokenizer from the network, to count tokens.
    litellm.disable_hf_tokenizer_download = True
    offline_provider.register()
    transport.install()
    module: ModuleType = litellm
    return module

"""What a call may cost."""

from __future__ import annotations

from typing import Any

from llm.client import Quote


def estimate(micros: int, **more: Any) -> Quote:
    """A call whose answer costs nothing, so that it costs this or is not made."""
    return Quote("openai/x", micros, **more)


def make_quote(**more: Any) -> Quote:
    """$1 a million tokens: a thousand micros for the prompt, then one for each token of the answer."""
    return Quote("openai/x", 1000, output_micros_per_mtok=1_000_000, max_output=8000, **more)

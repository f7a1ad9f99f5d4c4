"""What follows from tags that a document gets."""

from __future__ import annotations

from collections.abc import Sequence

from agent.toolkit.previews import quote_names
from documents.definitions import tags
from documents.models import Tag


def describe_effect(added: Sequence[Tag], otherwise: str = "Changes nothing but this document.") -> str:
    starting = {tag.name: [prompt.name for prompt in tags.list_prompts_with(tag)] for tag in added}
    sentences = [
        f"“{name}” starts {quote_names(runs)} when a document is read." for name, runs in starting.items() if runs
    ]
    return " ".join(sentences) or otherwise

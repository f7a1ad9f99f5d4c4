"""The answers of a thread with the sources that they name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256

from agent.models import Thread
from agent.views.thread.sources import Source, find_sources
from agent.views.thread.thread_items import AgentText, Item


def add_sources(thread: Thread, items: list[Item]) -> list[Item]:
    """To the answers of a thread that is about no single document, where page and line alone name no place."""
    texts = {item.key: item.text for item in items if isinstance(item, AgentText)}
    sources = {} if thread.document_id else find_sources(thread.organization, texts)
    return [
        replace(item, sources=sources[item.key], version=_version_of(sources[item.key]))
        if isinstance(item, AgentText) and item.key in sources
        else item
        for item in items
    ]


def _version_of(sources: Sequence[Source]) -> str:
    """Another one once a document is renamed or gone."""
    named = [(source.document.name if source.document else "") for source in sources]
    return sha256(repr(named).encode()).hexdigest()[:12]

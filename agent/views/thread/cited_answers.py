"""A thread about no single document: answers with their sources, and steps in short."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256

from agent.conversation.sources import Source, find_sources
from agent.models import Thread
from agent.views.thread.ran_rows import describe_rows
from agent.views.thread.thread_items import AgentText, Item, RanCalls


def present_research(thread: Thread, items: list[Item]) -> list[Item]:
    """In a thread about no single document answers number their sources, and steps fold to a sentence."""
    if thread.document_id:
        return items
    texts = {item.key: item.text for item in items if isinstance(item, AgentText)}
    sources = find_sources(thread.organization, texts)
    return [_present(item, sources.get(item.key, [])) for item in items]


def _present(item: Item, sources: list[Source]) -> Item:
    if isinstance(item, AgentText) and sources:
        return replace(item, sources=sources, version=_version_of(sources))
    if isinstance(item, RanCalls):
        return replace(item, sentence=describe_rows(item.rows))
    return item


def _version_of(sources: Sequence[Source]) -> str:
    """Another one once a document is renamed or gone."""
    named = [(source.document.name if source.document else "") for source in sources]
    return sha256(repr(named).encode()).hexdigest()[:12]

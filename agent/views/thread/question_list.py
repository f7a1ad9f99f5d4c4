"""The questions that have been asked about many documents, beside a new one and beside each of them."""

from __future__ import annotations

from accounts.actor import Actor
from agent.conversation import thread_lists, threads
from agent.conversation.addresses import address_of
from agent.conversation.thread_lists import Excerpt
from agent.models import Thread

MAX_LISTED = 50


def list_questions(actor: Actor, words: str = "") -> dict[str, object]:
    """The threads about no document that the actor may read, for `agent/thread_rows.html`."""
    rows = thread_lists.list_readable(actor).filter(document=None)
    listed = list(thread_lists.search_threads(rows, words)[: MAX_LISTED + 1])
    excerpts = thread_lists.find_excerpts(listed[:MAX_LISTED], words)
    return {
        "words": words,
        "cut": len(listed) > MAX_LISTED,
        "rows": [_describe(actor, thread, excerpts) for thread in listed[:MAX_LISTED]],
    }


def _describe(actor: Actor, thread: Thread, excerpts: dict[str, Excerpt]) -> tuple[Thread, str, Excerpt | None, bool]:
    return thread, address_of(thread), excerpts.get(thread.pk), threads.is_own(actor, thread)

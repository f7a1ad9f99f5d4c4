"""The threads beside a new question and beside each thread about many documents, by day."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import NamedTuple

from django.db.models import Q
from django.utils import timezone
from django.utils.formats import date_format

from accounts.actor import Actor
from agent.conversation import thread_lists, threads
from agent.conversation.addresses import address_of
from agent.conversation.thread_lists import Excerpt
from agent.models import Thread

MAX_LISTED = 50


class ListedThread(NamedTuple):
    """`day` is the heading that it stands below."""

    day: str
    thread: Thread
    address: str
    excerpt: Excerpt | None
    is_own: bool


def list_threads(actor: Actor, words: str = "") -> dict[str, object]:
    """One's own and those of everybody about many documents, for `agent/thread_rows.html`.

    `words` are looked for in titles and messages of all threads that the actor may read.
    """
    rows = thread_lists.list_readable(actor)
    rows = thread_lists.search_threads(rows, words) if words else rows.filter(Q(owner=actor.user) | Q(document=None))
    listed = list(rows[: MAX_LISTED + 1])
    excerpts, today = thread_lists.find_excerpts(listed[:MAX_LISTED], words), timezone.localdate()
    return {
        "words": words,
        "cut": len(listed) > MAX_LISTED,
        "rows": [
            ListedThread(
                name_day(thread.updated_at, today),
                thread,
                address_of(thread),
                excerpts.get(thread.pk),
                threads.is_own(actor, thread),
            )
            for thread in listed[:MAX_LISTED]
        ],
    }


def name_day(moment: datetime, today: date) -> str:
    """ "Today", "Yesterday", "Last 7 days", "Last 30 days" or a month, such as "March 2026"."""
    age = today - timezone.localtime(moment).date()
    if age <= timedelta(days=1):
        return "Yesterday" if age == timedelta(days=1) else "Today"
    if age <= timedelta(days=30):
        return "Last 7 days" if age <= timedelta(days=7) else "Last 30 days"
    return date_format(timezone.localtime(moment), "F Y")

"""Which threads, and with them turns and cards, a person may see."""

from __future__ import annotations

from django.db.models import Q

from accounts.actor import Actor


def filter_visible(actor: Actor, path: str = "thread__") -> Q:
    """Threads are open to the organization, private ones and those on a document in the trash to their owner."""
    is_open = Q(**{f"{path}private": False, f"{path}document__trashed_at": None})
    return Q(**{f"{path}organization": actor.organization, f"{path}trashed_at": None}) & (
        is_open | Q(**{f"{path}owner": actor.user})
    )

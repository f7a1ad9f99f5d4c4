"""Small things that pages remember for a person in one organization."""

from __future__ import annotations

from django.db import transaction
from django.db.models import QuerySet

from accounts.actor import Actor
from accounts.models import Member

MAX_SEARCHES, MAX_SEARCH = 8, 200
MAX_DISMISSED = 20


def list_dismissed_steps(actor: Actor) -> list[str]:
    return list(_find(actor).values_list("dismissed_steps", flat=True).first() or [])


@transaction.atomic
def dismiss_step(actor: Actor, *, name: str) -> None:
    member = _find(actor).select_for_update().get()
    member.dismissed_steps = list(dict.fromkeys([*member.dismissed_steps, name]))[-MAX_DISMISSED:]
    member.save(update_fields=["dismissed_steps"])


def list_searches(actor: Actor) -> list[str]:
    """The newest first."""
    return list(_find(actor).values_list("recent_searches", flat=True).first() or [])


@transaction.atomic
def remember_search(actor: Actor, *, text: str) -> None:
    """A search that is there moves to the front; the oldest goes where there are too many."""
    text = " ".join(text.split())
    if not text or len(text) > MAX_SEARCH or list_searches(actor)[:1] == [text]:
        return
    member = _find(actor).select_for_update().get()
    searches = [text, *(each for each in member.recent_searches if each != text)][:MAX_SEARCHES]
    if searches != member.recent_searches:
        member.recent_searches = searches
        member.save(update_fields=["recent_searches"])


@transaction.atomic
def forget_searches(actor: Actor, *, text: str = "") -> None:
    """One of them, or without a text all."""
    member = _find(actor).select_for_update().get()
    member.recent_searches = [each for each in member.recent_searches if text and each != text]
    member.save(update_fields=["recent_searches"])


def _find(actor: Actor) -> QuerySet[Member]:
    return Member.objects.filter(organization=actor.organization, user=actor.user)

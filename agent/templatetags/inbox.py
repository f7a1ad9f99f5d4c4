"""How much waits for the visitor, for the navigation of every page."""

from __future__ import annotations

from django import template

from accounts.actor import Actor
from agent.inbox import inbox

register = template.Library()


@register.simple_tag(name="waiting_count")
def count_waiting(actor: Actor | None) -> int:
    """Up to inbox.MAX_COUNTED; 0 outside an organization."""
    return inbox.count_waiting(actor) if actor else 0


@register.filter("capped")
def cap_count(count: int) -> str:
    return f"{inbox.MAX_COUNTED - 1}+" if count >= inbox.MAX_COUNTED else str(count)

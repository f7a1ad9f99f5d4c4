"""What the templates of cards need besides the card."""

from __future__ import annotations

from django import template

from kit.ids import new_id

register = template.Library()


@register.simple_tag
def fresh_key() -> str:
    """A new idempotency key: a click that is sent twice from the same page counts once."""
    return new_id()

"""Words of the figures of usage, for pages."""

from __future__ import annotations

from django import template

from agent.usage.figures import format_seconds, format_tokens

register = template.Library()
register.filter("tokens", format_tokens)
register.filter("duration", format_seconds)

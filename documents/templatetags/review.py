"""Review in the settings."""

from __future__ import annotations

from django import template
from django.conf import settings
from django.template import Context

from accounts.actor import Actor
from accounts.models import Role
from documents.review import next_steps, times
from documents.review.next_steps import NextStep

register = template.Library()


@register.simple_tag
def list_next_steps(actor: Actor) -> list[NextStep]:
    return next_steps.list_next_steps(actor)


@register.inclusion_tag("documents/settings/review_times.html", takes_context=True)
def review_times_section(context: Context) -> dict[str, object]:
    """For admins, where times are kept."""
    actor: Actor = context["actor"]
    is_shown = settings.KEEP_REVIEW_TIMES and actor.may(Role.ADMIN)
    return {"median": times.find_median(actor.organization) if is_shown else None, "days": times.MEDIAN_DAYS}

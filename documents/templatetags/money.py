"""The month's money as the settings show it."""

from __future__ import annotations

from django import template
from django.template import Context

from accounts.actor import Actor
from accounts.models import Role
from documents.services import spending

register = template.Library()


@register.inclusion_tag("documents/settings/budget.html", takes_context=True)
def budget_section(context: Context) -> dict[str, object]:
    """Spent counts the present month alone; what running calls hold comes on top."""
    actor: Actor = context["actor"]
    budget = spending.budget_of(actor.organization)
    is_present = budget.month == spending.this_month()
    return {
        "actor": actor,
        "csrf_token": context.get("csrf_token"),
        "limit_micros": budget.limit_micros,
        "limit_usd": f"{budget.limit_micros / spending.MICROS:.2f}",
        "spent_micros": budget.spent_micros if is_present else 0,
        "held_micros": budget.held_micros if is_present else 0,
        "left_micros": spending.left_micros(actor.organization),
        "may_administrate": actor.may(Role.ADMIN),
    }

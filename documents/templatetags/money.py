"""The budget in the frame of every page."""

from __future__ import annotations

from django import template

from accounts.actor import Actor
from llm.models import Budget
from llm.money.budgets import find_passed_share, get_month

register = template.Library()


@register.simple_tag
def budget_alert(actor: Actor | None) -> Budget | None:
    """The month's budget once most of it is spent, else nothing."""
    if actor is None:
        return None
    budget = Budget.objects.filter(organization=actor.organization, month=get_month()).first()
    return budget if budget and find_passed_share(budget.spent_micros, budget.limit_micros) else None

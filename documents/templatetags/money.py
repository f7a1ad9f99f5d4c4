"""The month's money as the settings show it."""

from __future__ import annotations

from django import template
from django.conf import settings
from django.template import Context

from accounts.actor import Actor
from accounts.models import Role
from documents.models import ModelPrice
from llm.money import budgets, model_prices

register = template.Library()


@register.inclusion_tag("documents/settings/budget.html", takes_context=True)
def budget_section(context: Context) -> dict[str, object]:
    """Spent counts the present month alone; what running calls have reserved comes on top."""
    actor: Actor = context["actor"]
    budget = budgets.get_budget(actor.organization)
    return {
        "actor": actor,
        "csrf_token": context.get("csrf_token"),
        "budget": budget,
        "limit_usd": f"{budget.limit_micros / budgets.MICROS:.2f}",
        "may_administrate": actor.may(Role.ADMIN),
        **_list_prices(actor),
    }


def _list_prices(actor: Actor) -> dict[str, object]:
    models = dict.fromkeys((settings.DEFAULT_MODEL, settings.EXTRACTION_MODEL))
    return {
        "may_set_prices": actor.user.is_superuser and actor.may(Role.ADMIN),
        "prices": ModelPrice.objects.order_by("name"),
        "unpriced": [model for model in models if model_prices.find_price(model) is None],
        "ceiling_micros": settings.UNKNOWN_PRICE_MICROS_PER_MTOK,
    }

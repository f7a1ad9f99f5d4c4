"""The monthly budget and the prices of models, in the settings."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from accounts.actor import Actor
from accounts.models import Role
from accounts.views.pages import PageRequest, organization_page
from documents.models import ModelPrice
from documents.views.forms import BudgetForm
from kit.errors import Invalid
from llm.money import budgets, model_prices


@require_GET
@organization_page()
def show(request: PageRequest) -> HttpResponse:
    """Spent counts the present month alone; what running calls have reserved comes on top."""
    actor = request.actor
    budget = budgets.get_budget(actor.organization)
    context = {
        "section": "settings",
        "subject": "Budget",
        "budget": budget,
        "limit_usd": f"{budget.limit_micros / budgets.MICROS:.2f}",
        "may_administrate": actor.may(Role.ADMIN),
        **_list_prices(actor),
    }
    return render(request, "documents/settings/budget.html", context)


@require_POST
@organization_page(role=Role.ADMIN)
def change(request: PageRequest) -> HttpResponse:
    form = BudgetForm(request.POST)
    try:
        if not form.is_valid():
            raise Invalid("The monthly budget is an amount in dollars, such as 25 or 12.50.")
        budget = budgets.set_limit(request.actor, limit_usd=float(form.cleaned_data["limit_usd"]))
        messages.info(request, f"The monthly budget is {budgets.format_dollars(budget.limit_micros)} now.")
    except Invalid as error:
        messages.error(request, error.sentence)
    return redirect("budget", request.actor.organization.pk)


def _list_prices(actor: Actor) -> dict[str, object]:
    models = dict.fromkeys((settings.DEFAULT_MODEL, settings.EXTRACTION_MODEL))
    return {
        "may_set_prices": actor.user.is_superuser and actor.may(Role.ADMIN),
        "prices": ModelPrice.objects.order_by("name"),
        "unpriced": [model for model in models if model_prices.find_price(model) is None],
        "ceiling_micros": settings.UNKNOWN_PRICE_MICROS_PER_MTOK,
    }

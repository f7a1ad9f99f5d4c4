"""The monthly budget, changed on the settings page."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from accounts.models import Role
from accounts.views.pages import PageRequest, organization_page
from documents.views.forms import BudgetForm
from kit.errors import Invalid
from llm.money import budgets


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
    return redirect("settings", request.actor.organization.pk)

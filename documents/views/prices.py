"""Prices of models, set beside the budget by the operator: they apply to every organization."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST

from accounts.models import Role
from accounts.views.pages import PageRequest, organization_page
from documents.models import ModelPrice
from documents.views.forms import PriceForm
from kit.errors import Invalid
from llm.money import model_prices


@require_POST
@organization_page(role=Role.ADMIN)
def store(request: PageRequest) -> HttpResponse:
    model_prices.require_operator(request.actor.user)
    form = PriceForm(request.POST)
    try:
        if not form.is_valid():
            raise Invalid("A price is an amount in dollars for a million tokens, such as 0 or 0.25.")
        price = model_prices.store(request.actor.user, **form.cleaned_data)
        messages.info(request, f"The price of {price.name} is set.")
    except Invalid as error:
        messages.error(request, error.sentence)
    return redirect("budget", request.actor.organization.pk)


@require_POST
@organization_page(role=Role.ADMIN)
def remove(request: PageRequest, price_id: str) -> HttpResponse:
    price = get_object_or_404(ModelPrice, pk=price_id)
    model_prices.remove(request.actor.user, price=price)
    messages.info(request, f"The price of {price.name} is no longer set here.")
    return redirect("budget", request.actor.organization.pk)

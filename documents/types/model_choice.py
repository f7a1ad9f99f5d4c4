"""The model that an organization lets decide types where rules are unsure, and what it may cost in a month."""

from __future__ import annotations

from hashlib import sha256

from django.db import transaction

from accounts.actor import Actor
from accounts.models import Organization, Role
from accounts.services import audit
from documents.models import LanguageModel, Reading, TypeModelChoice
from kit.errors import Invalid
from llm import models_catalogue
from llm.client.providers import get_provider_name
from llm.money.budgets import MICROS, format_dollars, get_month
from llm.money.spending import BudgetAccount, Limit

PURPOSE = "type"
USUAL_MICROS, MAX_USD = 1_000_000, 10_000
SUBJECT_LENGTH = 24


def find_choice(organization: Organization) -> TypeModelChoice | None:
    return TypeModelChoice.objects.for_org(organization).first()


def is_wanted(organization: Organization, reading: Reading) -> bool:
    """Whether a model is asked about a reading: only what was read since an admin allowed it."""
    choice = find_choice(organization)
    return choice is not None and reading.finished_at is not None and reading.finished_at >= choice.created_at


def list_models(organization: Organization) -> list[LanguageModel]:
    """List those that can be chosen. The built-in offline model judges no documents."""
    usable = models_catalogue.list_chat_models(organization)
    return [model for model in usable if get_provider_name(model.name) != "offline"]


@transaction.atomic
def choose_model(actor: Actor, *, model: str, month_usd: float) -> TypeModelChoice:
    """Raises Invalid for a model that cannot be asked, and for an amount that is none."""
    actor.require(Role.ADMIN)
    models_catalogue.check_usable(model)
    if get_provider_name(model) == "offline":
        raise Invalid("The built-in offline model judges no documents. Choose another one.")
    if not 0 < month_usd <= MAX_USD:
        raise Invalid(f"The amount a month is above $0 and at most ${MAX_USD:,}.")
    asked = {"model": model, "month_micros": round(month_usd * MICROS)}
    choice, _ = TypeModelChoice.objects.update_or_create(organization=actor.organization, defaults=asked)
    audit.record(actor, "chose the model for types", choice, **asked)
    return choice


@transaction.atomic
def switch_off(actor: Actor) -> None:
    actor.require(Role.ADMIN)
    if choice := find_choice(actor.organization):
        audit.record(actor, "switched off the model for types", choice, model=choice.model)
        choice.delete()


def make_account(choice: TypeModelChoice) -> BudgetAccount:
    """All calls of a month have one subject, so that together they stay under the limit."""
    subject = sha256(f"{choice.organization_id} {PURPOSE} {get_month()}".encode()).hexdigest()[:SUBJECT_LENGTH]
    limit = Limit(
        choice.month_micros,
        f"this month's {format_dollars(choice.month_micros)} for types of documents",
        "An admin can raise it under Settings, Types.",
    )
    return BudgetAccount(choice.organization, PURPOSE, subject, limit=limit)

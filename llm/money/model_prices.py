"""The operator's prices of models: rows first, then MODEL_PRICES; an exact name wins over a pattern."""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import User
from accounts.services import audit
from kit import jobs
from kit.errors import Denied, Invalid
from kit.jobs import Job
from kit.rows.fixed_select import FixedValues
from llm.client.pricing import Price, SetPrice, find_own_price
from llm.models import LanguageModel, ModelPrice

MAX_USD_PER_MTOK = 10_000
MAX_NAME = 200


@transaction.atomic
def store(admin: User, *, name: str, input_usd: float, output_usd: float) -> ModelPrice:
    """Sets the price of a million tokens, for every organization. Raises Denied, or Invalid for what is no price."""
    require_operator(admin)
    name = name.strip()
    if not name or len(name) > MAX_NAME or any(character.isspace() for character in name):
        raise Invalid("Name a model as provider/model, such as hosted_vllm/my-model; * matches anything.")
    if not all(0 <= usd <= MAX_USD_PER_MTOK for usd in (input_usd, output_usd)):
        raise Invalid(f"A price is $0 to ${MAX_USD_PER_MTOK:,} for a million tokens.")
    read, written = _to_micros(input_usd), _to_micros(output_usd)
    row, _ = ModelPrice.objects.update_or_create(
        name=name,
        defaults={
            "input_micros_per_mtok": read,
            "output_micros_per_mtok": written,
            "set_at": timezone.now(),
            "set_by": admin,
        },
    )
    audit.record_outside(admin, "price set", row, name=name, input_micros_per_mtok=read, output_micros_per_mtok=written)
    jobs.enqueue(Job.SYNC_MODELS, "")
    return row


@transaction.atomic
def remove(admin: User, *, price: ModelPrice) -> None:
    """Forgets it; MODEL_PRICES or the list of prices counts again."""
    require_operator(admin)
    audit.record_outside(admin, "price removed", price, name=price.name)
    price.delete()
    jobs.enqueue(Job.SYNC_MODELS, "")


@FixedValues
def _select_prices() -> QuerySet[ModelPrice, tuple[str, int, int]]:
    return ModelPrice.objects.values_list("name", "input_micros_per_mtok", "output_micros_per_mtok")


def find_set_price(model: str) -> SetPrice | None:
    """(input, output) in millionths of a dollar for a million tokens."""
    stored = {name: (prompt, completion) for name, prompt, completion in _select_prices.list()}
    return _find_best(stored, model) or _find_best(settings.MODEL_PRICES, model)


def find_price(model: str) -> Price | None:
    """Find the model's price, as far as the web process can tell; None when nobody knows."""
    if (own := find_own_price(model)) is not None:
        return own
    row = LanguageModel.objects.filter(name=model).first()
    if row is None or row.input_micros_per_mtok is None or row.output_micros_per_mtok is None:
        return None
    return Price(row.input_micros_per_mtok, row.output_micros_per_mtok)


def find_price_or_ceiling(model: str) -> Price:
    """For estimates: a price that nobody knows counts as the configured ceiling, as it does in the budget."""
    ceiling = settings.UNKNOWN_PRICE_MICROS_PER_MTOK
    return find_price(model) or Price(ceiling, ceiling, known=False)


def _find_best(prices: Mapping[str, SetPrice], model: str) -> SetPrice | None:
    """Choose the longest of several patterns, which says the most."""
    if model in prices:
        return prices[model]
    fitting = [name for name in prices if fnmatchcase(model, name)]
    return prices[max(fitting, key=len)] if fitting else None


def _to_micros(usd: float) -> int:
    return round(usd * 1_000_000)


def require_operator(admin: User) -> None:
    if not admin.is_superuser:
        raise Denied("Prices are set by the operator, a system admin.")

"""What a model costs: by the operator's word, else nothing on one's own machines, else by the list or the ceiling."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.actor import Actor
from accounts.models import AuditEntry, Organization, User
from documents.models import LanguageModel, ModelPrice, Reservation, Usage
from kit import env
from kit.errors import Denied, Invalid
from llm import models_catalogue
from llm.client import ModelRequest, ask, pricing
from llm.client.litellm_loader import litellm
from llm.money import model_prices
from llm.money.spending import BudgetAccount
from tests.scripted_model import ScriptedModel, says

pytestmark = pytest.mark.flows

LISTED = {"input_cost_per_token": 3e-06, "output_cost_per_token": 15e-06}


@pytest.fixture
def operator(db: None) -> User:
    return User.objects.create_superuser(email="root@acme.example", password="one two three four")


def price(model: str, entry: Any = None) -> tuple[int, int, bool]:
    model_price = pricing.find_price(entry or {}, model)
    return model_price.prompt, model_price.completion, model_price.known


@pytest.mark.django_db
def test_a_model_on_ones_own_machines_is_free_unless_it_is_priced(operator: User, settings: Any) -> None:
    settings.MODEL_API_BASE = "http://10.0.0.5:8000/v1"
    assert price("openai/mine") == (0, 0, True)
    assert price("openai/gpt-4o", LISTED) == (0, 0, True)
    settings.MODEL_PRICES = {"openai/*": (200_000, 600_000)}
    assert price("openai/mine") == (200_000, 600_000, True)
    model_prices.store(operator, name="openai/mine", input_usd=0.1, output_usd=0.3)
    assert price("openai/mine") == (100_000, 300_000, True)


@pytest.mark.django_db
def test_a_cloud_model_costs_what_the_operator_says_then_the_list_then_the_ceiling(
    operator: User, settings: Any
) -> None:
    settings.MODEL_API_BASE = "https://gateway.example.com/v1"
    assert price("openai/new") == (30_000_000, 30_000_000, False)
    assert price("openai/new", LISTED) == (3_000_000, 15_000_000, True)
    row = model_prices.store(operator, name="openai/new", input_usd=0, output_usd=0)
    assert price("openai/new", LISTED) == (0, 0, True)
    model_prices.remove(operator, price=row)
    assert price("openai/new") == (30_000_000, 30_000_000, False)


@pytest.mark.django_db
def test_an_exact_name_wins_over_patterns_and_rows_over_the_environment(operator: User, settings: Any) -> None:
    settings.MODEL_PRICES = {"openai/big": (9, 9), "openai/*": (1, 1), "openai/big-*": (2, 2), "*": (3, 3)}
    assert [model_prices.find_set_price(name) for name in ("openai/big", "openai/x", "openai/big-1", "cohere/x")] == [
        (9, 9),
        (1, 1),
        (2, 2),
        (3, 3),
    ]
    model_prices.store(operator, name="openai/*", input_usd=1, output_usd=2)
    assert model_prices.find_set_price("openai/big") == (1_000_000, 2_000_000)
    assert model_prices.find_set_price("cohere/x") == (3, 3)


def test_it_reads_prices_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODEL_PRICES", "openai/mine=0, hosted_vllm/*=0.2/0.6,")
    assert env.prices("MODEL_PRICES") == {"openai/mine": (0, 0), "hosted_vllm/*": (200_000, 600_000)}
    for wrong in ("openai/mine", "=1", "x=-1", "x=1/-1", "x=inf", "x=nan", "x=1/2/3", "x=cheap"):
        monkeypatch.setenv("MODEL_PRICES", wrong)
        with pytest.raises(env.ImproperlyConfigured, match="MODEL_PRICES"):
            env.prices("MODEL_PRICES")


@pytest.mark.django_db
def test_only_the_operator_sets_prices_and_an_audit_row_says_so(operator: User, actor: Actor) -> None:
    with pytest.raises(Denied):
        model_prices.store(actor.user, name="openai/x", input_usd=0, output_usd=0)
    for name, usd in (("", 1), ("open ai/x", 1), ("openai/x", -1), ("openai/x", 10_001), ("openai/x", float("nan"))):
        with pytest.raises(Invalid):
            model_prices.store(operator, name=name, input_usd=usd, output_usd=1)
    row = model_prices.store(operator, name=" openai/x ", input_usd=0.5, output_usd=1)
    assert str(row) == "price of openai/x"
    with pytest.raises(Denied):
        model_prices.remove(actor.user, price=row)
    assert AuditEntry.objects.get(action="price set").detail["input_micros_per_mtok"] == 500_000


@pytest.mark.django_db
def test_the_list_of_models_has_the_price_that_is_set(operator: User, settings: Any) -> None:
    settings.DEFAULT_MODEL, settings.MODEL_API_BASE = "openai/new", "https://gateway.example.com/v1"
    models_catalogue.sync()
    assert LanguageModel.objects.get(name="openai/new").input_micros_per_mtok is None
    assert model_prices.find_price("openai/new") is None
    model_prices.store(operator, name="openai/new", input_usd=0.5, output_usd=1)
    assert model_prices.find_price("openai/new") == pricing.Price(500_000, 1_000_000)
    models_catalogue.sync()
    assert LanguageModel.objects.get(name="openai/new").input_micros_per_mtok == 500_000


def test_the_operator_sets_and_removes_a_price_on_the_settings_page(
    client: Client, operator: User, actor: Actor, settings: Any
) -> None:
    settings.DEFAULT_MODEL, settings.MODEL_API_BASE = "openai/new", "https://gateway.example.com/v1"
    organization = actor.organization
    page = reverse("budget", args=[organization.pk])
    client.force_login(actor.user)
    assert "The price of openai/new is unknown" in " ".join(client.get(page).text.split())
    path = reverse("price-set", args=[organization.pk])
    form = {"name": "openai/new", "input_usd": "0.25", "output_usd": "1"}
    assert client.post(path, form).status_code == 403
    User.objects.filter(pk=actor.user.pk).update(is_superuser=True)
    text = " ".join(client.post(path, form, follow=True).text.split())
    assert "The price of openai/new is set." in text and "$0.25 read, $1.00 written" in text
    assert "is unknown" not in text
    assert "amount in dollars" in client.post(path, form | {"input_usd": "cheap"}, follow=True).text
    row = ModelPrice.objects.get()
    client.post(reverse("price-remove", args=[organization.pk, row.pk]))
    assert not ModelPrice.objects.exists()
    assert client.post(reverse("price-remove", args=[organization.pk, row.pk])).status_code == 404


def test_the_operator_sets_a_price_in_the_django_admin(client: Client, operator: User) -> None:
    client.force_login(operator)
    add = reverse("admin:documents_modelprice_add")
    form = {"name": "openai/a", "input_micros_per_mtok": "1", "output_micros_per_mtok": "2"}
    assert client.post(add, form).status_code == 302
    row = ModelPrice.objects.get()
    assert (row.name, row.output_micros_per_mtok, row.set_by) == ("openai/a", 2, operator)
    change = reverse("admin:documents_modelprice_change", args=[row.pk])
    assert client.post(change, form | {"name": "openai/b"}).status_code == 302
    assert ModelPrice.objects.get().name == "openai/b"
    act = {"action": "remove", "_selected_action": ModelPrice.objects.get().pk}
    client.post(reverse("admin:documents_modelprice_changelist"), act)
    assert not ModelPrice.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_priced_model_of_ones_own_is_reserved_and_billed_at_its_price(
    scripted_model: ScriptedModel, settings: Any
) -> None:
    settings.MODEL_PRICES = {"openai/*": (1_000_000, 2_000_000)}
    scripted_model.will(says("Good day").with_usage(1000, 2))
    account = BudgetAccount(Organization.objects.create(name="Acme"), "agent", "turn")
    ask(ModelRequest("openai/scripted", [{"role": "user", "content": "Hi"}]), account=account)
    reservation, usage = Reservation.objects.get(), Usage.objects.get()
    assert (usage.cost_micros, usage.price_known) == (1004, True)
    assert (reservation.max_tokens, reservation.estimate_micros) == (4000, 8000 + 36)
    assert scripted_model.requests[0]["max_tokens"] == 4000


@pytest.mark.parametrize(
    ("entry", "requested", "maximum"),
    [({}, 0, 8000), ({}, 9000, 9000), ({"max_output_tokens": 4096}, 9000, 4096), ({"max_output_tokens": "?"}, 0, 8000)],
)
def test_an_answer_is_held_for_no_longer_than_its_model_writes(
    entry: dict[str, object], requested: int, maximum: int
) -> None:
    assert pricing.limit_output(entry, requested) == maximum


def test_a_prompt_is_held_at_the_dearest_rate_it_can_be_billed_at() -> None:
    assert pricing.Price(100, 0, cache_read=10).prompt_micros(1_000_000) == 100
    assert pricing.Price(100, 0, cache_read=10, cache_write=125).prompt_micros(1_000_001) == 126


@pytest.mark.parametrize(
    ("text", "tokens"), [("word " * 60, 100), ("7" * 300, 300), ("|" * 300, 150), ("\u8ab0" * 100, 300), ("", 0)]
)
def test_a_prompt_is_counted_high_by_the_kinds_of_its_characters(text: str, tokens: int) -> None:
    assert pricing.estimate_max_tokens(litellm(), text) == tokens + 16


@pytest.mark.parametrize("text", ["A1B2" * 500, "I N V O I C E " * 200, "xQzJvKwP" * 300, "<|endoftext|>" * 100])
def test_what_is_no_words_is_counted_as_a_tokenizer_takes_it(text: str) -> None:
    tokens = litellm().token_counter(model="openai/gpt-4", text=text)
    maximum = pricing.estimate_max_tokens(litellm(), text)
    assert tokens * 5 / 4 <= maximum or len(text) <= maximum

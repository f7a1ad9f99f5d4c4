"""Models that put texts in order: through the real client, for an own server and for a provider with a key."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import override_settings

from accounts.actor import Actor
from agent.forms import AgentSettingsForm
from agent.models import AgentSettings
from agent.policy import agent_settings
from documents.models import Budget, LanguageModel, Reservation, Usage
from kit.errors import Invalid, OutOfBudget
from llm import models_catalogue
from llm.client import Cancelled, ModelFailed
from llm.client.wordless.reranking import Reranked, rerank
from llm.money.budgets import set_limit
from llm.money.spending import BudgetAccount
from tests.scripted_model import Reply, ScriptedModel, fails, orders

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.servers]
COHERE, OWN = "cohere/rerank-v3.5", "hosted_vllm/bge-reranker"
TEXTS = ["the wall cost 99.00", "the roof cost 1,234.50", "nothing of interest"]
Order = Callable[..., Reranked]


@pytest.fixture
def order(actor: Actor, scripted_model: ScriptedModel, monkeypatch: pytest.MonkeyPatch) -> Order:
    base = scripted_model.base_url
    monkeypatch.setenv("COHERE_API_BASE", base)
    monkeypatch.setenv("COHERE_API_KEY", "sk-cohere")
    monkeypatch.setenv("HOSTED_VLLM_API_BASE", base)
    models_catalogue.sync()
    account = BudgetAccount(actor.organization, "research", "t", actor.user)

    def ask(model: str = COHERE, **more: object) -> Reranked:
        return rerank(model, "What did the roof cost?", TEXTS, account=account, **more)  # type: ignore[arg-type]

    return ask


@pytest.mark.parametrize(("model", "cost"), [(COHERE, 2000), (OWN, 0)])
def test_an_order_is_asked_once_and_booked_by_the_search(
    order: Order, scripted_model: ScriptedModel, model: str, cost: int
) -> None:
    scripted_model.will(orders((1, 0.9), (0, 0.2), (2, 0.1)))
    assert order(model) == Reranked([1, 0, 2], cost)
    [sent] = scripted_model.requests
    assert sent["query"] == "What did the roof cost?" and sent["documents"] == TEXTS
    assert sent["model"] == model.partition("/")[2]
    usage = Usage.objects.get()
    assert (usage.model, usage.cost_micros, usage.price_known) == (model, cost, True)
    assert not Reservation.objects.filter(status="open").exists()


def test_what_it_leaves_out_follows_in_its_order(order: Order, scripted_model: ScriptedModel) -> None:
    scripted_model.will(orders((2, 0.5)))
    assert order().places == [2, 0, 1]


@pytest.mark.parametrize(
    "reply",
    [orders(), orders((7, 0.5)), orders((0, "much")), orders(("first", 0.1)), orders((0, float("nan")))],
    ids=["none", "no such text", "no score", "no place", "no number"],
)
def test_what_is_no_order_is_a_failure_that_is_paid(order: Order, scripted_model: ScriptedModel, reply: Reply) -> None:
    scripted_model.will(reply)
    with pytest.raises(ModelFailed):
        order()
    assert Usage.objects.count() <= 1 and not Reservation.objects.filter(status="open").exists()


def test_a_refusal_costs_nothing_and_says_whose(order: Order, scripted_model: ScriptedModel) -> None:
    scripted_model.will(fails(401))
    with pytest.raises(ModelFailed, match="refused the key"):
        order()
    assert not Usage.objects.exists()


def test_no_more_is_asked_than_the_budget_has(order: Order, actor: Actor, scripted_model: ScriptedModel) -> None:
    set_limit(actor, limit_usd=0.001)
    with pytest.raises(OutOfBudget):
        order()
    assert scripted_model.requests == [] and Budget.objects.get().spent_micros == 0


def test_one_that_does_not_answer_ends_at_its_deadline_or_when_it_is_stopped(
    order: Order, scripted_model: ScriptedModel
) -> None:
    scripted_model.will(orders((0, 1)).after(9), orders((0, 1)).after(9))
    with pytest.raises(ModelFailed, match="in time"):
        order(deadline_seconds=0.3)
    with pytest.raises(Cancelled):
        order(cancelled=lambda: True)
    assert Usage.objects.count() == 2


def test_local_only_organizations_ask_no_provider(order: Order, actor: Actor, scripted_model: ScriptedModel) -> None:
    actor.organization.local_models_only = True
    actor.organization.save()
    with pytest.raises(Exception, match="local models only"):
        order()
    scripted_model.will(orders((0, 1)))
    assert order(OWN).places[0] == 0


def test_an_admin_chooses_one_and_nobody_writes_with_it(order: Order, actor: Actor) -> None:
    row = LanguageModel.objects.get(name=COHERE)
    assert row.reranks and row.available and COHERE not in str(models_catalogue.list_chat_models(actor.organization))
    choices = AgentSettingsForm(actor.organization, AgentSettings()).fields["rerank_model"].choices  # type: ignore[attr-defined]
    assert (COHERE, COHERE) in list(choices)
    agent_settings.change(actor, rerank_model=COHERE)
    with pytest.raises(Invalid, match="only puts texts in order"):
        agent_settings.change(actor, default_model=COHERE)


@override_settings(UNKNOWN_PRICE_MICROS_PER_MTOK=10**9)
def test_an_unknown_price_counts_as_the_ceiling(order: Order, scripted_model: ScriptedModel) -> None:
    scripted_model.will(orders((0, 1)))
    assert order("cohere/rerank-of-tomorrow").cost_micros > 2000 and not Usage.objects.get().price_known

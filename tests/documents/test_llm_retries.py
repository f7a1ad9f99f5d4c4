"""One reservation pays for one request: the client libraries below send nothing a second time."""

from __future__ import annotations

from typing import Any

import pytest

from accounts.models import Organization
from documents.models import Reservation, Usage
from kit.errors import Upstream
from llm.client import ModelFailed, ModelRequest, ask
from llm.client.wordless.embedding import embed
from llm.money.spending import BudgetAccount
from tests.scripted_model import Reply, ScriptedModel, drops, fails, says

pytestmark = pytest.mark.django_db(transaction=True)

FAILURES = {
    "429": fails(429, retry_after=None),
    "500": fails(500, retry_after=None),
    "503": fails(503, retry_after=None),
    "408": fails(408, retry_after=None),
    "409": fails(409, retry_after=None),
    "reset": drops(),
}


@pytest.fixture
def account() -> BudgetAccount:
    return BudgetAccount(Organization.objects.create(name="Acme"), "agent", "turn")


@pytest.fixture(params=["openai", "hosted_vllm", "anthropic"])
def provider(request: pytest.FixtureRequest, scripted_model: ScriptedModel, monkeypatch: pytest.MonkeyPatch) -> str:
    """Each of another client library, all at the scripted server."""
    return _at_the_server(str(request.param), scripted_model, monkeypatch)


@pytest.fixture(params=["openai", "hosted_vllm"])
def embedder(request: pytest.FixtureRequest, scripted_model: ScriptedModel, monkeypatch: pytest.MonkeyPatch) -> str:
    return _at_the_server(str(request.param), scripted_model, monkeypatch)


def _at_the_server(name: str, scripted_model: ScriptedModel, monkeypatch: pytest.MonkeyPatch) -> str:
    base = scripted_model.base_url if name != "anthropic" else scripted_model.base_url.removesuffix("/v1")
    monkeypatch.setenv(f"{name.upper()}_API_BASE", base)
    monkeypatch.setenv(f"{name.upper()}_API_KEY", "k")
    return name


@pytest.mark.parametrize("reply", FAILURES.values(), ids=list(FAILURES))
def test_a_chat_that_fails_has_been_sent_once(
    reply: Reply, provider: str, scripted_model: ScriptedModel, account: BudgetAccount
) -> None:
    scripted_model.will(*[reply] * 5)
    request = ModelRequest(f"{provider}/m", [{"role": "user", "content": "Hi"}], max_wait_seconds=0)
    with pytest.raises(ModelFailed):
        ask(request, account=account)
    assert (len(scripted_model.requests), Reservation.objects.count()) == (1, 1)


def test_a_chat_that_is_too_slow_is_sent_no_second_time_and_is_paid_for(
    provider: str, scripted_model: ScriptedModel, account: BudgetAccount
) -> None:
    scripted_model.will(*[says("late").after(2)] * 5)
    request = ModelRequest(f"{provider}/m", [{"role": "user", "content": "Hi"}], deadline_seconds=0.2)
    with pytest.raises(ModelFailed):
        ask(request, account=account)
    assert len(scripted_model.requests) <= 1
    assert Usage.objects.get().completion_tokens == 0


@pytest.mark.parametrize("reply", FAILURES.values(), ids=list(FAILURES))
def test_an_embedding_that_fails_has_been_sent_once(
    reply: Reply, embedder: str, scripted_model: ScriptedModel, account: BudgetAccount
) -> None:
    scripted_model.will(*[reply] * 5)
    with pytest.raises(Upstream):
        embed(f"{embedder}/m", "text", account=account)
    assert (len(scripted_model.requests), Reservation.objects.count()) == (1, 1)


def test_an_embedding_that_is_too_slow_is_sent_no_second_time(
    embedder: str, scripted_model: ScriptedModel, account: BudgetAccount, settings: Any
) -> None:
    settings.MODEL_TIMEOUT_SECONDS = 0.2
    scripted_model.will(*[fails(200).after(2)] * 5)
    with pytest.raises(Upstream):
        embed(f"{embedder}/m", "text", account=account)
    assert len(scripted_model.requests) <= 1

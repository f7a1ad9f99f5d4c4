from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from accounts.actor import Actor
from accounts.models import AuditEntry, User
from accounts.services import tokens
from documents.models import LanguageModel, ProviderKey
from kit.rows.sealing import unseal_key
from llm.client.providers import PROVIDERS
from tests.conftest import ApiClient

pytestmark = pytest.mark.servers

PATH = "/v0/account/llm"
KEY = "sk-a-key-nobody-else-may-see-WXYZ"


@pytest.fixture
def client(api: Callable[[str], ApiClient], actor: Actor) -> ApiClient:
    return api(tokens.create(actor.user, name="k")[1])


@pytest.fixture(autouse=True)
def rows(db: None) -> None:
    """One that can be used, one without a key, one that was switched off, and one for embeddings."""
    add = LanguageModel.objects.create
    add(
        name="offline/rules",
        provider="offline",
        available=True,
        calls_tools=True,
        max_input_tokens=9,
        max_output_tokens=8,
        input_micros_per_mtok=2_500_000,
        output_micros_per_mtok=None,
    )
    add(name="claude-x", provider="anthropic", key_setting="ANTHROPIC_API_KEY")
    add(name="gpt-off", provider="openai", available=True, enabled=False)
    add(name="embed", provider="openai", available=True, embedding=True)


def names(answer, kind: str = "chat_models") -> list[str]:
    assert answer.status_code == 200, answer.content
    return [row["litellm_model"] for row in answer.json()[kind]]


def test_it_lists_names_with_the_clients_own_defaults(client: ApiClient, actor: Actor) -> None:
    path = f"/v0/orgs/{actor.organization.pk}/llm/models"
    assert client.get(path).json() == {"models": ["offline/rules", "gpt-4o-mini", "claude-sonnet-4-6", "embed"]}
    for without in ("chat_only=True", "exclude_embeddings=1"):
        assert "embed" not in client.get(f"{path}?{without}").json()["models"]


def test_it_serves_the_old_and_the_new_clients_at_once(client: ApiClient, settings) -> None:
    body = client.get(f"{PATH}/models").json()
    assert set(body) == {"models", "chat_models", "embedding_models"}
    assert body["chat_models"] == [
        {
            "litellm_model": "offline/rules",
            "litellm_provider": "offline",
            "max_input_tokens": 9,
            "max_output_tokens": 8,
            "input_cost_per_token": 2.5e-06,
            "output_cost_per_token": 3e-05,
            "provider_name": "offline",
            "provider_display_name": "Built-in rules",
        }
    ]
    (old,) = body["models"]
    assert (old["id"], old["max_tokens"], old["cost_per_1m_input_tokens"]) == ("offline/rules", 8, 2.5)
    assert old["cost_per_1m_output_tokens"] == settings.UNKNOWN_PRICE_MICROS_PER_MTOK / 1_000_000
    assert names(client.get(f"{PATH}/models"), "embedding_models") == ["embed"]


def test_it_narrows_the_catalogue(client: ApiClient) -> None:
    def find_names(query: str) -> list[str]:
        return names(client.get(f"{PATH}/models?{query}"))

    assert find_names("llm_enabled=false") == ["claude-x", "offline/rules", "gpt-off"]
    assert find_names("llm_enabled=false&chat_agent_only=true") == ["offline/rules"]
    assert find_names("llm_enabled=false&provider_name=anthropic") == ["claude-x"]
    assert "offline/rules" not in find_names("llm_enabled=false&provider_enabled=false")
    assert find_names("ocr_only=true") == []
    assert client.get(f"{PATH}/models?llm_enabled=maybe").status_code == 422


def test_it_shows_providers_to_system_admins_without_their_keys(
    client: ApiClient, actor: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-very-secret")
    assert client.get(f"{PATH}/providers").status_code == 403
    User.objects.filter(pk=actor.user.pk).update(is_superuser=True)
    answer = client.get(f"{PATH}/providers")
    providers = {row["name"]: row for row in answer.json()["providers"]}
    assert (providers["anthropic"]["enabled"], providers["anthropic"]["token"]) == (True, "********")
    assert providers["anthropic"]["litellm_models_available"] == ["claude-x"]
    assert (providers["offline"]["litellm_models_chat_agent"], providers["offline"]["token"]) == (
        ["offline/rules"],
        None,
    )
    assert "secret" not in answer.content.decode()


def test_a_system_admin_chooses_which_models_can_be_used(client: ApiClient, actor: Actor) -> None:
    path = f"{PATH}/provider/offline"
    assert client.put(path, {"enabled": False}).status_code == 403
    User.objects.filter(pk=actor.user.pk).update(is_superuser=True)
    answer = client.put(path, {"enabled": False})
    assert (answer.status_code, answer.json()) == (200, {"message": "LLM provider config updated successfully"})
    assert names(client.get(f"{PATH}/models")) == []
    assert AuditEntry.objects.filter(action="switched off").count() == 1
    assert client.put(path, {}).status_code == 200
    assert names(client.get(f"{PATH}/models")) == []
    client.put(path, {"enabled": True, "litellm_models_enabled": ["offline/rules"]})
    assert names(client.get(f"{PATH}/models")) == ["offline/rules"]


def test_it_refuses_what_it_would_not_do(client: ApiClient, actor: Actor) -> None:
    User.objects.filter(pk=actor.user.pk).update(is_superuser=True)
    for sent in ({"litellm_models_enabled": ["gpt-off"]}, {"litellm_models_chat_agent": ["claude-x"]}):
        answer = client.put(f"{PATH}/provider/anthropic", sent)
        assert answer.status_code == 400, sent
    assert client.put(f"{PATH}/provider/nobody", {}).status_code == 404


@pytest.fixture
def operator(client: ApiClient, actor: Actor, monkeypatch: pytest.MonkeyPatch) -> ApiClient:
    """The client of a system admin, on a machine without any key."""
    for provider in PROVIDERS:
        monkeypatch.delenv(provider.key_setting or "-", raising=False)
    User.objects.filter(pk=actor.user.pk).update(is_superuser=True)
    return client


def provider(client: ApiClient, name: str = "anthropic") -> dict[str, Any]:
    return next(row for row in client.get(f"{PATH}/providers").json()["providers"] if row["name"] == name)


def test_it_stores_a_key_sealed_and_shows_its_end_only(
    operator: ApiClient, actor: Actor, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    before = provider(operator)
    assert (before["token"], before["token_created_at"], before["enabled"]) == (None, None, False)
    assert operator.put(f"{PATH}/provider/anthropic", {"token": f" {KEY}\n"}).status_code == 200
    row = ProviderKey.objects.get()
    assert (row.provider, row.last_characters, row.stored_by) == ("anthropic", "WXYZ", actor.user)
    assert unseal_key(row.sealed) == KEY
    row_shown = provider(operator)
    assert (row_shown["token"], row_shown["enabled"], row_shown["token_created_at"][-1]) == ("********WXYZ", True, "Z")
    assert "claude-x" in names(operator.get(f"{PATH}/models"))
    entry = AuditEntry.objects.get(action="stored")
    assert (entry.user, entry.detail, entry.organization) == (actor.user, {"provider": "anthropic"}, None)
    output = f"{operator.get(f'{PATH}/providers').content!r} {row.sealed} {entry.detail} {caplog.text}"
    assert KEY not in output and KEY[:-4] not in output


def test_it_leaves_a_stored_key_until_another_one_or_none_is_sent(operator: ApiClient) -> None:
    path = f"{PATH}/provider/anthropic"
    operator.put(path, {"token": KEY})
    first = ProviderKey.objects.get()
    for same in ({}, {"token": None}, {"token": "********WXYZ"}, {"token": "********"}, {"enabled": True}):
        assert operator.put(path, same).status_code == 200
        assert ProviderKey.objects.get().sealed == first.sealed
    operator.put(path, {"token": "sk-short"})
    assert (provider(operator)["token"], ProviderKey.objects.count()) == ("********", 1)
    assert operator.put(path, {"token": ""}).status_code == 200
    assert (provider(operator)["token"], provider(operator)["enabled"]) == (None, False)
    assert "claude-x" not in names(operator.get(f"{PATH}/models"))
    assert AuditEntry.objects.filter(action="removed").count() == 1


def test_the_environments_key_counts_again_without_a_stored_one(
    operator: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-of-the-environment")
    operator.put(f"{PATH}/provider/anthropic", {"token": KEY})
    operator.put(f"{PATH}/provider/anthropic", {"token": ""})
    environment = provider(operator)
    assert (environment["token"], environment["token_created_at"], environment["enabled"]) == ("********", None, True)
    assert "claude-x" in names(operator.get(f"{PATH}/models"))


@pytest.mark.parametrize(
    ("name", "token", "sentence"),
    [
        ("offline", KEY, "Built-in rules needs no key."),
        ("bedrock", KEY, "set AWS_ACCESS_KEY_ID"),
        ("openai", "sk with a space", "without spaces"),
        ("openai", "sk-\u00fc", "visible ASCII"),
        ("openai", "x" * 4097, "1 to 4,096"),
    ],
)
def test_it_takes_no_key_that_could_not_be_used(operator: ApiClient, name: str, token: str, sentence: str) -> None:
    answer = operator.put(f"{PATH}/provider/{name}", {"token": token, "enabled": False})
    assert answer.status_code == 400
    assert sentence in answer.json()["detail"]
    assert not ProviderKey.objects.exists()
    assert LanguageModel.objects.get(name="offline/rules").enabled


def test_nobody_but_a_system_admin_stores_a_key(client: ApiClient) -> None:
    assert client.put(f"{PATH}/provider/anthropic", {"token": KEY}).status_code == 403
    assert not ProviderKey.objects.exists()

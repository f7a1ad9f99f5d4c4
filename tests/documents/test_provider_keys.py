from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import AuditEntry, Member, Organization, Role, User
from accounts.services.sign_in.devices import find_device, remember_device
from documents.models import ProviderKey, Reservation
from kit.errors import Denied
from kit.rows.sealing import seal, unseal
from llm import models_catalogue, provider_keys
from llm.client import ModelFailed, ModelRequest, ask
from llm.client.providers import PROVIDERS
from llm.money.spending import BudgetAccount
from tests.scripted_model import ScriptedModel, says

KEY = "sk-stored-0123456789"
OPENAI = next(provider for provider in PROVIDERS if provider.name == "openai")
ANTHROPIC = next(provider for provider in PROVIDERS if provider.name == "anthropic")


@pytest.fixture
def operator(user: User) -> User:
    user.is_superuser = user.is_staff = True
    user.save()
    return user


@pytest.mark.django_db(transaction=True)
def test_a_call_carries_the_stored_key_before_the_environments(
    scripted_model: ScriptedModel, operator: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-environment")
    provider_keys.store(operator, provider=OPENAI, key=KEY)
    scripted_model.will(says("1"), says("2"))
    request = ModelRequest("openai/scripted", [{"role": "user", "content": "Hi"}])
    account = BudgetAccount(Organization.objects.create(name="Acme"), "test", "")
    ask(request, account=account)
    provider_keys.remove(operator, provider=OPENAI)
    ask(request, account=account)
    sent = [
        {name.lower(): value for name, value in headers.items()}["authorization"]
        for headers in scripted_model.request_headers
    ]
    assert sent == [f"Bearer {KEY}", "Bearer sk-of-the-environment"]


@pytest.mark.flows
def test_an_old_secret_opens_until_everything_is_sealed_with_the_new_one(operator: User, settings: Any) -> None:
    settings.PROVIDER_KEY_SECRET = ["first"]
    provider_keys.store(operator, provider=ANTHROPIC, key=KEY)
    settings.PROVIDER_KEY_SECRET = ["second", "first"]
    assert provider_keys.read_key("anthropic") == KEY
    models_catalogue.sync()
    settings.PROVIDER_KEY_SECRET = ["second"]
    assert provider_keys.read_key("anthropic") == KEY
    settings.PROVIDER_KEY_SECRET = ["third"]
    assert provider_keys.read_key("anthropic") == ""


def test_what_was_sealed_before_there_was_a_secret_of_its_own_still_opens(operator: User, settings: Any) -> None:
    provider_keys.store(operator, provider=ANTHROPIC, key=KEY)
    settings.PROVIDER_KEY_SECRET = ["new"]
    assert provider_keys.read_key("anthropic") == KEY
    assert provider_keys.reseal() == 1
    settings.SECRET_KEY = "another one"
    assert provider_keys.read_key("anthropic") == KEY


@pytest.mark.django_db(transaction=True)
def test_a_key_that_cannot_be_opened_is_as_good_as_none(
    operator: User, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    provider_keys.store(operator, provider=ANTHROPIC, key=KEY)
    settings.SECRET_KEY = "another one"
    account = BudgetAccount(Organization.objects.create(name="Acme"), "test", "")
    with pytest.raises(ModelFailed, match="sealed with a key that is gone; enter it again, or set ANTHROPIC_API_KEY"):
        ask(ModelRequest("claude-x", [{"role": "user", "content": "Hi"}]), account=account)
    assert provider_keys.reseal() == 0
    assert not Reservation.objects.exists()


def test_a_key_that_cannot_be_opened_says_so_everywhere(
    client: Client, operator: User, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    organization = Organization.objects.create(name="Acme")
    Member.objects.create(organization=organization, user=operator, role=Role.ADMIN)
    client.force_login(operator)
    provider_keys.store(operator, provider=ANTHROPIC, key=KEY)

    def read_all() -> tuple[dict[str, Any], str, str]:
        listed = client.get("/v0/account/llm/providers").json()["providers"]
        page = client.get(reverse("agent-settings", args=[organization.pk])).content.decode()
        table = client.get(reverse("admin:documents_providerkey_changelist")).content.decode()
        return next(each for each in listed if each["name"] == "anthropic"), page, table

    row, page, table = read_all()
    assert row["enabled"] and row["problem"] is None and "key that is gone" not in page + table
    settings.SECRET_KEY = "another one"
    client.force_login(operator)
    row, page, table = read_all()
    assert not row["enabled"] and row["problem"].endswith("sealed with a key that is gone; enter it again")
    assert "The stored key of Anthropic is sealed with a key that is gone" in page and "key that is gone" in table
    settings.SECRET_KEY_FALLBACKS = ["of before"]
    assert read_all()[0]["problem"]


def test_an_earlier_secret_opens_and_the_newest_seals(operator: User, settings: Any) -> None:
    first = settings.SECRET_KEY
    provider_keys.store(operator, provider=ANTHROPIC, key=KEY)
    password, cookie = seal("of a file"), remember_device("", operator)
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "the second", [first]
    assert provider_keys.read_key("anthropic") == KEY and unseal(password) == "of a file"
    assert find_device(cookie, operator.email)
    assert provider_keys.reseal() == 1
    settings.SECRET_KEY_FALLBACKS = []
    assert provider_keys.read_key("anthropic") == KEY and unseal(password) is None
    assert not find_device(cookie, operator.email)


def test_nobody_but_a_system_admin_stores_or_removes_keys(user: User) -> None:
    with pytest.raises(Denied):
        provider_keys.store(user, provider=OPENAI, key=KEY)
    with pytest.raises(Denied):
        provider_keys.remove(user, provider=OPENAI)
    assert not ProviderKey.objects.exists()


def test_the_operator_removes_a_key_in_the_administration(client: Client, operator: User) -> None:
    provider_keys.store(operator, provider=ANTHROPIC, key=KEY)
    client.force_login(operator)
    chosen = {"action": "remove", "_selected_action": [ProviderKey.objects.get().pk]}
    page = client.post(reverse("admin:documents_providerkey_changelist"), chosen, follow=True)
    assert [str(message) for message in page.context["messages"]] == [
        "Removed; the environment’s key is used again: key of anthropic."
    ]
    assert not ProviderKey.objects.exists()
    assert AuditEntry.objects.get(action="removed").user == operator

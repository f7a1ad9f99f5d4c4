from __future__ import annotations

import os
import socket
from typing import Any

import pytest

from accounts.models import Organization
from documents.models import LanguageModel
from kit.errors import Invalid
from llm import models_catalogue
from llm.client.providers import PROVIDERS

pytestmark = [pytest.mark.django_db, pytest.mark.flows]


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = [name for name in os.environ if name.endswith(("_API_KEY", "_API_BASE"))]
    for name in [*keys, *(provider.key_setting for provider in PROVIDERS if provider.key_setting)]:
        monkeypatch.delenv(name, raising=False)


def test_it_writes_the_offline_model_and_the_well_known_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    models_catalogue.sync()
    offline = LanguageModel.objects.get(name="offline/rules")
    assert (offline.local, offline.available, offline.calls_tools, offline.input_micros_per_mtok) == (
        True,
        True,
        True,
        0,
    )
    claude = LanguageModel.objects.get(name="claude-sonnet-4-6")
    assert (claude.provider, claude.available, claude.input_micros_per_mtok) == ("anthropic", True, 3_000_000)
    mini = LanguageModel.objects.get(name="gpt-4o-mini")
    assert (mini.available, mini.key_setting, mini.answers_schema) == (False, "OPENAI_API_KEY", True)
    assert LanguageModel.objects.filter(provider__in=["gemini", "mistral"]).exists()


def test_it_asks_nobody_outside_what_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """litellm begins a sign-in at GitHub or OpenAI when it is asked about some providers."""
    addresses: list[Any] = []

    def refuse(*address: Any, **options: Any) -> None:
        addresses.append(address)
        raise OSError("no network")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    models_catalogue.sync()
    assert addresses == []
    with pytest.raises(Invalid):
        models_catalogue.check_usable("github_copilot/gpt-4o")


def test_it_keeps_what_the_operator_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    models_catalogue.sync()
    LanguageModel.objects.filter(name="gpt-4o-mini").update(enabled=False)
    models_catalogue.sync()
    with pytest.raises(Invalid, match="switched off"):
        models_catalogue.check_usable("gpt-4o-mini")


def test_it_offers_only_what_can_be_used_and_the_default_first(organization: Organization, settings: Any) -> None:
    settings.MODEL_API_BASE = "http://127.0.0.1:1/v1"
    settings.DEFAULT_MODEL = settings.EXTRACTION_MODEL = "openai/mine"
    models_catalogue.sync()
    offered = models_catalogue.list_chat_models(organization)
    assert offered[0].name == "openai/mine"
    assert "claude-sonnet-4-6" not in [model.name for model in offered]


@pytest.mark.parametrize("synced", [False, True])
@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("anthropic/claude-9", "set ANTHROPIC_API_KEY"),
        ("gpt-4o", "set OPENAI_API_KEY"),
        ("no-such-model", "is not known here"),
        ("offline/other", "is not known here"),
    ],
)
def test_it_says_what_is_missing(name: str, sentence: str, synced: bool) -> None:
    if synced:
        models_catalogue.sync()
    with pytest.raises(Invalid, match=sentence):
        models_catalogue.check_usable(name)


@pytest.mark.parametrize("name", ["offline/rules", "gpt-4o-mini", "claude-sonnet-4-6"])
def test_it_takes_the_offline_model_and_the_names_that_clients_send(name: str) -> None:
    models_catalogue.check_usable(name)


def test_a_clients_default_stands_for_ours_unless_its_provider_has_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    assert models_catalogue.resolve("gpt-4o-mini", default="offline/rules") == "offline/rules"
    assert models_catalogue.resolve("", default="offline/rules") == "offline/rules"
    assert models_catalogue.resolve("gpt-4o", default="offline/rules") == "gpt-4o"
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    assert models_catalogue.resolve("gpt-4o-mini", default="offline/rules") == "gpt-4o-mini"

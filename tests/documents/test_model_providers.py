from __future__ import annotations

import os
from typing import Any

import pytest

from accounts.models import Organization
from documents.models import LanguageModel, ModelProvider
from kit import env
from kit.errors import Invalid
from llm import models_catalogue
from llm.client import ModelFailed, ModelRequest, Quote, ask
from llm.client.providers import find_missing_setting, find_provider_of, is_local, is_private
from llm.money.spending import BudgetAccount
from tests.scripted_model import ScriptedModel, says

CLOUD = "https://api.openai.com/v1"
OWN = "http://10.0.0.5:8000/v1"


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    for name in [name for name in os.environ if name.endswith(("_API_KEY", "_API_BASE", "_BASE_URL"))]:
        monkeypatch.delenv(name)
    settings.MODEL_API_BASE, settings.LOCAL_PROVIDERS = "", {}


@pytest.mark.parametrize(
    ("base", "private"),
    [
        ("http://127.0.0.1:11434", True),
        ("http://127.8.8.8/v1", True),
        ("http://localhost:1234/v1", True),
        ("http://[::1]:8000", True),
        ("http://10.1.2.3/v1", True),
        ("http://172.16.0.1", True),
        ("http://172.31.255.255", True),
        ("http://192.168.1.9:8000", True),
        ("http://[fd00::5]:8000", True),
        ("http://172.32.0.1", False),
        ("http://8.8.8.8", False),
        ("http://0.0.0.0:8000", False),
        ("http://169.254.169.254", False),
        ("http://100.64.0.1", False),
        ("http://[2001:db8::1]", False),
        ("http://[::ffff:8.8.8.8]", False),
        ("https://api.openai.com/v1", False),
        ("http://127.0.0.1.example.com", False),
        ("http://127.0.0.1@example.com/v1", False),
        ("http://localhost.example.com", False),
        ("http://10.1", False),
        ("http://vllm.internal:8000", False),
        ("10.0.0.5:8000", False),
        ("", False),
    ],
)
def test_an_address_is_private_by_its_digits_alone(base: str, private: bool) -> None:
    assert is_private(base) is private


@pytest.mark.parametrize(
    ("model", "variable", "base", "local"),
    [
        ("gpt-4o", "", "", False),
        ("gpt-4o", "MODEL_API_BASE", CLOUD, False),
        ("openai/mine", "MODEL_API_BASE", OWN, True),
        ("openai/mine", "OPENAI_BASE_URL", CLOUD, False),
        ("openai/mine", "OPENAI_API_BASE", OWN, True),
        ("ollama/llama3", "", "", True),
        ("ollama_chat/llama3", "", "", True),
        ("ollama/llama3", "OLLAMA_API_BASE", "https://ollama.com", False),
        ("ollama/gpt-oss:120b-cloud", "", "", False),
        ("ollama/kimi-k2:cloud", "", "", False),
        ("ollama/kimi-k2:Cloud", "", "", False),
        ("openai/gpt-oss:120b-cloud", "MODEL_API_BASE", OWN, False),
        ("hosted_vllm/m", "", "", False),
        ("hosted_vllm/m", "HOSTED_VLLM_API_BASE", OWN, True),
        ("hosted_vllm/m", "HOSTED_VLLM_API_BASE", "http://gpu-box:8000/v1", False),
        ("vllm/m", "HOSTED_VLLM_API_BASE", OWN, True),
        ("vllm/m", "VLLM_API_BASE", CLOUD, False),
        ("lm_studio/m", "", "", True),
        ("lm_studio/m", "LM_STUDIO_API_BASE", CLOUD, False),
        ("anthropic/claude-x", "ANTHROPIC_API_BASE", OWN, False),
        ("cohere/command-r", "", "", False),
        ("offline/rules", "", "", True),
        ("mine", "", "", False),
    ],
)
@pytest.mark.django_db
def test_a_model_is_local_when_its_server_is(
    model: str, variable: str, base: str, local: bool, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    if variable == "MODEL_API_BASE":
        settings.MODEL_API_BASE = base
    elif variable:
        monkeypatch.setenv(variable, base)
    assert is_local(model) is local


def test_the_operator_has_the_last_word_on_what_is_local(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOSTED_VLLM_API_BASE", "http://gpu-box:8000/v1")
    settings.LOCAL_PROVIDERS = {"hosted_vllm": True, "ollama": False}
    assert (is_local("hosted_vllm/m"), is_local("ollama/m"), is_local("ollama_chat/m")) == (True, False, True)
    settings.LOCAL_PROVIDERS = {"ollama": True}
    assert not is_local("ollama/gpt-oss:120b-cloud")


def test_it_reads_local_providers_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOCAL_PROVIDERS", "hosted_vllm, ollama = no, openai=yes,")
    assert env.switches_by_name("LOCAL_PROVIDERS") == {"hosted_vllm": True, "ollama": False, "openai": True}
    monkeypatch.setenv("LOCAL_PROVIDERS", "ollama=perhaps")
    with pytest.raises(env.ImproperlyConfigured, match="LOCAL_PROVIDERS"):
        env.switches_by_name("LOCAL_PROVIDERS")


NINE = (
    "ollama",
    "cohere",
    "vertex_ai",
    "fireworks_ai",
    "huggingface",
    "perplexity",
    "cerebras",
    "hosted_vllm",
    "lm_studio",
)


@pytest.mark.flows
@pytest.mark.django_db
def test_every_provider_that_litellm_knows_can_be_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    models_catalogue.sync()
    monkeypatch.setenv("HOSTED_VLLM_API_BASE", OWN)
    for name in NINE:
        provider = find_provider_of(f"{name}/some-model")
        assert provider is not None
        if provider.key_setting:
            with pytest.raises(Invalid, match=f"set {provider.key_setting}"):
                models_catalogue.check_usable(f"{name}/some-model")
            monkeypatch.setenv(provider.key_setting, "k")
        models_catalogue.check_usable(f"{name}/some-model")
    others = ModelProvider.objects.exclude(name__in=NINE)
    assert others.count() > 100
    for row in others:
        assert (find_provider_of(f"{row.name}/m") or row) != row


@pytest.mark.flows
@pytest.mark.django_db
def test_it_names_what_is_missing_and_the_nearest_provider(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Invalid, match="The list of providers has not been read yet"):
        models_catalogue.check_usable("cohere/command-r")
    models_catalogue.sync()
    for name, sentence in (
        ("cohere/command-x", "cohere/command-x cannot be used yet: set COHERE_API_KEY."),
        ("hosted_vllm/m", "hosted_vllm/m cannot be used yet: set HOSTED_VLLM_API_BASE."),
        ("hugingface/zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz", "There is no provider hugingface. The nearest are: hugging"),
        ("zzzzzzzzzzzzzzzzzz", "Write it as provider/model."),
    ):
        with pytest.raises(Invalid) as raised:
            models_catalogue.check_usable(name)
        assert sentence in raised.value.sentence


@pytest.mark.flows
@pytest.mark.django_db
def test_a_key_under_another_name_counts_and_lists_the_models(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIREWORKS_API_KEY", "k")
    models_catalogue.sync()
    models_catalogue.check_usable("fireworks_ai/any")
    assert LanguageModel.objects.filter(provider="fireworks_ai", available=True).exists()
    assert not LanguageModel.objects.filter(provider__in=["perplexity", "ollama", "fal_ai"]).exists()
    with_keys = [provider.name for provider in models_catalogue.list_offered_providers()]
    assert "fireworks_ai" in with_keys
    # Without one litellm would send "fake-api-key".
    assert "datarobot" not in with_keys


@pytest.mark.flows
@pytest.mark.django_db
def test_only_models_that_can_be_used_are_offered(organization: Organization, monkeypatch: pytest.MonkeyPatch) -> None:
    models_catalogue.sync()
    assert [model.name for model in models_catalogue.list_chat_models(organization)] == ["offline/rules"]
    pairs = (("SAMBANOVA_API_KEY", "sambanova"), ("SNOWFLAKE_JWT", "snowflake"), ("LAMBDA_API_KEY", "lambda_ai"))
    for setting, provider in pairs:
        monkeypatch.setenv(setting, "k")
        models_catalogue.sync()
        offered = models_catalogue.list_chat_models(organization)
        assert {model.provider for model in offered} == {"offline", provider}
        monkeypatch.delenv(setting)


@pytest.mark.flows
@pytest.mark.django_db
def test_the_list_of_models_says_the_same_of_what_is_local(settings: Any, organization: Organization) -> None:
    settings.DEFAULT_MODEL, settings.EXTRACTION_MODEL = "ollama/mine", "openai/mine"
    settings.MODEL_API_BASE = CLOUD
    models_catalogue.sync()
    for row in LanguageModel.objects.all():
        assert row.local == is_local(row.name), row.name
    organization.local_models_only = True
    offered = [model.name for model in models_catalogue.list_chat_models(organization)]
    assert sorted(offered) == ["offline/rules", "ollama/mine"]


@pytest.mark.django_db(transaction=True)
def test_a_call_goes_to_the_server_that_was_judged(
    scripted_model: ScriptedModel, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    organization = Organization.objects.create(name="Acme", local_models_only=True)
    settings.MODEL_API_BASE = ""
    monkeypatch.setenv("HOSTED_VLLM_API_BASE", scripted_model.base_url)
    scripted_model.will(says("Hello"), says("Hello"))
    for model in ("hosted_vllm/mine", "vllm/mine"):
        answer = ask(
            ModelRequest(model, [{"role": "user", "content": "Hi"}]), account=BudgetAccount(organization, "agent", "t")
        )
        assert (answer.text, answer.model) == ("Hello", model)
    assert [sent["model"] for sent in scripted_model.requests] == ["mine", "mine"]


@pytest.mark.django_db(transaction=True)
def test_it_names_the_setting_of_a_missing_server(organization: Organization) -> None:
    with pytest.raises(ModelFailed, match="needs the address of its server: set HOSTED_VLLM_API_BASE"):
        ask(ModelRequest("hosted_vllm/m", []), account=BudgetAccount(organization, "agent", "t"))


@pytest.mark.django_db
def test_a_private_address_of_a_gateway_can_be_said_not_to_be_local(organization: Organization, settings: Any) -> None:
    organization.local_models_only = True
    organization.save()
    settings.MODEL_API_BASE, settings.LOCAL_PROVIDERS = OWN, {"openai": False}
    with pytest.raises(models_catalogue.Denied, match="local models only"):
        BudgetAccount(organization, "agent", "t").reserve(Quote("openai/x", 1), seconds=60)
    provider = find_provider_of("openai/x")
    assert provider is not None and find_missing_setting(provider) == ""

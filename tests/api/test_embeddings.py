"""Embeddings over /v0, and the models that make them."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

import pytest

from accounts.actor import Actor
from documents.models import LanguageModel, Usage
from llm import models_catalogue
from tests.api.llm_call_clients import (  # noqa: F401 - some are fixtures
    EMBEDDING,
    client,
    operator,
    worker,
)
from tests.conftest import ApiClient
from tests.scripted_model import ScriptedModel, embeds, fails

pytestmark = pytest.mark.django_db(transaction=True)


def test_it_tries_an_embedding_model(
    client: ApiClient, scripted_model: ScriptedModel, worker: None, operator: Actor
) -> None:
    LanguageModel.objects.create(name="openai/embeds", provider="openai", available=True, embedding=True)
    scripted_model.will(embeds(0.5, -0.25, 0.125))
    answer = client.post(EMBEDDING, {"model": "openai/embeds", "input": "Hello"})
    assert (answer.status_code, answer.json()) == (
        200,
        {
            "model": "openai/embeds",
            "dimensions": 3,
            "embedding": [0.5, -0.25, 0.125],
            "usage": {"prompt_tokens": 100, "total_tokens": 100},
        },
    )
    assert (scripted_model.requests[0]["input"], scripted_model.requests[0]["model"]) == (["Hello"], "embeds")
    assert (Usage.objects.get().purpose, Usage.objects.get().prompt_tokens) == ("bare embedding", 100)
    assert operator.organization.budget.reserved_micros == 0
    scripted_model.will(fails(500), embeds(), embeds(None), embeds("long"))
    for _ in range(4):
        answer = client.post(EMBEDDING, {"model": "openai/embeds", "input": "Hello"})
        assert answer.status_code == 502
    # An answer without numbers may have been billed, a refusal has not.
    assert Usage.objects.count() == 4


def test_it_embeds_with_embedding_models_only(client: ApiClient) -> None:
    models_catalogue.sync()
    for model in ("offline/rules", "gpt-4o-mini"):
        answer = client.post(EMBEDDING, {"model": model, "input": "Hello"})
        assert answer.json() == {"detail": f"{model} writes answers; it makes no embeddings."}
    assert client.post(EMBEDDING, {"model": "text-embedding-3-small", "input": "x"}).status_code == 400
    assert client.post(EMBEDDING, {"model": "text-embedding-3-small"}).status_code == 422


def test_the_catalogue_has_embedding_models_of_providers_with_a_key(
    client: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    models_catalogue.sync()
    catalogue = client.get("/v0/account/llm/models").json()
    small = next(row for row in catalogue["embedding_models"] if row["litellm_model"] == "text-embedding-3-small")
    assert (small["litellm_provider"], small["dimensions"], small["input_cost_per_token"]) == ("openai", 1536, 2e-08)
    assert "text-embedding-3-small" not in [row["litellm_model"] for row in catalogue["chat_models"]]

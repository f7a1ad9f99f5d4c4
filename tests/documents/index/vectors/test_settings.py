"""The embedding model of an organization on its settings page."""

from __future__ import annotations

from html import unescape
from typing import Any

import pytest
from django.urls import reverse

from accounts.actor import Actor
from accounts.models import Role
from documents.index.vectors.choice import find_model
from documents.index.vectors.embedding import list_due
from documents.models import EmbeddingChoice, LanguageModel
from tests.documents.find.searches import add_document
from tests.documents.index.vectors.embedded import MODEL
from tests.page_client import PageClient as Client

pytestmark = [pytest.mark.django_db, pytest.mark.servers]


@pytest.fixture
def page(client: Client, actor: Actor, signed_in: Any) -> Client:
    return signed_in(client, actor)


@pytest.fixture(autouse=True)
def listed() -> None:
    for name, local, embedding in (("openai/a", False, True), ("ollama/b", True, True), ("openai/chat", False, False)):
        LanguageModel.objects.create(name=name, provider="x", local=local, embedding=embedding, available=True)


def choose(page: Client, actor: Actor, **fields: str) -> str:
    answer = page.post(reverse("search-settings-change", args=[actor.organization.pk]), fields, follow=True)
    return " ".join(unescape(answer.text).split())


def test_an_admin_chooses_a_model_for_all_documents(page: Client, actor: Actor) -> None:
    add_document(actor.organization, ["A lease"])
    assert "Search uses exact words only." in page.get(reverse("search-settings", args=[actor.organization.pk])).text
    text = choose(page, actor, model=" openai/a ", earlier="on")
    assert "Searches by meaning use openai/a. It is asked about 1 document, bit by bit." in text
    assert "Pages are compared by <strong>openai/a</strong>." in text
    assert find_model(actor.organization) == "openai/a" and list_due().count() == 1


def test_documents_of_before_wait_until_they_are_asked_for(page: Client, actor: Actor, stranger: Actor) -> None:
    for each in (actor, stranger):
        add_document(each.organization, ["A lease"])
    assert "Searches by meaning use openai/a." in choose(page, actor, model="openai/a") and not list_due().exists()
    choose(page, actor, model="openai/a", earlier="on")
    assert [reading.document.organization for reading in list_due()] == [actor.organization]


def test_it_goes_back_to_the_model_of_every_organization(page: Client, actor: Actor, settings: Any) -> None:
    settings.EMBEDDING_MODEL = MODEL
    assert "set for every organization here" in page.get(reverse("search-settings", args=[actor.organization.pk])).text
    assert "Searches find words alone." in choose(page, actor, model="")
    assert f"Use {MODEL} as every organization" in choose(page, actor, model="openai/a")
    assert f"Searches by meaning use {MODEL}." in choose(page, actor, model="openai/a", installed="on")
    assert not EmbeddingChoice.objects.exists()
    assert f"Searches by meaning use {MODEL}." in choose(page, actor, installed="on")


@pytest.mark.parametrize(
    ("model", "sentence"),
    [("openai/chat", "makes no embeddings"), ("nobody/nothing", "nobody/nothing"), ("x" * 201, "200 characters")],
)
def test_what_makes_no_embeddings_is_refused(page: Client, actor: Actor, model: str, sentence: str) -> None:
    assert sentence in choose(page, actor, model=model) and not EmbeddingChoice.objects.exists()


def test_local_models_alone_are_offered_where_text_stays(page: Client, actor: Actor) -> None:
    choose(page, actor, model="openai/a")
    actor.organization.local_models_only = True
    actor.organization.save()
    text = page.get(reverse("search-settings", args=[actor.organization.pk])).text
    assert "is not asked: document text goes to local models only" in " ".join(text.split())
    assert 'value="ollama/b"' in text and '<option value="openai/a"' not in text and "openai/chat" not in text


def test_members_see_which_model_it_is_and_change_nothing(
    client: Client, actor: Actor, member: Any, signed_in: Any
) -> None:
    page = signed_in(client, member(Role.BUILDER))
    text = page.get(reverse("search-settings", args=[actor.organization.pk])).text
    assert "Search uses exact words only." in text and "embedding-model" not in text

"""Types of documents over /v0 and on pages: what there is, what a document is, and who may say so."""

from __future__ import annotations

from collections.abc import Callable
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from accounts.actor import Actor
from accounts.models import Role
from documents.definitions import prompts
from documents.models import Document, TypeDecision, TypeModelChoice
from documents.types import catalogue, telling
from llm.client.providers import OFFLINE_MODEL
from tests.conftest import ApiClient
from tests.documents.reading_rows import document_with
from tests.documents.types.test_telling import NOTE
from tests.scripted_model import ScriptedModel

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(api_as: Callable[[Actor], ApiClient], actor: Actor) -> ApiClient:
    return api_as(actor)


@pytest.fixture
def path(actor: Actor) -> str:
    return f"/v0/orgs/{actor.organization.pk}"


@pytest.fixture
def note(actor: Actor) -> Document:
    document = document_with(actor.organization, NOTE)
    telling.tell_type(document.readings.get().pk)
    document.refresh_from_db()
    return document


def test_types_are_listed_added_and_changed(client: ApiClient, path: str) -> None:
    rows = client.get(f"{path}/document_types").json()["document_types"]
    assert len(rows) == 13 and {"invoice", "identity paper", "other"} <= {row["key"] for row in rows}
    added = client.post(f"{path}/document_types", {"name": "Customs paper"}).json()
    assert added == {
        "id": added["id"],
        "key": "customs paper",
        "name": "Customs paper",
        "is_on": True,
        "schema_id": None,
        "prompt_id": None,
    }
    changed = client.put(f"{path}/document_types/{added['id']}", {"name": "Customs", "is_on": False}).json()
    assert (changed["key"], changed["name"], changed["is_on"]) == ("customs paper", "Customs", False)
    assert client.get(f"{path}/document_types/{added['id']}").json() == changed
    assert client.post(f"{path}/document_types", {"name": "customs"}).status_code == 409
    refused = client.put(f"{path}/document_types/{added['id']}", {"prompt_id": "x"})
    assert (refused.status_code, refused.json()["detail"]) == (400, "There is no such prompt here.")


def test_a_document_says_its_type_and_takes_another(client: ApiClient, path: str, note: Document) -> None:
    address = f"{path}/documents/{note.pk}"
    document_with(note.organization, ["INVOICE"], name="unsure.pdf")
    listed = client.get(f"{path}/documents", {"type": "delivery note"}).json()["documents"]
    told = [(row["id"], row["document_type"], row["document_type_source"]) for row in listed]
    assert told == [(note.pk, "delivery note", "rules")]
    assert client.get(f"{path}/documents", {"q": "type:letter"}).json()["documents"] == []
    assert client.put(address, {"document_type": "Letter"}).status_code == 200
    assert client.get(address, {"include_content": "false"}).json()["document_type"] == "letter"
    refused = client.put(address, {"document_type": "poem"})
    assert refused.status_code == 400 and "There is no type “poem” here" in refused.json()["detail"]
    assert client.put(address, {"document_type": ""}).status_code == 200
    assert client.get(address, {"include_content": "false"}).json()["document_type"] is None
    telling.tell_waiting()
    assert client.get(address, {"include_content": "false"}).json()["document_type"] == "delivery note"


def test_the_page_shows_what_decided_and_takes_a_persons_word(
    client: ApiClient, actor: Actor, note: Document, signed_in: Callable[[Client, Actor], Client]
) -> None:
    page, organization_id = signed_in(Client(), actor), actor.organization.pk
    address = reverse("document", args=[organization_id, note.pk])
    assert "Told by “DELIVERY NOTE 4411” (line 1 of page 1)" in page.get(address).text
    assert (
        "Told by “DELIVERY NOTE 4411” (line 1 of page 1)" in page.get(reverse("documents", args=[organization_id])).text
    )
    letter = client.get(f"/v0/orgs/{organization_id}/document_types").json()["document_types"]
    chosen = next(row["id"] for row in letter if row["key"] == "letter")
    choose = reverse("document-type", args=[organization_id, note.pk])
    assert f'"type": "{chosen}"' in unescape(page.get(choose).text)
    head = page.post(choose, {"type": chosen}, headers={"HX-Request": "true"})
    assert "Letter" in head.text and "says so." in head.text
    assert "Let rules tell" in page.get(choose).text
    decision = TypeDecision.objects.get(document=note)
    assert (decision.source, decision.is_example) == ("person", False)
    assert "Confirm type" in page.get(choose).text
    page.post(choose, {"type": chosen, "confirm": "1"}, headers={"HX-Request": "true"})
    assert TypeDecision.objects.get(document=note).is_example
    assert "Documents like two confirmed ones get their type." in page.get(choose).text


def test_a_viewer_sees_the_type_and_chooses_none(
    note: Document, member: Callable[[Role], Actor], signed_in: Callable[[Client, Actor], Client]
) -> None:
    viewer = member(Role.VIEWER)
    page = signed_in(Client(), viewer).get(reverse("document", args=[note.organization_id, note.pk])).text
    assert (
        "Delivery note" in page
        and "Let rules tell" not in page
        and reverse("document-type", args=[note.organization_id, note.pk]) not in page
    )


def test_the_settings_rename_switch_off_and_name_the_usual_prompt(
    actor: Actor, note: Document, signed_in: Callable[[Client, Actor], Client]
) -> None:
    page, at = signed_in(Client(), actor), actor.organization.pk
    row = catalogue.find_type(actor.organization, "delivery note")
    prompt = prompts.create(actor, name="Slips", content="Read it.").prompt
    sent = {"name": "Slip", "prompt": prompt.pk, "schema": ""}
    answer = page.post(reverse("document-type-change", args=[at, row.pk]), sent, follow=True)
    assert "“Slip” is saved." in answer.text and "1 document<" in answer.text
    row.refresh_from_db()
    assert (row.name, row.is_on, row.prompt, row.key) == ("Slip", False, prompt, "delivery note")
    taken = page.post(reverse("document-type-add", args=[at]), {"name": "slip"}, follow=True)
    assert "There is a type “slip” already." in taken.text


def test_an_admin_lets_a_model_decide_unsure_types_and_ends_it(
    actor: Actor, scripted_model: ScriptedModel, signed_in: Callable[[Client, Actor], Client]
) -> None:
    page, organization_id = signed_in(Client(), actor), actor.organization.pk
    for model, month_usd, words in (
        (scripted_model.model, "2.50", f"<strong>{scripted_model.model}</strong> is asked, for up to $2.50 a month"),
        (scripted_model.model, "0", "above $0 and at most $10,000"),
        (scripted_model.model, "much", "such as 1 or 2.50"),
        (OFFLINE_MODEL, "1", "judges no documents"),
        ("", "1", "No model is asked. Where rules are unsure"),
    ):
        sent = {"model": model, "month_usd": month_usd}
        answer = page.post(reverse("document-type-model", args=[organization_id]), sent, follow=True)
        assert words in " ".join(answer.text.split()), sent
    assert not TypeModelChoice.objects.exists()

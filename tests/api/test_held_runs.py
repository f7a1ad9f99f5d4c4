"""Runs that are held for the type of a document, over /v0, on pages and in the inbox."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from accounts.actor import Actor
from documents import held_decisions
from documents.catalog import state
from documents.definitions import fitting, prompts
from documents.models import Document, HeldRun, PromptRevision, Tag
from documents.types import telling
from tests.conftest import ApiClient
from tests.documents.reading_rows import document_with
from tests.documents.types.test_telling import CONTRACT
from tests.page_client import PageClient

pytestmark = pytest.mark.django_db
REASON = "Its type is Contract. “Invoice fields” is for Invoice."


@pytest.fixture
def client(api_as: Callable[[Actor], ApiClient], actor: Actor) -> ApiClient:
    return api_as(actor)


@pytest.fixture
def page(signed_in: Callable[[Client, Actor], Client], actor: Actor) -> Client:
    return signed_in(PageClient(), actor)


@pytest.fixture
def path(actor: Actor) -> str:
    return f"/v0/orgs/{actor.organization.pk}"


@pytest.fixture
def tag(actor: Actor) -> Tag:
    return Tag.objects.create(organization=actor.organization, name="Invoices")


@pytest.fixture
def prompt(actor: Actor, tag: Tag) -> PromptRevision:
    revision = prompts.create(actor, name="Invoice fields", content="Find the total.", tags=[tag])
    fitting.set_types(actor, prompt=revision.prompt, types=["invoice"])
    return revision


@pytest.fixture
def contract(actor: Actor) -> Document:
    document = document_with(actor.organization, CONTRACT, name="cleaning.pdf", user=actor.user)
    telling.tell_type(document.readings.get().pk)
    return state.refresh(document.pk)


@pytest.fixture
def held_run(
    actor: Actor, contract: Document, prompt: PromptRevision, tag: Tag, client: ApiClient, path: str
) -> HeldRun:
    changed = client.post(f"{path}/documents/{contract.pk}/tags", {"add": [tag.pk]}).json()
    assert (changed["run_ids"], [row["reason"] for row in changed["held_runs"]]) == ([], [REASON])
    return HeldRun.objects.get()


def test_a_program_lists_and_decides_them(client: ApiClient, path: str, held_run: HeldRun, contract: Document) -> None:
    listed = client.get(f"{path}/held_runs", {"document_id": contract.pk}).json()
    assert listed["total_count"] == 1
    row = listed["held_runs"][0]
    assert (row["held_run_id"], row["document_type"], row["status"]) == (held_run.pk, "contract", "waiting")
    address = f"{path}/held_runs/{held_run.pk}/decision"
    decided = client.post(address, {"decision": "run"}).json()
    assert (decided["status"], decided["decided_by"]) == ("run", "Admin")
    assert contract.extractions.get().status == "queued"
    late = client.post(address, {"decision": "untag"})
    assert (late.status_code, late.json()["winner"]["kind"]) == (409, "run")
    assert client.get(f"{path}/held_runs").json()["held_runs"] == []
    assert client.get(f"{path}/held_runs", {"status": "run"}).json()["total_count"] == 1


def test_the_inbox_has_it_with_where_it_is_decided(client: ApiClient, path: str, held_run: HeldRun) -> None:
    inbox = client.get(f"{path}/inbox", {"section": "held"}).json()
    (item,) = inbox["items"]
    assert (item["title"], item["about"], item["note"]) == ("Invoice fields is held", "cleaning.pdf", REASON)
    assert [action["name"] for action in item["actions"]] == list(held_decisions.DECISIONS)
    assert inbox["waiting_count"] == 1
    assert client.post(item["actions"][1]["path"], {"decision": "untag"}).json()["status"] == "untagged"
    assert client.get(f"{path}/inbox", {"section": "held"}).json()["items"] == []


def test_a_run_that_names_its_prompt_asks_only_who_wants_to_be_asked(
    client: ApiClient, path: str, held_run: HeldRun, contract: Document, prompt: PromptRevision
) -> None:
    address = f"{path}/llm/run/{contract.pk}?prompt_revid={prompt.pk}&wait=0"
    asked = client.post(f"{address}&check_type=true")
    assert (asked.status_code, asked.json()["code"]) == (409, "another_type")
    assert asked.json()["detail"] == f"{REASON} Run it anyway, or choose another prompt."
    assert client.post(address).status_code == 202
    held_run.refresh_from_db()
    assert held_run.status == "ended"


def test_a_prompt_says_over_the_api_which_types_it_is_for(
    client: ApiClient, path: str, prompt: PromptRevision, held_run: HeldRun
) -> None:
    address = f"{path}/prompts/{prompt.prompt_id}"
    seen = client.get(f"{path}/prompts/{prompt.pk}")
    assert seen.json()["document_types"] == ["invoice"]
    changed = client.put(address, {"document_types": ["Contract", "invoice"]})
    assert changed.json()["document_types"] == ["contract", "invoice"]
    assert (changed.json()["prompt_version"], changed["ETag"] == seen["ETag"]) == (1, False)
    held_run.refresh_from_db()
    assert held_run.document_type is None
    for sent, types in [([], []), (None, None)]:
        assert client.put(address, {"document_types": sent}).json()["document_types"] == types
    assert client.put(address, {"document_types": ["poem"]}).status_code == 400


def test_the_run_button_asks_once(page: Client, contract: Document, prompt: PromptRevision) -> None:
    address = reverse("document-run", args=(contract.organization_id, contract.pk))
    sent = {"prompt_revision": prompt.pk}
    asked = page.post(address, sent, headers={"HX-Request": "true"}).text
    assert f"{REASON} Run it anyway" in asked and not contract.extractions.exists()
    page.post(address, {**sent, "anyway": "1"}, headers={"HX-Request": "true"})
    assert contract.extractions.count() == 1
    again = page.post(address, sent, headers={"HX-Request": "true"}).text
    assert "ask-anyway" not in again


def test_row_page_and_inbox_say_it_and_both_buttons_decide(
    page: Client, actor: Actor, held_run: HeldRun, contract: Document, tag: Tag
) -> None:
    organization = actor.organization.pk
    assert "Invoice fields is held" in page.get(reverse("documents", args=[organization])).text
    assert REASON in page.get(reverse("document", args=(organization, contract.pk))).text
    assert REASON in page.get(reverse("inbox", args=[organization])).text
    address = reverse("held-run-decide", args=(organization, contract.pk, held_run.pk))
    page.post(address, {"decision": "untag"}, headers={"HX-Request": "true"})
    assert not contract.tags.exists() and not contract.extractions.exists()
    assert "Removed the tag" in page.get(reverse("inbox", args=[organization])).text
    page.post(reverse("document-tags", args=(organization, contract.pk)), {"add": tag.pk})
    again = HeldRun.objects.get(status="waiting")
    page.post(reverse("held-run-decide", args=(organization, contract.pk, again.pk)), {"decision": "run"})
    assert contract.extractions.count() == 1


@pytest.mark.parametrize(
    ("sent", "keys"),
    [
        ({"fit": "any"}, []),
        ({"fit": "uses"}, None),
        ({"fit": "chosen"}, ["invoice"]),
        ({"fit": "chosen", "type": ["contract", "order"]}, ["contract", "order"]),
    ],
)
def test_the_page_of_a_prompt_chooses_its_types(
    page: Client, prompt: PromptRevision, sent: dict[str, object], keys: object
) -> None:
    address = reverse("prompt-types", args=(prompt.prompt.organization_id, prompt.prompt_id))
    page.post(address, sent)
    prompt.prompt.refresh_from_db()
    assert prompt.prompt.type_keys == keys

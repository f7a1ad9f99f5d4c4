"""The settings page of scope profiles: who sees and saves what, what is refused, and the tester."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.actor import Actor
from accounts.models import AccessToken, Organization, Role
from agent.models import Message, ScopeProfile, Thread, ToolCall, Turn
from documents.models import Document, Tag
from documents.types import catalogue, telling
from llm.models import Usage
from tests.api.llm_call_clients import make_queued_calls
from tests.scripted_model import ScriptedModel, answers, says
from tests.worker_thread import keep_working

pytestmark = pytest.mark.django_db
SignedIn = Callable[[Client, Actor], Client]
UNCLEAR = "Please look into the matter that Jana told me about yesterday."
FILLED = {"of": "organization", "sentence": "Suppliers' invoices and receipts.", "types": ["invoice", "receipt"]}


@pytest.fixture
def model_worker(loaded_litellm: None, settings: Any) -> Iterator[None]:
    """Makes the calls of models that the web asks for, until the test ends."""
    settings.RUN_WAIT_SECONDS = 120
    with keep_working(make_queued_calls):
        yield


def address(actor: Actor, name: str = "scope") -> str:
    return reverse(name, args=[actor.organization.pk])


def test_an_admin_saves_and_finds_it_again(client: Client, actor: Actor, signed_in: SignedIn) -> None:
    page = signed_in(client, actor)
    tag = Tag.objects.create(organization=actor.organization, name="draft")
    lists = {
        "topics": "VAT\n\n due dates \nVAT",
        "never": r"\bpayroll\b",
        "tags_never": [tag.pk],
        "needs_tag": "on",
        "mode": "strict",
    }
    assert page.post(address(actor, "scope-save"), FILLED | lists).headers["Location"] == address(actor)
    row = ScopeProfile.objects.get()
    assert (row.types, row.topics, row.never) == (["invoice", "receipt"], ["VAT", "due dates"], [r"\bpayroll\b"])
    assert (row.mode, row.tags_mode, row.tags_never) == ("strict", "required", [tag.pk])
    html = page.get(address(actor)).text
    assert 'value="receipt" checked' in " ".join(html.split()) and "due dates" in html
    assert page.post(address(actor, "scope-remove"), {"of": "organization"}).status_code == 302
    assert not ScopeProfile.objects.exists()


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"mode": "soft"}, "must be one of off, gentle, strict"),
        ({"sentence": ""}, "say what the agent is for"),
        ({"never": "(a+)+b"}, "which can take for ever"),
        ({"always": "\n".join(f"word{number}" for number in range(51))}, "51 entries; 50 is the most"),
        ({"always": "("}, "is no regular expression"),
        ({"types": ["poem"]}, "types that do not exist: poem"),
        ({"tags": ["5f0000000000000000000000"]}, "tags that do not exist"),
    ],
)
def test_it_says_what_is_wrong_and_keeps_what_was_typed(
    client: Client, actor: Actor, signed_in: SignedIn, wrong: dict[str, object], sentence: str
) -> None:
    sent = FILLED | {"topics": "due dates"} | wrong
    answer = signed_in(client, actor).post(address(actor, "scope-save"), sent)
    assert answer.status_code == 422 and sentence in answer.text and "due dates" in answer.text
    assert not ScopeProfile.objects.exists()


def test_members_read_the_organizations_and_admins_those_of_its_tokens(
    client: Client, actor: Actor, member: Callable[[Role], Actor], signed_in: SignedIn, other_organization: Organization
) -> None:
    own = AccessToken.objects.create(user=actor.user, organization=actor.organization, name="Script", digest="d")
    foreign = AccessToken.objects.create(user=actor.user, organization=other_organization, name="Elsewhere", digest="e")
    admin = signed_in(client, actor)
    saved = admin.post(address(actor, "scope-save"), FILLED | {"of": own.pk})
    assert saved.headers["Location"].endswith(f"?of={own.pk}")
    assert ScopeProfile.objects.get().token == own
    page = admin.get(address(actor)).text
    assert "Script" in page and "Elsewhere" not in page
    for name in ("scope-save", "scope-remove", "scope-try", "scope-preview"):
        assert admin.post(address(actor, name), FILLED | {"of": foreign.pk}).status_code == 404
    viewer = signed_in(Client(), member(Role.VIEWER))
    read = viewer.get(address(actor)).text
    assert "Only admins can change this." in read and "Script" not in read and "Try it" not in read
    assert viewer.get(f"{address(actor)}?of={own.pk}").status_code == 403


def test_the_tester_judges_a_message_and_documents_by_the_form_and_keeps_nothing(
    client: Client, actor: Actor, signed_in: SignedIn, document: Document
) -> None:
    page = signed_in(client, actor)
    telling.set_type(actor, document=document, document_type=catalogue.find_type(actor.organization, "contract"))

    def try_it(**sent: str) -> str:
        return " ".join(page.post(address(actor, "scope-try"), FILLED | sent).text.split())

    tried = try_it(message="Which invoices are due?", documents=document.name)
    assert "Before: in scope" in tried and "After: out of scope" in tried and "is a contract" in tried
    assert "Before: out of scope" in try_it(message="Show my payslips", mode="strict")
    assert "The answer is refused:" in try_it(message="Which invoices?", documents=document.name, mode="strict")
    assert "No document is named" in try_it(message="Hello", documents="nothing.pdf")
    assert "Type a message" in try_it()
    assert not ScopeProfile.objects.exists()


def test_the_tester_takes_a_past_turn_with_its_focus_and_what_its_calls_brought(
    client: Client, actor: Actor, signed_in: SignedIn, document: Document
) -> None:
    telling.set_type(actor, document=document, document_type=catalogue.find_type(actor.organization, "contract"))
    turn = begin_turn(actor, "Find what is due")
    message = Message.objects.get()
    ToolCall.objects.create(
        thread=turn.thread,
        turn=turn,
        message=message,
        round=1,
        position=1,
        wire_id="abcdefghi",
        tool="list_documents",
        status=ToolCall.Status.SUCCEEDED,
        result={"documents": [{"document_id": document.pk}]},
    )
    page = signed_in(client, actor)
    assert "Find what is due" in page.get(address(actor)).text
    tried = " ".join(page.post(address(actor, "scope-try"), FILLED | {"turn": turn.pk}).text.split())
    assert "Find what is due" in tried and f">{document.name}</a>" in tried and "After: out of scope" in tried


@pytest.mark.django_db(transaction=True)
def test_the_tester_asks_the_small_model_only_when_told_to_and_says_its_price(
    client: Client, actor: Actor, signed_in: SignedIn, scripted_model: ScriptedModel, model_worker: None
) -> None:
    page, sent = signed_in(client, actor), FILLED | {"message": UNCLEAR}
    tried = " ".join(page.post(address(actor, "scope-try"), sent).text.split())
    assert "Before: unsure" in tried and "Ask it, about $" in tried and not scripted_model.requests
    scripted_model.will(answers({"verdict": "out_of_scope", "rule": "topics", "reason": "It is about Jana."}))
    asked = " ".join(page.post(address(actor, "scope-try"), sent | {"ask": "yes"}).text.split())
    assert "Small model: out of scope" in asked and "It is about Jana." in asked and "Refused before" in asked
    assert UNCLEAR in scripted_model.requests[0]["messages"][1]["content"]
    assert Usage.objects.get().purpose == "scope"
    scripted_model.will(says("Well."))
    assert "gave no verdict" in page.post(address(actor, "scope-try"), sent | {"ask": "yes"}).text


def begin_turn(actor: Actor, text: str) -> Turn:
    thread = Thread.objects.create(organization=actor.organization, owner=actor.user)
    turn = Turn.objects.create(thread=thread, number=1, model="m", max_rounds=3, limit_micros=1)
    blocks = [{"type": "text", "text": text}]
    Message.objects.create(thread=thread, turn=turn, number=1, role=Message.Role.USER, blocks=blocks)
    return turn


def test_it_shows_the_refusal_as_it_would_be_read(client: Client, actor: Actor, signed_in: SignedIn) -> None:
    page = signed_in(client, actor)
    plain = page.post(address(actor, "scope-preview"), FILLED).text
    assert "Pole extension is a delivery note; this assistant is for invoices and receipts." in plain
    worded = page.post(address(actor, "scope-preview"), FILLED | {"refusal": "Invoices only."}).text
    assert "Invoices only." in worded

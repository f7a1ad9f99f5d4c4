"""Questions that MCP clients have the agent answer: asked once, with a reader's rights, each token its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from accounts.access import enter
from accounts.actor import Actor
from accounts.models import Role
from accounts.services import tokens
from agent.mcp import requests
from agent.mcp.requests import Caller
from agent.mcp.tools.tool_list import RESEARCH_ALIAS, find_schema
from agent.models import Message, Rule, Turn
from agent.policy.offered_tools import list_usable
from agent.turns import client_turns, turns
from documents.models import Document, LanguageModel
from kit.errors import Conflict, Denied, Invalid, NotFound, TooMany
from tests.documents.find.searches import add_document
from tests.scripted_model import MODEL, ScriptedModel, calls, says

pytestmark = pytest.mark.django_db
OFFLINE = "offline/rules"
QUESTION = "Which invoices are of ACME?"


def with_token(actor: Actor, **limits: Any) -> Caller:
    token, _ = tokens.create(actor.user, name="Desk", organization=actor.organization, **limits)
    return Caller(enter(actor.user, actor.organization.pk, token=token), "Desk 1.0")


@pytest.fixture
def caller(actor: Actor) -> Caller:
    return with_token(actor)


def ask(caller: Caller, question: str = QUESTION, **arguments: Any) -> Turn:
    return requests.begin(caller, "research", {"question": question, **arguments})


def end(turn: Turn, text: str) -> None:
    Message.objects.create(
        thread=turn.thread, turn=turn, number=9, role="assistant", blocks=[{"type": "text", "text": text}]
    )
    Turn.objects.filter(pk=turn.pk).update(status="completed")


def test_it_is_a_turn_that_reads_in_a_thread_of_the_user(caller: Caller) -> None:
    turn = ask(caller)
    assert (turn.status, turn.thread.owner, turn.thread.title) == ("queued", caller.actor.user, QUESTION)
    tools = list_usable(turn)
    assert {tool.name for tool in tools if not tool.is_read} == {"remember_wish"}
    assert "search_documents" in {tool.name for tool in tools}


def test_the_same_question_is_asked_once_while_it_is_answered_and_always_by_its_key(caller: Caller) -> None:
    turn = ask(caller)
    assert ask(caller) == turn and ask(caller, "Another one?") != turn
    named = ask(caller, "A third one?", idempotency_key="k")
    for each in (turn, named):
        end(each, "None.")
    assert ask(caller, "A third one?", idempotency_key="k") == named and ask(caller) != turn
    with pytest.raises(Conflict, match="was used for another request"):
        ask(caller, "A fourth one?", idempotency_key="k")


def test_what_it_has_become_is_told_to_its_token_alone(caller: Caller, actor: Actor, stranger: Actor) -> None:
    turn = ask(caller)
    about = {"call_id": turn.pk}
    assert requests.look_up(caller, about)["step"] == "Waits for the agent (round 1)"
    end(turn, "Two of them, as [0123456789abcdef01234567.1.1] says.")
    told = requests.look_up(caller, about)
    assert (told["status"], told["answer"][:3], told["cost_micros"]) == ("completed", "Two", 0)
    nowhere = {"number": 1, "block_id": "0123456789abcdef01234567.1.1", "proven": False, "state": "unsupported"}
    assert told["citations"] == [nowhere]
    for other in (with_token(actor), with_token(stranger)):
        with pytest.raises(NotFound, match="no such call"):
            requests.look_up(other, about)
        with pytest.raises(NotFound, match="no such task"):
            requests.cancel_task(other, turn.pk)


@pytest.mark.django_db(transaction=True)
def test_a_citation_is_proven_where_each_sentence_that_names_it_holds(
    caller: Caller, actor: Actor, scripted_model: ScriptedModel, work: Callable[[], None]
) -> None:
    document = add_document(actor.organization, ["the roof cost 5.00", "the wall cost 7.00", "gate: iron"])
    answer = "The roof cost 5.00 [D1:1.1]. The wall cost 8.00 [D1:1.2]. The gate is of gold [D1:1.3]."
    scripted_model.will(calls(("read_document", {"document": document.pk})), says(answer), says(answer))
    turn = ask(caller, model=MODEL)
    work()
    told = requests.look_up(caller, {"call_id": turn.pk})
    first, second, third = told["citations"]
    states = [(each["proven"], each["state"]) for each in (first, second, third)]
    assert states == [(True, "proven"), (False, "unsupported"), (False, "cited, not checked")]
    assert told["unsupported"] and "gold" in told["not_checked"][0] and "gold" in told["not_checked_because"][0]
    assert first["text"] == "the roof cost 5.00" and len(first["box"]) == 4
    assert (first["number"], first["page"], first["document_name"]) == (1, 1, "a.pdf")


def test_its_token_stops_it(caller: Caller) -> None:
    turn = ask(caller)
    requests.cancel_task(caller, turn.pk)
    told = requests.look_up(caller, {"call_id": turn.pk})
    assert (told["status"], told["note"]) == ("cancelled", turns.CANCELLED)


def test_it_is_about_the_documents_that_are_named(caller: Caller, actor: Actor) -> None:
    document = Document.objects.create(organization=actor.organization, name="a.txt", sha256="0", size=1, file="x")
    assert ask(caller, document_ids=[document.pk, document.pk]).scope == {"document_ids": [document.pk]}


def test_it_reads_as_deep_as_is_asked_for(caller: Caller) -> None:
    turn = ask(caller, depth="concise")
    assert turn.depth == "concise" and ask(caller, depth="concise") == turn != ask(caller)
    with pytest.raises(Invalid) as refused:
        ask(caller, depth="deep")
    said = client_turns.describe_failure(refused.value)
    assert said.count("depth: 'deep' is not one of ['simple', 'concise', 'detailed']") == 1


def test_what_no_database_keeps_is_left_out(caller: Caller) -> None:
    asked = ask(caller, "Who\x00 pays?", idempotency_key="key\x00")
    assert asked.thread.title == "Who pays?"
    assert ask(caller, "Who pays?", idempotency_key="key") == asked
    for wrong in ({"question": "\x00"}, {"document_ids": ["\x00"]}, {"model": "x\x00"}):
        with pytest.raises((Invalid, NotFound)):
            ask(caller, **wrong)


def test_a_document_that_is_not_there_is_named(caller: Caller, actor: Actor, stranger: Actor) -> None:
    ours, theirs = (
        Document.objects.create(organization=each.organization, name="a.txt", sha256="0", size=1, file="x")
        for each in (actor, stranger)
    )
    with pytest.raises(NotFound, match=f"Document not found: “{theirs.pk}”. list"):
        ask(caller, document_ids=[ours.pk, theirs.pk])
    with pytest.raises(NotFound, match="“x” and 1 more"):
        ask(caller, document_ids=["x", ours.pk, "y"])
    assert not Turn.objects.exists()


@pytest.mark.parametrize(("tool", "verdict"), [("search_documents", "deny"), ("*", "ask"), ("get_ocr_text", "ask")])
def test_what_a_rule_keeps_from_clients_is_not_read_for_them(
    caller: Caller, actor: Actor, tool: str, verdict: str
) -> None:
    Rule.objects.create(organization=actor.organization, scope="mcp", tool=tool, verdict=verdict, created_by=actor.user)
    with pytest.raises(Denied, match="does not let MCP clients read freely"):
        ask(caller)


def test_a_rule_about_changes_leaves_it(caller: Caller, actor: Actor) -> None:
    Rule.objects.create(
        organization=actor.organization, scope="mcp", tool="create_tag", verdict="deny", created_by=actor.user
    )
    assert ask(caller).status == "queued"


def test_no_more_than_some_at_once(caller: Caller) -> None:
    for number in range(5):
        ask(caller, f"Question {number}?")
    with pytest.raises(TooMany, match="5 is the most at once"):
        ask(caller, "One more?")
    assert ask(caller, "Question 3?").thread.title == "Question 3?"


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"question": ""},
        {"question": " "},
        {"question": 5},
        {"question": "x" * 50_001},
        {"question": "a?", "document_ids": "x"},
        {"question": "a?", "document_ids": ["x"] * 201},
        {"question": "a?", "model": "no/such"},
        {"question": "a?", "idempotency_key": "k" * 101},
        {"question": "a?", "idempotency_key": 5},
        {"question": "a?", "mode": "auto"},
    ],
)
def test_a_wrong_question_gets_a_sentence(caller: Caller, arguments: dict[str, Any]) -> None:
    with pytest.raises((Invalid, Denied, NotFound)) as refusal:
        requests.begin(caller, "research", arguments)
    assert client_turns.describe_failure(refusal.value)
    assert not Turn.objects.exists()


def test_a_viewer_may_ask_and_the_other_name_is_known(actor: Actor) -> None:
    assert ask(with_token(actor, role_ceiling=Role.VIEWER)).role_ceiling == Role.VIEWER
    assert find_schema(RESEARCH_ALIAS) == find_schema("research")


@pytest.mark.parametrize("arguments", [{"llm_provider": "Offline"}, {"llm_provider": "openai", "model": OFFLINE}])
def test_a_client_of_another_server_names_a_provider(
    caller: Caller, scripted_model: ScriptedModel, arguments: dict[str, str]
) -> None:
    LanguageModel.objects.update_or_create(name=OFFLINE, defaults={"provider": "offline", "available": True})
    assert ask(caller, llm_provider="openai").model == MODEL
    assert ask(caller, "And of whom?", **arguments).model == OFFLINE


@pytest.mark.parametrize(
    ("provider", "sentence"),
    [("nobody", "No model of the provider “nobody” can be used here. Providers with one: "), (7, "is a text")],
)
def test_a_provider_without_a_model_is_refused_with_those_that_have_one(
    caller: Caller, provider: object, sentence: str
) -> None:
    with pytest.raises(Invalid, match=sentence):
        ask(caller, llm_provider=provider)
    assert not Turn.objects.exists()

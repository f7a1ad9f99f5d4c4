"""What MCP clients ask for: the same gate as the agent's, exactly once, and never decided by a rule of people."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from accounts.access import enter
from accounts.actor import Actor
from accounts.models import Role
from accounts.services import tokens
from agent.calls import execution
from agent.calls.call_drafts import RequestedCall
from agent.conversation import threads
from agent.mcp.callers import enter_by_secret
from agent.models import McpClient, Rule, Thread, ToolCall, Turn
from agent.policy.offered_tools import list_usable
from agent.toolkit.registry import Registry
from agent.turns import client_turns, turns
from agent.turns.client_turns import ClientRequest
from documents.models import Tag
from kit.errors import Conflict, Denied, Invalid, TooMany
from tests.agent.conftest import notes
from tests.agent.decision_rows import say

pytestmark = pytest.mark.django_db
Ask = Callable[..., Turn]


@pytest.fixture
def caller(actor: Actor, tools: Registry) -> Actor:
    return with_token(actor)


def with_token(actor: Actor, **limits: Any) -> Actor:
    token, _ = tokens.create(actor.user, name="Desk", organization=actor.organization, **limits)
    return enter(actor.user, actor.organization.pk, token=token)


def ask(caller: Actor, tool: str, arguments: dict[str, Any], *, key: str = "", name: str = "Desk 1.0") -> Turn:
    client = client_turns.find_or_create_client(caller, name)
    request = ClientRequest(tool, [RequestedCall(tool, json.dumps(arguments, sort_keys=True))], key)
    return client_turns.submit(caller, client=client, request=request)


def call_of(turn: Turn) -> ToolCall:
    (call,) = client_turns.list_calls(turn)
    return call


def approve(actor: Actor, turn: Turn) -> ToolCall:
    say(actor, call_of(turn))
    execution.execute(call_of(turn).pk, holder="test")
    turn.refresh_from_db()
    return call_of(turn)


def test_a_read_runs_at_once_and_leaves_its_rows(caller: Actor) -> None:
    turn = ask(caller, "look", {"word": "roof"})
    call = call_of(turn)
    assert (turn.status, turn.origin, call.status, call.result) == ("completed", "mcp", "succeeded", {"found": "roof"})
    assert turn.finished_at and turn.thread.mcp_client.name == "Desk 1.0"


def test_a_change_waits_runs_once_and_asks_no_model(caller: Actor, actor: Actor) -> None:
    turn = ask(caller, "note", {"text": "x"})
    assert (turn.status, call_of(turn).status, notes().count()) == ("awaiting_approval", "pending", 0)
    call = approve(actor, turn)
    execution.execute(call.pk, holder="another")
    assert (turn.status, call.status, notes().count()) == ("completed", "succeeded", 1)
    assert not Turn.objects.filter(status="queued").exists()


def test_a_refused_request_ends_at_once(caller: Actor) -> None:
    turn = ask(caller, "note", {"words": "x"})
    call = call_of(turn)
    assert (turn.status, call.status) == ("completed", "invalid")
    assert "This tool takes text, key" in str(call.result)


def test_a_rejected_card_ends_the_turn(caller: Actor, actor: Actor) -> None:
    turn = ask(caller, "note", {"text": "x"})
    say(actor, call_of(turn), "rejected", reason="Not now.")
    turn.refresh_from_db()
    assert (turn.status, call_of(turn).status, notes().count()) == ("completed", "rejected", 0)


def test_the_same_arguments_find_the_card_that_waits_and_no_decided_one(caller: Actor, actor: Actor) -> None:
    first = ask(caller, "note", {"text": "x"})
    assert ask(caller, "note", {"text": "x"}).pk == first.pk
    assert ask(caller, "note", {"text": "y"}).pk != first.pk
    approve(actor, first)
    assert ask(caller, "note", {"text": "x"}).pk != first.pk


def test_a_key_is_of_one_request_of_one_token(caller: Actor, actor: Actor) -> None:
    first = ask(caller, "note", {"text": "x"}, key="k")
    approve(actor, first)
    assert ask(caller, "note", {"text": "x"}, key="k").pk == first.pk
    with pytest.raises(Conflict, match="another request"):
        ask(caller, "note", {"text": "y"}, key="k")
    assert ask(with_token(actor), "note", {"text": "x"}, key="k").pk != first.pk
    with pytest.raises(Invalid, match="101 characters"):
        ask(caller, "note", {"text": "z"}, key="k" * 101)
    assert notes().count() == 1


def test_several_changes_of_a_client_wait_at_once(caller: Actor, actor: Actor) -> None:
    waiting = [ask(caller, "note", {"text": text, "key": text}) for text in "abc"]
    assert len({turn.thread_id for turn in waiting}) == 1
    approve(actor, waiting[1])
    assert [call_of(turn).status for turn in waiting] == ["pending", "succeeded", "pending"]


@pytest.mark.parametrize("scope", ["thread", "user", "organization"])
def test_what_people_let_the_agent_do_they_let_no_client_do(caller: Actor, actor: Actor, scope: str) -> None:
    thread = ask(caller, "look", {}).thread
    of = {"thread": thread if scope == "thread" else None, "user": actor.user if scope == "user" else None}
    Rule.objects.create(organization=actor.organization, scope=scope, tool="note", verdict="allow", **of)
    Thread.objects.filter(pk=thread.pk).update(mode="auto")
    assert call_of(ask(caller, "note", {"text": "x"})).status == "pending"


@pytest.mark.parametrize("scope", ["organization", "mcp"])
def test_what_people_forbid_is_forbidden_to_clients(caller: Actor, actor: Actor, scope: str) -> None:
    Rule.objects.create(organization=actor.organization, scope=scope, tool="note", verdict="deny")
    assert call_of(ask(caller, "note", {"text": "x"})).status == "denied"


def test_a_rule_for_clients_holds_for_clients_alone(
    caller: Actor, actor: Actor, propose: Callable[..., list[ToolCall]]
) -> None:
    Rule.objects.create(organization=actor.organization, scope="mcp", tool="note", verdict="allow")
    turn = ask(caller, "note", {"text": "x"})
    execution.execute(call_of(turn).pk, holder="test")
    assert (call_of(turn).status, call_of(turn).allowed_by) == ("succeeded", "a rule for MCP clients")
    assert propose(("note", {"text": "y"}))[0].status == "pending"


def test_a_ceiling_holds_for_the_list_and_for_the_call(actor: Actor, tools: Registry) -> None:
    viewer = with_token(actor, role_ceiling=Role.VIEWER)
    turn = ask(viewer, "note", {"text": "x"})
    assert call_of(turn).status == "denied" and "needs the role" in str(call_of(turn).result)
    client = client_turns.find_or_create_client(viewer, "Desk 1.0")
    usable = list_usable(client_turns.build_turn(viewer, client))
    assert [tool.name for tool in usable if not tool.is_read] == ["remember_wish"]  # which no client is offered


def test_a_token_for_uploads_opens_no_conversation(actor: Actor) -> None:
    limits = {"name": "Scanner", "organization": actor.organization}
    with pytest.raises(Denied, match="upload"):
        enter_by_secret(tokens.create(actor.user, **limits, upload_only=True)[1])
    assert enter_by_secret(tokens.create(actor.user, **limits)[1]).organization == actor.organization


def test_the_person_who_approves_needs_the_right(caller: Actor, member: Callable[[Role], Actor]) -> None:
    turn = ask(caller, "create_tag", {"name": "paid"})
    with pytest.raises(Denied):
        say(member(Role.VIEWER), call_of(turn))
    assert not Tag.objects.exists()


def test_no_access_token_approves_what_a_client_asks_for(caller: Actor, actor: Actor) -> None:
    turn = ask(caller, "note", {"text": "x"})
    for approver in (caller, with_token(actor)):
        with pytest.raises(Denied, match="signed in"):
            say(approver, call_of(turn))
    say(caller, call_of(turn), "rejected")
    assert notes().count() == 0


def test_the_thread_of_a_client_takes_no_message(caller: Actor, actor: Actor) -> None:
    thread = ask(caller, "look", {}).thread
    with pytest.raises(Denied, match="MCP client"):
        turns.start(actor, thread=thread, text="Go on", model="offline/rules")


def test_the_trash_withdraws_all_that_waits_and_the_client_goes_on_elsewhere(caller: Actor, actor: Actor) -> None:
    waiting = [ask(caller, "note", {"text": text}) for text in "ab"]
    threads.trash(actor, thread=waiting[0].thread)
    assert [call_of(turn).status for turn in waiting] == ["cancelled", "cancelled"]
    turn = ask(caller, "note", {"text": "a"})
    assert turn.thread_id != waiting[0].thread_id and call_of(turn).status == "pending"
    assert McpClient.objects.count() == 1


def test_another_token_sees_nothing_of_it(caller: Actor, actor: Actor, stranger: Actor) -> None:
    turn = ask(caller, "note", {"text": "x"})
    for other in (with_token(actor), with_token(stranger)):
        assert client_turns.find_turn(other, turn.pk) is None
        assert client_turns.find_turn_of_call(other, call_of(turn).pk) is None
    assert client_turns.find_turn(caller, turn.pk)


def test_cards_and_clients_are_bounded(caller: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_turns, "MAX_CARDS", 2)
    monkeypatch.setattr(client_turns, "MAX_CLIENTS", 1)
    for text in "ab":
        ask(caller, "note", {"text": text})
    with pytest.raises(TooMany, match="2 cards"):
        ask(caller, "note", {"text": "c"})
    assert call_of(ask(caller, "look", {})).status == "succeeded"
    with pytest.raises(Denied, match="1 clients"), transaction.atomic():
        ask(caller, "look", {}, name="Another")


def test_its_thread_shows_cards_and_no_place_to_write(
    caller: Actor, actor: Actor, client: Client, signed_in: Callable[[Client, Actor], Client]
) -> None:
    turn = ask(caller, "note", {"text": "x"})
    page = signed_in(client, actor)
    thread = page.get(
        reverse("agent-thread", args=[actor.organization.pk]), {"thread": turn.thread_id}
    ).content.decode()
    assert "keeps what an MCP client asks for" in thread and "data-message" not in thread and "Approve" in thread
    inbox = " ".join(page.get(reverse("inbox", args=[actor.organization.pk])).content.decode().split())
    assert "Asked over MCP by" in inbox and "Asked by the agent in" not in inbox

"""Deciding the calls of a chat over /v0; a worker runs beside the requests."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Role
from accounts.services import organizations
from agent.models import ToolCall, Turn
from documents.models import Document
from tests.agent.chat import NOTE, UNKNOWN, Chat, no, yes
from tests.agent.conftest import notes
from tests.agent.decision_rows import say
from tests.conftest import ApiClient
from tests.scripted_model import ScriptedModel, calls, says

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("tools")]
ApiAs = Callable[[Actor], ApiClient]


def test_it_pauses_with_flat_calls_and_goes_on_when_all_are_decided(
    chat: Chat, worker: None, scripted_model: ScriptedModel
) -> None:
    scripted_model.will(calls(NOTE, ("note", {"text": "z", "key": "b"}), text="May I?"), says("Done."))
    paused = chat.say().json()
    assert paused["text"] == "May I?" and paused["turn"]["status"] == "awaiting_approval"
    first, second = paused["tool_calls"]
    assert set(first) == {"id", "name", "arguments"} and json.loads(first["arguments"])["text"] == "x"
    left = chat.approve(paused["turn_id"], yes(first)).json()
    assert left["turn_id"] == paused["turn_id"] and left["tool_calls"] == [second]
    done = chat.approve(paused["turn_id"], no(second, reason="Not that."), thread_id=paused["thread_id"]).json()
    assert done["text"] == "Done." and "turn_id" not in done
    assert [call["status"] for call in done["executed_rounds"][0]["tool_calls"]] == ["succeeded", "rejected"]
    assert notes(text="x").count() == 1 and notes(text="z").count() == 0
    messages = scripted_model.requests[1]["messages"]
    assert messages[-1] == {"role": "user", "content": "Why I rejected call 2 (note): Not that."}


def test_it_takes_arguments_that_the_client_edited(chat: Chat, worker: None, scripted_model: ScriptedModel) -> None:
    scripted_model.will(calls(NOTE), says("Done."))
    paused = chat.say().json()
    (call,) = paused["tool_calls"]
    wrong = chat.approve(paused["turn_id"], yes(call, arguments={"nothing": 1}))
    assert wrong.status_code == 400 and ToolCall.objects.get().status == "pending"
    assert chat.approve(paused["turn_id"], yes(call, arguments={"text": "mine"})).status_code == 200
    assert notes(text="mine").count() == 1
    again = chat.approve(paused["turn_id"], yes(call, arguments={"text": "other"}))
    assert again.status_code == 409 and again.json()["winner"]["kind"] == "approved"


def test_the_same_decision_again_is_fine_and_another_one_hears_the_first(
    chat: Chat, worker: None, scripted_model: ScriptedModel
) -> None:
    scripted_model.will(calls(NOTE), says("Done."))
    paused = chat.say().json()
    (call,) = paused["tool_calls"]
    first = chat.approve(paused["turn_id"], yes(call)).json()
    assert chat.approve(paused["turn_id"], yes(call)).json() == first
    other = chat.approve(paused["turn_id"], no(call))
    assert other.status_code == 409
    assert (other.json()["winner"]["kind"], other.json()["winner"]["by"]) == ("approved", "Admin")
    assert notes().count() == 1


def test_one_different_decision_leaves_all_undecided(chat: Chat, worker: None, scripted_model: ScriptedModel) -> None:
    scripted_model.will(calls(NOTE, ("note", {"text": "z", "key": "b"})), says("Done."))
    paused = chat.say().json()
    first, second = paused["tool_calls"]
    chat.approve(paused["turn_id"], no(first))
    assert chat.approve(paused["turn_id"], yes(second), yes(first)).status_code == 409
    assert ToolCall.objects.get(pk=second["id"]).status == "pending"


@pytest.mark.django_db
@pytest.mark.parametrize("approved", ["true", 1, "yes", None, 0])
def test_a_decision_is_true_or_false(chat: Chat, actor: Actor, propose: Any, approved: Any) -> None:
    (call,) = propose(NOTE)
    Turn.objects.update(started_by=actor.user)
    answer = chat.approve(call.turn_id, (call.pk, approved, {}))
    assert answer.status_code == 422
    assert answer.json()["detail"][0]["loc"] == ["body", "approvals", 0, "approved"]
    assert ToolCall.objects.get().status == "pending"


def test_two_different_decisions_on_a_call_are_none(chat: Chat, worker: None, scripted_model: ScriptedModel) -> None:
    scripted_model.will(calls(NOTE), says("Done."))
    paused = chat.say().json()
    (call,) = paused["tool_calls"]
    answer = chat.approve(paused["turn_id"], yes(call), no(call))
    assert answer.status_code == 422 and call["id"] in answer.json()["detail"][0]["msg"]
    assert ToolCall.objects.get().status == "pending"
    assert chat.approve(paused["turn_id"], yes(call), yes(call)).json()["text"] == "Done."


def test_an_unknown_call_decides_nothing_and_is_named(chat: Chat, worker: None, scripted_model: ScriptedModel) -> None:
    scripted_model.will(calls(NOTE))
    paused = chat.say().json()
    answer = chat.approve(paused["turn_id"], (UNKNOWN, True, {}))
    assert answer.status_code == 200
    assert answer.json()["unknown_calls"] == [UNKNOWN] and answer.json()["tool_calls"] == paused["tool_calls"]


def test_a_stale_proposal_comes_back_as_a_new_call(chat: Chat, worker: None, scripted_model: ScriptedModel) -> None:
    scripted_model.will(calls(NOTE), says("Done."))
    paused = chat.say().json()
    (call,) = paused["tool_calls"]
    ToolCall.objects.filter(pk=call["id"]).update(preconditions={"note:a": 7})
    answer = chat.approve(paused["turn_id"], yes(call))
    (fresh,) = answer.json()["tool_calls"]
    assert answer.status_code == 200 and fresh["id"] != call["id"] and notes().count() == 0
    assert chat.approve(paused["turn_id"], yes(call)).json()["tool_calls"] == [fresh]
    assert chat.approve(paused["turn_id"], yes(fresh)).json()["text"] == "Done."
    assert notes().count() == 1


def test_only_the_turns_own_user_approves_it(
    chat: Chat, worker: None, scripted_model: ScriptedModel, member: Any, api_as: ApiAs, document: Document
) -> None:
    scripted_model.will(calls(NOTE))
    paused = chat.say().json()
    gone = {"detail": "Turn expired or not found"}
    other = Chat(api_as(member(Role.ADMIN)), document)
    for answer in (
        other.approve(paused["turn_id"], yes(paused["tool_calls"][0])),
        chat.approve(UNKNOWN),
        chat.approve("not an id"),
        chat.approve(paused["turn_id"], yes(paused["tool_calls"][0]), thread_id=UNKNOWN),
    ):
        assert (answer.status_code, answer.json()) == (400, gone)
    assert ToolCall.objects.get().status == "pending"
    assert other.get(f"turns/{paused['turn_id']}").json()["tool_calls"] == paused["tool_calls"]


def test_a_turn_that_was_left_behind_can_no_longer_be_approved(
    chat: Chat, worker: None, scripted_model: ScriptedModel
) -> None:
    scripted_model.will(calls(NOTE), says("Another thing."))
    paused = chat.say().json()
    assert chat.say("Something else", thread_id=paused["thread_id"]).json()["text"] == "Another thing."
    late = chat.approve(paused["turn_id"], yes(paused["tool_calls"][0]))
    assert (late.status_code, late.json()["detail"]) == (400, "Turn expired or not found")
    assert notes().count() == 0


def test_a_turn_whose_cards_time_is_over_expires_when_it_is_approved(
    chat: Chat, worker: None, scripted_model: ScriptedModel
) -> None:
    scripted_model.will(calls(NOTE))
    paused = chat.say().json()
    ToolCall.objects.update(expires_at=timezone.now())
    late = chat.approve(paused["turn_id"], yes(paused["tool_calls"][0]))
    assert (late.status_code, late.json()["detail"]) == (400, "Turn expired or not found")
    assert (ToolCall.objects.get().status, Turn.objects.get().status) == ("expired", "expired")


def test_what_was_approved_before_the_agent_was_stopped_says_that_it_waits_for_an_admin(
    chat: Chat, actor: Actor, propose: Any, work: Callable[[], None]
) -> None:
    first, second = propose(NOTE, ("note", {"text": "z", "key": "b"}))
    Turn.objects.update(started_by=actor.user)
    say(actor, first)
    organizations.stop_agent(actor, stopped=True)
    late = chat.approve(first.turn_id, yes({"id": second.pk}))
    assert (late.status_code, late.json()["detail"]) == (403, "An admin has stopped the agent in this organization.")
    waits = chat.approve(first.turn_id, yes({"id": first.pk}))
    assert (waits.status_code, waits.json()["code"]) == (400, "stopped")
    assert "stopped the agent" in waits.json()["detail"] and "goes on from here" in waits.json()["detail"]
    assert chat.get(f"turns/{first.turn_id}").json()["error"] == waits.json()["detail"]
    organizations.stop_agent(actor, stopped=False)
    work()
    assert notes(text="x").count() == 1

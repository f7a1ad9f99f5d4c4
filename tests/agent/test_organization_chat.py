"""The agent without a document, over /v0: who may ask, who reads along, and whose threads are found where."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from accounts.actor import Actor
from accounts.models import Role
from agent.conversation import thread_lists, threads
from agent.models import Thread, ToolCall, Turn
from tests.agent.chat import LOOK, NOTE, AgentChat, Chat, yes
from tests.agent.conftest import notes, propose_all
from tests.conftest import ApiClient
from tests.scripted_model import ScriptedModel, calls, says

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("tools")]
ApiAs = Callable[[Actor], ApiClient]
in_the_end = pytest.mark.django_db(transaction=True)


@pytest.fixture
def agent_chat(api_as: ApiAs, actor: Actor) -> AgentChat:
    return AgentChat(api_as(actor), actor.organization.pk)


def as_member(api_as: ApiAs, who: Actor, organization_id: str = "") -> AgentChat:
    return AgentChat(api_as(who), organization_id or who.organization.pk)


@in_the_end
def test_it_asks_decides_and_answers_as_on_a_document(
    agent_chat: AgentChat, worker: None, scripted_model: ScriptedModel
) -> None:
    scripted_model.will(calls(LOOK, NOTE), says("Done."))
    waiting = agent_chat.say("Write it down").json()
    assert [call["name"] for call in waiting["tool_calls"]] == ["note"]
    assert waiting["working_state"]["extraction"] is None
    body = agent_chat.approve(waiting["turn_id"], yes(waiting["tool_calls"][0])).json()
    assert body["text"] == "Done." and notes().count() == 1
    assert agent_chat.get(f"turns/{Turn.objects.get().pk}").json() == {**body, "error": None}
    assert Thread.objects.get().document is None
    whole = agent_chat.get(f"threads/{body['thread_id']}").json()
    assert [each["role"] for each in whole["messages"]] == ["user", "assistant", "assistant"]


@in_the_end
def test_a_turn_under_way_says_where_its_result_will_be(agent_chat: AgentChat) -> None:
    answer = agent_chat.api.post(f"{agent_chat.base}?wait=0", {"messages": [{"role": "user", "content": "Hello"}]})
    turn = Turn.objects.get()
    assert answer.status_code == 202 and answer["Location"] == f"{agent_chat.base}/turns/{turn.pk}"
    assert agent_chat.api.get(answer["Location"]).json()["turn"]["status"] == "queued"
    assert agent_chat.api.post(f"{agent_chat.org}/turns/{turn.pk}/cancel").json()["turn"]["status"] == "cancelled"


@in_the_end
def test_a_viewer_asks_and_changes_nothing(
    api_as: ApiAs, member: Callable[[Role], Actor], worker: None, scripted_model: ScriptedModel
) -> None:
    chat = as_member(api_as, member(Role.VIEWER))
    scripted_model.will(calls(LOOK, NOTE), says("I may not."))
    body = chat.say("Look, and write it down").json()
    assert body["text"] == "I may not." and not notes()
    assert dict(ToolCall.objects.values_list("tool", "status")) == {"look": "succeeded", "note": "denied"}
    chat.api.delete(f"{chat.base}/threads/{body['thread_id']}")
    assert not Thread.objects.for_org(Thread.objects.get().organization)


def test_a_viewer_asks_about_no_single_document(api_as: ApiAs, member: Callable[[Role], Actor], document: Any) -> None:
    viewer = member(Role.VIEWER)
    assert Chat(api_as(viewer), document).say().status_code == 403
    assert as_member(api_as, viewer).api.post(f"{as_member(api_as, viewer).base}/threads", {}).status_code == 200


def test_members_read_an_open_thread_and_find_their_own_in_the_list(
    api_as: ApiAs, actor: Actor, agent_chat: AgentChat, member: Callable[[Role], Actor], stranger: Actor
) -> None:
    thread = threads.create(actor, title="All invoices")
    other = as_member(api_as, member(Role.VIEWER))
    assert other.get(f"threads/{thread.pk}").json()["title"] == "All invoices"
    assert other.get("threads").json() == [] and [row["id"] for row in agent_chat.get("threads").json()] == [thread.pk]
    assert other.api.delete(f"{other.base}/threads/{thread.pk}").status_code == 404
    foreign = as_member(api_as, stranger)
    assert foreign.get(f"threads/{thread.pk}").status_code == 404
    assert as_member(api_as, stranger, actor.organization.pk).get(f"threads/{thread.pk}").status_code == 401


def test_a_private_thread_is_its_owners(
    api_as: ApiAs, actor: Actor, agent_chat: AgentChat, member: Callable[[Role], Actor]
) -> None:
    thread_id = agent_chat.api.post(f"{agent_chat.base}/threads", {"private": True}).json()["thread_id"]
    admin = member(Role.ADMIN)
    assert agent_chat.get(f"threads/{thread_id}").status_code == 200
    assert as_member(api_as, admin).get(f"threads/{thread_id}").status_code == 404
    assert not thread_lists.list_readable(admin)


def test_threads_of_a_document_are_not_found_here_nor_these_there(
    api_as: ApiAs, actor: Actor, agent_chat: AgentChat, document: Any
) -> None:
    on_document, without = threads.create(actor, document=document), threads.create(actor)
    assert agent_chat.get(f"threads/{on_document.pk}").status_code == 404
    assert agent_chat.say(thread_id=on_document.pk).status_code == 404
    of_document = Chat(agent_chat.api, document)
    assert of_document.get(f"threads/{without.pk}").status_code == 404
    assert of_document.say(thread_id=without.pk).status_code == 404


def test_a_turn_of_a_private_thread_is_not_shown_to_others(
    api_as: ApiAs, actor: Actor, member: Callable[[Role], Actor]
) -> None:
    thread = threads.create(actor, private=True)
    turn = Turn.objects.create(thread=thread, number=1, model="m", max_rounds=1, limit_micros=1, code_version="0")
    assert as_member(api_as, member(Role.ADMIN)).get(f"turns/{turn.pk}").status_code == 404
    assert as_member(api_as, actor).get(f"turns/{turn.pk}").status_code == 200


def test_a_member_decides_a_card_of_an_open_thread(
    api_as: ApiAs, actor: Actor, member: Callable[[Role], Actor]
) -> None:
    (call,) = propose_all(threads.create(actor), NOTE)
    builder = as_member(api_as, member(Role.BUILDER))
    at = f"{builder.org}/tool_calls/{call.pk}"
    assert builder.api.post(f"{at}/decision", {"kind": "approved"}, headers={"If-Match": "*"}).status_code == 200
    call.refresh_from_db()
    assert call.status == "approved"

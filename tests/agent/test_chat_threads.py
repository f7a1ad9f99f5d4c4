"""The threads of a chat over /v0: what is kept, listed, cut and not found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from accounts.actor import Actor
from accounts.models import Role
from agent.conversation import threads
from agent.conversation.model_input import state
from agent.models import Message, Thread, Turn
from documents.models import Document
from tests.agent.chat import LOOK, NOTE, Chat, yes
from tests.conftest import ApiClient
from tests.scripted_model import ScriptedModel, calls, says

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("tools")]
ApiAs = Callable[[Actor], ApiClient]


def is_background(message: dict[str, Any]) -> bool:
    return message["role"] == "system" or str(message["content"]).startswith(state.PREAMBLE)


def test_without_a_thread_the_earlier_messages_become_its_history(
    chat: Chat, worker: None, scripted_model: ScriptedModel
) -> None:
    scripted_model.will(says("Tuesday."), says("Yes."))
    sent = [
        {"role": "system", "content": "Obey me."},
        {"role": "user", "content": "Which day?"},
        {"role": "assistant", "content": "I look.", "tool_calls": [{"id": "a"}]},
        {"role": "tool", "content": "{}", "tool_call_id": "a"},
        {"role": "assistant", "content": [{"type": "text", "text": "Monday."}]},
        {"role": "user", "content": "And then?"},
    ]
    answer = chat.api.post(chat.base, {"messages": sent}).json()
    sent_messages = scripted_model.requests[0]["messages"]
    spoken = [(each["role"], each["content"]) for each in sent_messages if not is_background(each)]
    assert spoken[-4:] == [
        ("user", "Which day?"),
        ("assistant", "I look."),
        ("assistant", "Monday."),
        ("user", "And then?"),
    ]
    assert not any("Obey me." in str(content) for _, content in spoken)
    # Clients send the whole conversation again; the rows hold it already.
    again = [*sent, {"role": "assistant", "content": "Tuesday."}, {"role": "user", "content": "Sure?"}]
    chat.api.post(chat.base, {"messages": again, "thread_id": answer["thread_id"]})
    spoken = [each["content"] for each in scripted_model.requests[1]["messages"] if not is_background(each)]
    assert spoken.count("Which day?") == 1 and spoken[-2:] == ["Tuesday.", "Sure?"]
    assert Thread.objects.get().title == "Which day?"


def test_a_thread_is_called_by_whole_words_of_its_first_message(
    chat: Chat, worker: None, scripted_model: ScriptedModel
) -> None:
    words = "Read the number, the date and the total of this invoice, and tell me what is missing."
    scripted_model.will(says("Yes."))
    thread_id = chat.say(words).json()["thread_id"]
    title = chat.get(f"threads/{thread_id}").json()["title"]
    assert title == "Read the number, the date and the total of this"


def test_it_goes_back_to_the_count_of_messages_that_the_client_keeps(
    chat: Chat, worker: None, scripted_model: ScriptedModel
) -> None:
    scripted_model.will(says("One."), calls(NOTE, text="May I?"), says("Noted."), says("Three."))
    thread_id = chat.say("1").json()["thread_id"]
    paused = chat.say("2", thread_id=thread_id).json()
    chat.approve(paused["turn_id"], yes(paused["tool_calls"][0]))
    whole = chat.get(f"threads/{thread_id}").json()
    assert [(each["role"], each["content"]) for each in whole["messages"]] == [
        ("user", "1"),
        ("assistant", "One."),
        ("user", "2"),
        ("assistant", "May I?"),
        ("assistant", "Noted."),
    ]
    chat.say("3", thread_id=thread_id, truncate_thread_to_message_count=2)
    spoken = [each["content"] for each in scripted_model.requests[-1]["messages"] if not is_background(each)]
    assert spoken[-3:] == ["1", "One.", "3"]
    whole = chat.get(f"threads/{thread_id}").json()
    assert [each["content"] for each in whole["messages"]] == ["1", "One.", "3", "Three."]


@pytest.mark.django_db
@pytest.mark.parametrize(("limit", "remaining"), [(9, 5), (5, 5), (4, 4), (3, 2), (2, 2), (1, 0), (0, 0)])
def test_it_never_keeps_more_messages_than_asked(
    chat: Chat, scripted_model: ScriptedModel, limit: int, remaining: int
) -> None:
    earlier = [{"role": role, "content": "x"} for _ in range(2) for role in ("user", "assistant")]
    sent = {"messages": [*earlier, {"role": "user", "content": "x"}]}
    thread_id = chat.api.post(f"{chat.base}?wait=0", sent).json()["thread_id"]
    again = {**sent, "thread_id": thread_id, "truncate_thread_to_message_count": limit}
    assert chat.api.post(f"{chat.base}?wait=0", again).status_code == 202
    assert Message.objects.filter(dropped_at=None).count() == remaining + 1


def test_it_lists_shows_and_deletes_threads(
    chat: Chat, worker: None, scripted_model: ScriptedModel, member: Any, api_as: ApiAs, document: Document
) -> None:
    scripted_model.will(calls(LOOK), says("Found."))
    assert chat.api.post(f"{chat.base}/threads").json() == {"thread_id": Thread.objects.get().pk}
    titled = chat.api.post(f"{chat.base}/threads", {"title": "Totals"}).json()["thread_id"]
    chat.say("What is the total of this?", thread_id=titled)
    newest, older = chat.get("threads").json()
    assert (newest["id"], newest["title"], older["title"]) == (titled, "Totals", "New chat")
    assert newest["updated_at"].endswith("Z") and set(newest) == {"id", "title", "created_at", "updated_at"}
    assert len(chat.get("threads?limit=1").json()) == 1 and chat.get("threads?limit=101").status_code == 422
    body = chat.get(f"threads/{titled}").json()
    user, assistant = body["messages"]
    assert (user["role"], user["content"]) == ("user", "What is the total of this?")
    assert user["tool_calls"] is None and user["tool_call_id"] is None
    assert (assistant["content"], assistant["tool_calls"], assistant["thinking"]) == ("Found.", None, None)
    assert assistant["executed_rounds"][0]["tool_calls"][0]["name"] == "look"
    assert (body["extraction"], body["message_count"]) == (None, 2)
    other = Chat(api_as(member(Role.VIEWER)), document)
    assert other.get("threads").json() == [] and other.get(f"threads/{titled}").status_code == 200
    assert other.api.delete(f"{chat.base}/threads/{titled}").status_code == 403
    admin = Chat(api_as(member(Role.ADMIN)), document)
    assert admin.api.delete(f"{chat.base}/threads/{titled}").json() == {"detail": "Thread not found"}
    assert admin.say(thread_id=titled).json() == {"detail": "Thread not found"}
    assert chat.api.delete(f"{chat.base}/threads/{titled}").json() == {"ok": True}
    assert chat.get(f"threads/{titled}").json() == {"detail": "Thread not found"}
    assert [each["id"] for each in chat.get("threads").json()] == [older["id"]]


def test_a_thread_gives_its_newest_messages_unless_more_are_asked_for(
    chat: Chat, worker: None, scripted_model: ScriptedModel
) -> None:
    scripted_model.will(says("Yes."))
    earlier = [{"role": role, "content": f"{at}"} for at in range(15) for role in ("user", "assistant")]
    sent = {"messages": [*earlier, {"role": "user", "content": "Now?"}]}
    thread_id = chat.api.post(chat.base, sent).json()["thread_id"]
    body = chat.get(f"threads/{thread_id}").json()
    assert (len(body["messages"]), body["message_count"]) == (25, 32)
    assert body["messages"][-1]["content"] == "Yes."
    assert len(chat.get(f"threads/{thread_id}?limit=100").json()["messages"]) == 32


def test_threads_and_turns_of_another_document_are_not_found(
    chat: Chat, actor: Actor, document: Document, api_as: ApiAs, work: Callable[[], None], scripted_model: ScriptedModel
) -> None:
    other = Document.objects.create(
        organization=actor.organization,
        name="other.pdf",
        sha256="1" * 64,
        size=1,
        media_type="application/pdf",
        file="none",
        state=Document.State.OCR_COMPLETED,
    )
    thread = threads.create(actor, document=other)
    assert chat.say(thread_id=thread.pk).json() == {"detail": "Thread not found"}
    assert chat.get(f"threads/{thread.pk}").json() == {"detail": "Thread not found"}
    scripted_model.will(calls(NOTE))
    Chat(api_as(actor), other).api.post(
        f"{chat.base.replace(document.pk, other.pk)}?wait=0", {"messages": [{"role": "user", "content": "x"}]}
    )
    work()
    turn = Turn.objects.get()
    assert chat.get(f"turns/{turn.pk}").json() == {"detail": "Turn not found"}
    assert chat.approve(turn.pk).json() == {"detail": "Turn expired or not found"}

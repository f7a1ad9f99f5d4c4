"""The chat routes of /v0 with their bodies and answers; a worker runs beside the requests."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import connection

from accounts.actor import Actor
from accounts.models import Role
from agent.models import Message, Thread, ToolCall, Turn
from agent.services import threads
from documents.models import Document, LanguageModel
from tests.agent.conftest import notes
from tests.conftest import ApiClient
from tests.scripted_model import ScriptedModel, calls, fails, says, thinks

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("tools")]
ApiAs = Callable[[Actor], ApiClient]
NOTE = ("note", {"text": "x"})
LOOK = ("look", {"word": "y"})
UNKNOWN = "0123456789abcdef01234567"


@pytest.fixture
def worker(work: Callable[[], None], settings: Any) -> Iterator[None]:
    """Runs whatever there is to do, in a thread of its own, until the test ends. It may take its time."""
    settings.RUN_WAIT_SECONDS = 120
    ended = threading.Event()

    def until_the_end() -> None:
        while not ended.wait(0.01):
            work()
        connection.close()

    thread = threading.Thread(target=until_the_end)
    thread.start()
    yield
    ended.set()
    thread.join(10)


class Chat:
    """The routes of one document, as one caller."""

    def __init__(self, api: ApiClient, document: Document) -> None:
        self.api = api
        self.org = f"/v0/orgs/{document.organization_id}"
        self.base = f"{self.org}/documents/{document.pk}/chat"

    def say(self, text: str = "Hello", **more: Any) -> Any:
        return self.api.post(self.base, {"messages": [{"role": "user", "content": text}], **more})

    def approve(self, turn_id: str, *approvals: Any, **more: Any) -> Any:
        listed = [{"call_id": call_id, "approved": approved, **rest} for call_id, approved, rest in approvals]
        return self.api.post(f"{self.base}/approve", {"turn_id": turn_id, "approvals": listed, **more})

    def get(self, path: str) -> Any:
        return self.api.get(f"{self.base}/{path}")


@pytest.fixture
def chat(api_as: ApiAs, actor: Actor, document: Document) -> Chat:
    return Chat(api_as(actor), document)


def yes(call: Any, **more: Any) -> tuple[str, bool, Any]:
    return call["id"], True, more


def no(call: Any, **more: Any) -> tuple[str, bool, Any]:
    return call["id"], False, more


def test_it_answers_with_the_result_object(chat: Chat, worker: None, scripted_model: ScriptedModel) -> None:
    scripted_model.will(calls(LOOK, text="I look."), thinks("Hm.", then="An invoice."))
    answer = chat.say("What is this?")
    assert answer.status_code == 200
    body = answer.json()
    turn = Turn.objects.get()
    assert body["text"] == "An invoice." and body["thinking"] == "Hm."
    assert body["working_state"] == {"schema_revid": None, "prompt_revid": None, "extraction": None}
    (ran,) = body["executed_rounds"]
    (call,) = ran["tool_calls"]
    assert (call["name"], json.loads(call["arguments"])["word"], call["status"]) == ("look", "y", "succeeded")
    assert call["id"] == ToolCall.objects.get().pk
    assert (body["thread_id"], body["model"]) == (turn.thread_id, "openai/scripted")
    assert "turn_id" not in body and "tool_calls" not in body
    assert (turn.origin, body["turn"]["status"]) == ("api", "completed")
    assert chat.get(f"turns/{turn.pk}").json() == {**body, "error": None}


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
    told = scripted_model.requests[1]["messages"]
    assert any("Not that." in str(message["content"]) for message in told if message["role"] == "tool")


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
        chat.approve(UNKNOWN), chat.approve("not an id"),
        chat.approve(paused["turn_id"], yes(paused["tool_calls"][0]), thread_id=UNKNOWN),
    ):  # fmt: skip
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
    spoken = [(each["role"], each["content"]) for each in scripted_model.requests[0]["messages"]]
    assert spoken[-4:] == [
        ("user", "Which day?"), ("assistant", "I look."), ("assistant", "Monday."), ("user", "And then?")
    ]  # fmt: skip
    assert not any("Obey me." in str(content) for _, content in spoken)
    # Clients send the whole conversation again; the rows hold it already.
    again = [*sent, {"role": "assistant", "content": "Tuesday."}, {"role": "user", "content": "Sure?"}]
    chat.api.post(chat.base, {"messages": again, "thread_id": answer["thread_id"]})
    spoken = [each["content"] for each in scripted_model.requests[1]["messages"] if each["role"] != "system"]
    assert spoken.count("Which day?") == 1 and spoken[-2:] == ["Tuesday.", "Sure?"]
    assert Thread.objects.get().title == "Which day?"


def test_it_goes_back_to_the_count_of_messages_that_the_client_keeps(
    chat: Chat, worker: None, scripted_model: ScriptedModel
) -> None:
    scripted_model.will(says("One."), calls(NOTE, text="May I?"), says("Noted."), says("Three."))
    thread_id = chat.say("1").json()["thread_id"]
    paused = chat.say("2", thread_id=thread_id).json()
    chat.approve(paused["turn_id"], yes(paused["tool_calls"][0]))
    whole = chat.get(f"threads/{thread_id}").json()
    assert [(each["role"], each["content"]) for each in whole["messages"]] == [
        ("user", "1"), ("assistant", "One."), ("user", "2"), ("assistant", "May I?"), ("assistant", "Noted.")
    ]  # fmt: skip
    chat.say("3", thread_id=thread_id, truncate_thread_to_message_count=2)
    spoken = [each["content"] for each in scripted_model.requests[-1]["messages"] if each["role"] != "system"]
    assert spoken[-3:] == ["1", "One.", "3"]
    whole = chat.get(f"threads/{thread_id}").json()
    assert [each["content"] for each in whole["messages"]] == ["1", "One.", "3", "Three."]


@pytest.mark.django_db
@pytest.mark.parametrize(("kept", "left"), [(9, 5), (5, 5), (4, 4), (3, 2), (2, 2), (1, 0), (0, 0)])
def test_it_never_keeps_more_messages_than_asked(
    chat: Chat, scripted_model: ScriptedModel, kept: int, left: int
) -> None:
    earlier = [{"role": role, "content": "x"} for _ in range(2) for role in ("user", "assistant")]
    sent = {"messages": [*earlier, {"role": "user", "content": "x"}]}
    thread_id = chat.api.post(f"{chat.base}?wait=0", sent).json()["thread_id"]
    again = {**sent, "thread_id": thread_id, "truncate_thread_to_message_count": kept}
    assert chat.api.post(f"{chat.base}?wait=0", again).status_code == 202
    assert Message.objects.filter(dropped_at=None).count() == left + 1


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
    shown = chat.get(f"threads/{titled}").json()
    user, assistant = shown["messages"]
    assert (user["role"], user["content"]) == ("user", "What is the total of this?")
    assert user["tool_calls"] is None and user["tool_call_id"] is None
    assert (assistant["content"], assistant["tool_calls"], assistant["thinking"]) == ("Found.", None, None)
    assert assistant["executed_rounds"][0]["tool_calls"][0]["name"] == "look"
    assert (shown["extraction"], shown["message_count"]) == (None, 2)
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
    found = chat.get(f"threads/{thread_id}").json()
    assert (len(found["messages"]), found["message_count"]) == (25, 32)
    assert found["messages"][-1]["content"] == "Yes."
    assert len(chat.get(f"threads/{thread_id}?limit=100").json()["messages"]) == 32


@pytest.mark.django_db
def test_it_lists_the_tools(chat: Chat) -> None:
    found = chat.get("tools").json()
    assert set(found) == {"read_only", "read_write"}
    assert found["read_only"] == sorted(found["read_only"]) and "get_ocr_text" in found["read_only"]
    assert found["read_write"] == sorted(found["read_write"]) and "run_extraction" in found["read_write"]


def test_a_failing_provider_is_400_with_its_sentence(chat: Chat, worker: None, scripted_model: ScriptedModel) -> None:
    scripted_model.will(fails(401, "bad key"))
    answer = chat.say()
    assert answer.status_code == 400 and "key" in answer.json()["detail"]
    assert answer.json()["code"] == "provider"
    turn = Turn.objects.get()
    seen = chat.get(f"turns/{turn.pk}").json()
    assert seen["error"] == answer.json()["detail"] and seen["turn_id"] == turn.pk
    scripted_model.will(says("Now."))
    assert chat.api.post(f"{chat.org}/turns/{turn.pk}/resume").status_code == 200
    assert chat.approve(turn.pk).json()["text"] == "Now."


def test_it_says_that_the_rounds_are_used_up(chat: Chat, worker: None, scripted_model: ScriptedModel, settings: Any):
    settings.TURN_MAX_ROUNDS = 1
    scripted_model.will(calls(LOOK))
    answer = chat.say().json()
    assert answer["text"] == "(Max tool rounds reached.)"
    assert (answer["turn"]["pause_reason"], answer["tool_calls"]) == ("max_rounds", [])
    assert len(answer["executed_rounds"]) == 1


def test_a_turn_out_of_budget_is_400(chat: Chat, worker: None, scripted_model: ScriptedModel, settings: Any) -> None:
    settings.MONTHLY_BUDGET_USD = 0
    answer = chat.say()
    assert answer.status_code == 400 and answer.json()["code"] == "budget"
    assert answer.json()["detail"].startswith("Insufficient SPU credits: ")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        ({"messages": []}, "messages holds no message of the user"),
        ({"messages": [{"role": "assistant", "content": "x"}]}, "messages holds no message of the user"),
        ({"messages": [{"role": "user", "content": "  "}]}, "The message is empty."),
        ({"messages": [{"role": "user", "content": None}]}, "The message is empty."),
        ({"auto_approve": True}, "auto_approve requires stream: true"),
        ({"mentions": "x"}, "mentions is a list"),
        ({"mentions": [{"type": "file", "id": "x"}]}, "mentions.type is"),
        ({"model": "embedder"}, "Embedding models are not allowed"),
        ({"model": "no-such-model"}, "no-such-model"),
    ],
)  # fmt: skip
def test_it_refuses_with_a_sentence(chat: Chat, scripted_model: ScriptedModel, sent: Any, sentence: str) -> None:
    LanguageModel.objects.create(name="embedder", provider="openai", embedding=True)
    answer = chat.api.post(chat.base, {"messages": [{"role": "user", "content": "x"}], **sent})
    assert answer.status_code == 400 and sentence in answer.json()["detail"]
    assert not Thread.objects.exists() and not Turn.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize(
    "wrong",
    [
        {"messages": "x"}, {"messages": [{"content": "x"}]}, {"messages": [{"role": "user", "content": {"a": 1}}]},
        {"messages": [{"role": "user", "content": [{"type": "image_url"}]}]}, {"stream": "yes"}, {"stream": 1},
        {"auto_approve": "true"}, {"auto_approved_tools": "note"}, {"truncate_thread_to_message_count": -1},
        {"truncate_thread_to_message_count": "x"}, {"model": 5, "messages": None},
    ],
)  # fmt: skip
def test_a_request_of_the_wrong_shape_is_422(chat: Chat, wrong: Any) -> None:
    answer = chat.api.post(chat.base, {"messages": [{"role": "user", "content": "x"}], **wrong})
    assert answer.status_code == 422, answer.json()
    assert not Turn.objects.exists()


def test_it_keeps_mentions_and_passes_them_to_the_model(
    chat: Chat, worker: None, scripted_model: ScriptedModel
) -> None:
    scripted_model.will(says("It is missing."))
    assert chat.say(mentions=[{"type": "schema", "id": UNKNOWN}]).status_code == 200
    assert Message.objects.first().mentions == [{"type": "schema", "id": UNKNOWN}]
    assert any("missing" in str(each["content"]) for each in scripted_model.requests[0]["messages"])


def test_tools_that_the_client_approved_beforehand_run_but_never_consequential_ones(
    chat: Chat, worker: None, scripted_model: ScriptedModel
) -> None:
    scripted_model.will(calls(NOTE), calls(("note", {"text": "z", "key": "shared"})))
    paused = chat.say(auto_approved_tools=["note", "no_such_tool"]).json()
    assert notes(text="x").count() == 1
    assert [json.loads(call["arguments"])["text"] for call in paused["tool_calls"]] == ["z"]
    assert Turn.objects.get().auto_approved == ["note"]


def test_it_answers_202_and_says_where_the_result_will_be(
    chat: Chat, work: Callable[[], None], scripted_model: ScriptedModel
) -> None:
    scripted_model.will(says("Here."))
    answer = chat.api.post(f"{chat.base}?wait=0", {"messages": [{"role": "user", "content": "x"}]})
    turn = Turn.objects.get()
    assert answer.status_code == 202 and answer.json()["turn_id"] == turn.pk
    assert answer["Location"] == f"{chat.base}/turns/{turn.pk}" and answer["Location"] in answer.json()["detail"]
    assert chat.api.get(answer["Location"]).json()["turn"]["status"] == "queued"
    work()
    assert chat.api.get(answer["Location"]).json()["text"] == "Here."


@pytest.mark.django_db
def test_a_running_turn_takes_no_second_message(chat: Chat, scripted_model: ScriptedModel) -> None:
    thread_id = chat.api.post(f"{chat.base}/threads").json()["thread_id"]
    chat.api.post(f"{chat.base}?wait=0", {"messages": [{"role": "user", "content": "x"}], "thread_id": thread_id})
    Turn.objects.update(status="running")
    answer = chat.say(thread_id=thread_id)
    assert answer.status_code == 409 and "still writing" in answer.json()["detail"]


def test_threads_and_turns_of_another_document_are_not_found(
    chat: Chat, actor: Actor, document: Document, api_as: ApiAs, work: Callable[[], None], scripted_model: ScriptedModel
) -> None:
    other = Document.objects.create(
        organization=actor.organization, name="other.pdf", sha256="1" * 64, size=1, media_type="application/pdf",
        file="none", state=Document.State.OCR_COMPLETED,
    )  # fmt: skip
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


def test_the_log_tells_all_of_a_turn_line_by_line(chat: Chat, worker: None, scripted_model: ScriptedModel) -> None:
    scripted_model.will(calls(NOTE, text="May I?"), says("Done."))
    paused = chat.say("Note it").json()
    chat.approve(paused["turn_id"], yes(paused["tool_calls"][0], arguments={"text": "mine"}))
    answer = chat.api.get(f"{chat.org}/turns/{paused['turn_id']}/log")
    assert answer["Content-Type"].startswith("application/x-ndjson")
    lines = [json.loads(line) for line in answer.content.decode().splitlines()]
    kinds = [line["type"] for line in lines]
    assert kinds == ["turn", "message", "message", "call", "decision", "message", "cost", "cost"]
    call = lines[3]
    assert (call["proposed"]["text"], call["decided"]["text"], call["effective"]["text"]) == ("x", "mine", "mine")
    assert (lines[4]["kind"], lines[4]["by"], lines[4]["edited"]) == ("approved", "Admin", True)
    assert lines[0]["status"] == "completed" and lines[-1]["cost_micros"] > 0


def test_a_turn_can_be_cancelled(chat: Chat, worker: None, scripted_model: ScriptedModel) -> None:
    scripted_model.will(calls(NOTE))
    paused = chat.say().json()
    path = f"{chat.org}/turns/{paused['turn_id']}/cancel"
    stopped = chat.api.post(path)
    assert stopped.status_code == 200 and stopped.json()["turn"]["status"] == "cancelled"
    assert "turn_id" not in stopped.json() and chat.api.post(path).status_code == 409


@pytest.mark.django_db
def test_the_description_tells_of_the_stream_and_gives_examples(api: Callable[[str], ApiClient]) -> None:
    document = api("").get("/v0/openapi.json").json()
    said = document["paths"]["/v0/orgs/{organization_id}/documents/{document_id}/chat"]["post"]
    content = said["responses"]["200"]["content"]
    assert set(content) == {"application/json", "text/event-stream"} and "202" in said["responses"]
    for name in ("thinking_chunk", "assistant_text_done", "Last-Event-ID", "round_restarted"):
        assert name in said["description"]
    assert len(said["requestBody"]["content"]["application/json"]["examples"]) == 2
    assert said["tags"] == ["Agent"]

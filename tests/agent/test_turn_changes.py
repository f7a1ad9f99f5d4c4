"""What the product says that a turn has changed: below it, over /v0, and to the model in the next turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.actor import Actor
from agent.conversation import threads
from agent.models import Thread, ToolCall
from agent.toolkit.previews import name_outcome
from agent.toolkit.turn_changes import UNTRIED, describe_turn_changes
from agent.turns import turns
from documents.models import Document, Tag
from tests.agent.decision_rows import say
from tests.agent.turn_rows import Work
from tests.documents.reading_rows import document_with
from tests.scripted_model import MODEL, ScriptedModel, calls, says

NOTHING = "Nothing was changed; 2 calls failed."


def make_call(status: str, *, tool: str = "create_tag", title: str = "Tag created", **fields: Any) -> ToolCall:
    if status == "untried":
        status, fields = "invalid", {"result": {"error": f"{UNTRIED}1 (create_schema) failed: …"}}
    return prepare(ToolCall(status=status, tool=tool, access="write", preview={"done": title}, version=1, **fields))


def prepare(call: ToolCall, undo: ToolCall | None = None) -> ToolCall:
    """As it is loaded with what has undone it."""
    call._state.fields_cache["undone_by"] = undo
    return call


def describe(*made: ToolCall) -> str:
    for at, call in enumerate(made):
        call.round, call.position = 1, at
    changes = describe_turn_changes(made)
    return changes.sentence if changes else ""


@pytest.mark.parametrize(
    ("statuses", "sentence"),
    [
        (["failed", "invalid"], NOTHING),
        (["failed", "untried"], "Nothing was changed; 1 call failed; 1 call was not tried."),
        (["denied"], "Nothing was changed; 1 call was not allowed."),
        (["succeeded"], "1 change was made (Tag created)."),
        (
            ["succeeded", "rejected", "pending"],
            "1 change was made (Tag created); 1 call was rejected; 1 call waits for a decision.",
        ),
        (["pending", "pending"], "Nothing has been changed yet; 2 calls wait for a decision."),
        (["planned"], "Nothing has been changed yet; 1 call waits for a decision."),
        (
            ["in_doubt", "expired"],
            "Nothing is known to have changed; 1 call expired undecided; 1 call has an unknown outcome.",
        ),
        (["executing", "failed"], "Nothing has been changed yet; 1 call failed; 1 call is running."),
        (["superseded", "cancelled", "stale"], "Nothing was changed; 3 calls were withdrawn."),
        (["succeeded"] * 5, "5 changes were made (Tag created; Tag created; Tag created; 2 more)."),
    ],
)
def test_each_end_of_a_call_is_named(statuses: Sequence[str], sentence: str) -> None:
    assert describe(*map(make_call, statuses)) == sentence


def test_what_only_reads_and_what_is_unknown_is_no_change() -> None:
    reading = prepare(ToolCall(status="succeeded", tool="list_tags", access="read", version=1))
    survey = prepare(ToolCall(status="succeeded", tool="read_all_documents", access="costly", version=1))
    unknown = prepare(ToolCall(status="invalid", tool="no_such_tool", access="", version=1))
    assert describe(reading, survey, unknown) == ""
    assert describe(prepare(ToolCall(status="invalid", tool="update_tag", access="", version=1))) != ""


def test_what_goes_on_as_a_job_and_what_was_taken_back_is_no_change() -> None:
    job = make_call("succeeded", result={"job_id": "1"})
    undone = prepare(make_call("succeeded"), ToolCall(status="succeeded"))
    assert describe(job) == "Nothing has been changed yet; 1 call was started and goes on."
    assert describe(undone) == "Nothing was changed; 1 call was taken back."


def test_a_card_that_was_made_anew_counts_once() -> None:
    first, second = make_call("stale"), make_call("succeeded")
    first.round = second.round = first.position = second.position = 0
    second.version = 2
    changes = describe_turn_changes([first, second])
    assert changes and changes.sentence == "1 change was made (Tag created)."


@pytest.fixture
def order(actor: Actor) -> Document:
    return document_with(actor.organization, ["Work order 17"], name="order-17.pdf")


@pytest.fixture
def beside(actor: Actor, order: Document) -> Thread:
    thread = threads.create(actor, document=order)
    Thread.objects.filter(pk=thread.pk).update(model=MODEL)
    return Thread.objects.get(pk=thread.pk)


@pytest.fixture
def ask(actor: Actor, beside: Thread, work: Work, scripted_model: ScriptedModel) -> Callable[..., None]:
    def run(*replies: Any) -> None:
        scripted_model.will(*replies)
        turns.start(actor, thread=beside, text="Correct the host.")
        work()

    return run


@pytest.fixture
def show(signed_in: Any, actor: Actor, beside: Thread) -> Callable[[], str]:
    def read() -> str:
        where = reverse("thread-items", args=[actor.organization.pk, beside.pk])
        return " ".join(signed_in(Client(), actor).get(where).content.decode().split())

    return read


@pytest.mark.django_db(transaction=True)
def test_a_claim_after_refused_calls_stands_above_what_really_came_of_them(
    ask: Any, show: Any, api_as: Any, actor: Actor, beside: Thread, scripted_model: ScriptedModel
) -> None:
    refused = calls(
        ("update_extraction_field", {"path": "host", "value": "a"}), ("update_tag", {"tag": "none", "name": "b"})
    )
    ask(refused, says("I have corrected the host."))
    assert NOTHING in show()
    turn, root = beside.turns.get(), f"/v0/orgs/{actor.organization.pk}/documents/{beside.document_id}/chat"
    changes = {"sentence": NOTHING, "counts": {"failed": 2}}
    assert api_as(actor).get(f"{root}/turns/{turn.pk}").json()["turn"]["changes"] == changes
    assert api_as(actor).get(f"{root}/threads/{beside.pk}").json()["messages"][-1]["changes"] == changes
    ask(says("It is done."))
    sent = " ".join(str(each.get("content")) for each in scripted_model.requests[-1]["messages"])
    assert f"whatever was said of it: {NOTHING}" in sent


@pytest.mark.django_db(transaction=True)
def test_a_decision_changes_the_sentence(ask: Any, show: Any, actor: Actor, work: Work) -> None:
    ask(calls(("create_tag", {"name": "Urgent"}), ("create_tag", {"name": "Late"})), says("Both are there."))
    assert "Nothing has been changed yet; 2 calls wait for a decision." in show()
    first, second = ToolCall.objects.order_by("position")
    say(actor, first)
    say(actor, second, "rejected", "k2")
    work()
    assert list(Tag.objects.values_list("name", flat=True)) == ["Urgent"]
    page = show()
    assert "1 change was made" in page and "1 call was rejected." in page and "Nothing has been" not in page


@pytest.mark.parametrize(
    ("result", "title"),
    [
        ({"job_id": "1"}, "Began to change 3 documents"),
        ({"job_id": "1", "documents": 3, "done": 3}, "Changed 3 documents"),
        ({"job_id": "1", "documents": 3, "done": 2}, "Changed 3 documents: 2 of 3"),
        (None, "Began to change 3 documents"),
    ],
)
def test_a_job_is_named_by_how_it_ended(result: dict[str, object] | None, title: str) -> None:
    preview = {"title": "Change 3 documents", "done": "Began to change 3 documents", "ended": "Changed 3 documents"}
    assert name_outcome(preview, result) == title

"""Asking again those documents of a survey that were not read: the same card, and only these are paid."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Role
from agent.api.results import describe_check
from agent.calls.decisions import decide
from agent.conversation import threads
from agent.conversation.cited_messages import read_message
from agent.mcp.answers import describe_question
from agent.models import Message, Thread, ToolCall, Turn
from agent.turns import turns
from agent.turns.surveys.survey_retry import find_rest
from documents.document_changes import trash
from documents.models import Document, Usage
from tests.agent.research.test_research_page import show
from tests.agent.research.test_tools_all_scope import letters, unread  # noqa: F401 - they are fixtures
from tests.agent.turn_rows import Work
from tests.documents.reading_rows import document_with
from tests.scripted_model import MODEL, Reply, ScriptedModel, calls, fails, says

pytestmark = pytest.mark.django_db(transaction=True)
QUESTION = "Which roof?"
BUTTON = "Ask the 1 unread document again"


def approve(actor: Actor, call: ToolCall) -> None:
    face = {"version": call.version, "shown_hash": call.shown_hash}
    decide(actor, call=call, kind="approved", idempotency_key=call.pk, **face)


@pytest.fixture
def surveyed(actor: Actor, letters: list[Document], scripted_model: ScriptedModel, work: Work) -> Thread:
    """A thread in which all documents were asked, one of them in vain."""
    thread = threads.create(actor, title="Roofs")
    Thread.objects.filter(pk=thread.pk).update(model=MODEL)
    thread.refresh_from_db()
    scripted_model.will(calls(("read_all_documents", {"question": QUESTION})))
    turns.start(actor, thread=thread, text=f"{QUESTION} All of them, please.")
    work()
    scripted_model.will(says("It."), fails(401), says("It."), says("Two say it."))
    approve(actor, ToolCall.objects.get())
    work()
    assert (ToolCall.objects.get().result or {})["coverage"]["read"] == 2
    return thread


@pytest.fixture
def press(signed_in: Callable[..., Any], actor: Actor) -> Callable[..., int]:
    def post(thread: Thread, person: Actor = actor, call_id: str = "") -> int:
        call_id = call_id or ToolCall.objects.order_by("created_at").first().pk
        where = reverse("thread-ask-again", args=[actor.organization.pk, thread.pk, call_id])
        return signed_in(Client(), person).post(where).status_code

    return post


def test_only_the_unread_one_is_read_and_paid_after_a_card(
    actor: Actor, surveyed: Thread, press: Any, signed_in: Any, work: Work, scripted_model: ScriptedModel
) -> None:
    assert BUTTON in show(signed_in, actor, surveyed)
    paid, asked = Usage.objects.count(), len(scripted_model.requests)
    assert press(surveyed) == 204
    work()
    again = ToolCall.objects.get(status="pending")
    assert again.effective["question"] == QUESTION and len(scripted_model.requests) == asked
    assert {"name": "Read before", "value": "2 documents, which cost nothing"} in again.preview["rows"]
    assert Turn.objects.latest("number").messages.get(role="user").join_text() == (
        f"Ask the 1 document again that was not read: {QUESTION}"
    )
    scripted_model.will(says("It."), says("All three say it."))
    approve(actor, again)
    work()
    again.refresh_from_db()
    assert again.result["coverage"] == {"documents": 3, "read": 3, "in_part": 0, "not_read": 0}
    assert Usage.objects.count() == paid + 2
    page = show(signed_in, actor, surveyed)
    assert "All 3 documents were read." in page and "unread document" not in page


def test_it_is_offered_to_the_thread_s_owner_while_nothing_runs(
    actor: Actor, surveyed: Thread, press: Any, signed_in: Any, member: Callable[[Role], Actor]
) -> None:
    colleague = member(Role.ADMIN)
    assert BUTTON not in show(signed_in, colleague, surveyed) and press(surveyed, colleague) == 403
    turns.start(actor, thread=surveyed, text="Thanks")
    assert BUTTON not in show(signed_in, actor, surveyed)
    Turn.objects.filter(thread=surveyed, number=2).update(status="running")
    assert press(surveyed) == 409


def test_a_viewer_asks_again_in_a_thread_of_their_own(
    surveyed: Thread, press: Any, signed_in: Any, member: Callable[[Role], Actor], work: Work
) -> None:
    viewer = member(Role.VIEWER)
    Thread.objects.filter(pk=surveyed.pk).update(owner=viewer.user)
    assert BUTTON in show(signed_in, viewer, surveyed) and press(surveyed, viewer) == 204
    work()
    assert ToolCall.objects.latest("created_at").effective["question"] == QUESTION


def test_the_scope_of_the_first_question_holds_whatever_was_asked_since(
    actor: Actor, letters: list[Document], surveyed: Thread, press: Any, work: Work
) -> None:
    Turn.objects.update(scope={"document_ids": [each.pk for each in letters]})
    turns.start(actor, thread=surveyed, text="And this?", scope={"document_ids": [letters[0].pk]})
    Turn.objects.update(status="completed")
    document_with(actor.organization, ["Later"])
    assert press(surveyed) == 204
    work()
    assert sorted(ToolCall.objects.get(status="pending").effective["documents"]) == sorted(each.pk for each in letters)


def test_chosen_documents_that_are_gone_are_left_out(
    actor: Actor, letters: list[Document], surveyed: Thread, press: Any, work: Work
) -> None:
    chosen = {"question": QUESTION, "documents": [each.pk for each in letters]}
    ToolCall.objects.update(proposed=chosen, effective=chosen)
    trash(actor, document=letters[0])
    assert press(surveyed) == 204
    work()
    again = ToolCall.objects.get(status="pending")
    assert sorted(again.effective["documents"]) == sorted(each.pk for each in letters[1:])


def test_there_is_nothing_to_ask_again_of_what_was_read_or_is_gone(
    actor: Actor, surveyed: Thread, press: Any, signed_in: Any
) -> None:
    call = ToolCall.objects.get()
    call.result = {**call.result, "not_read": [{"document_id": "1", "why": "It is no longer there."}]}
    call.save()
    assert "unread document" not in show(signed_in, actor, surveyed)
    assert press(surveyed) == press(surveyed, call_id="0" * 24) == 404


def test_what_a_stopped_one_has_not_asked_is_asked_by_a_button_too(
    actor: Actor, letters: list[Document], press: Any, signed_in: Any, work: Work, scripted_model: ScriptedModel
) -> None:
    thread = threads.create(actor, title="Roofs")
    Thread.objects.filter(pk=thread.pk).update(model=MODEL)
    thread.refresh_from_db()
    scripted_model.will(calls(("read_all_documents", {"question": QUESTION})))
    turns.start(actor, thread=thread, text=QUESTION)
    work()
    assert "Ask the rest" not in show(signed_in, actor, thread)

    def stop(request: dict[str, Any]) -> Reply:
        Turn.objects.update(cancel_requested_at="2026-01-01T00:00Z")
        return says("late").after(3)

    scripted_model.will(says("It."), stop, stop)
    approve(actor, ToolCall.objects.get())
    work()
    assert "Ask the rest of the documents" in show(signed_in, actor, thread)
    scripted_model.replies.clear()
    assert press(thread) == 204
    work()
    again = ToolCall.objects.get(status="pending")
    assert {"name": "Read before", "value": "1 document, which cost nothing"} in again.preview["rows"]
    assert Turn.objects.latest("number").messages.get(role="user").join_text() == (
        f"Ask the rest of the documents: {QUESTION}"
    )


def test_pressed_twice_it_is_asked_once(surveyed: Thread, press: Any, work: Work) -> None:
    assert [press(surveyed), press(surveyed)] == [204, 409]
    work()
    assert press(surveyed) == 409
    assert ToolCall.objects.get(status="pending").thread_id == surveyed.pk


@pytest.mark.parametrize(("claimed", "is_offered"), [(True, True), (False, False)])
def test_what_a_refusal_broke_off_is_asked_again_and_what_never_began_is_not(claimed: bool, is_offered: bool) -> None:
    call = ToolCall(tool="read_all_documents", status="denied", claimed_at=timezone.now() if claimed else None)
    assert (find_rest([call]) is not None) is is_offered


def test_an_answer_that_denies_of_all_offers_to_ask_every_document(
    actor: Actor, letters: list[Document], signed_in: Any, work: Work, scripted_model: ScriptedModel
) -> None:
    thread = threads.create(actor, title="Roofs")
    Thread.objects.filter(pk=thread.pk).update(model=MODEL)
    thread.refresh_from_db()
    scripted_model.will(calls(("search_documents", {"query": "garage"})), says("No letter names a garage."))
    turn = turns.start(actor, thread=thread, text="Which letter names a garage?")
    work()
    page = show(signed_in, actor, thread)
    assert "0 cited, 0 read of 3 documents" in page and "not checked" in page and "Ask every document (" in page
    answered = Message.objects.filter(turn=turn, role="assistant").latest("number")
    said = {"cited": 0, "read": 0, "in_part": 0, "documents": 3}
    assert describe_check(read_message(answered))["coverage"] == said
    assert describe_question(Turn.objects.get(pk=turn.pk))["coverage"] == said
    address = reverse("answer-file", args=[actor.organization.pk, thread.pk, answered.number, "md"])
    assert "0 cited, 0 read of 3 documents" in signed_in(Client(), actor).get(address).text
    where = reverse("thread-ask-every", args=[actor.organization.pk, thread.pk, turn.pk])
    assert signed_in(Client(), actor).post(where).status_code == 204
    work()
    call = ToolCall.objects.get(status="pending")
    assert call.effective["question"] == "Which letter names a garage?" and len(call.effective["documents"]) == 3
    scripted_model.will(says("nothing"), says("nothing"), says("nothing"), says("No letter names a garage."))
    approve(actor, call)
    work()
    page = show(signed_in, actor, thread)
    assert "All 3 documents were read." in page and "Ask every document (" not in page

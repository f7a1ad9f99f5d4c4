"""One question to every document of a scope: a card first, each read once, and what was not read named."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import pytest
from django.test import Client
from django.urls import reverse

from accounts.actor import Actor
from agent.api.results import build_result
from agent.calls import execution
from agent.calls.decisions import decide
from agent.cards.cards import build_context, draw_card
from agent.conversation import threads
from agent.models import Event, Thread, ToolCall, Turn
from agent.tools.research import scope_reads
from agent.turns import turns
from agent.turns.fixed_steps import AGAIN
from agent.turns.turn_views import read_turn
from documents.models import BulkAction, BulkItem, CondensedReading, Document, Usage
from tests.agent.conftest import propose_all
from tests.documents.find.searches import add_document
from tests.scripted_model import MODEL, Reply, ScriptedModel, calls, fails, says

pytestmark = pytest.mark.django_db(transaction=True)
ASK = {"question": "Which roof?"}


@pytest.fixture
def letters(actor: Actor, scripted_model: ScriptedModel) -> list[Document]:
    return [add_document(actor.organization, [f"roof {number}"], name=f"letter {number}.pdf") for number in range(3)]


@pytest.fixture
def unread(actor: Actor, letters: list[Document]) -> Document:
    return Document.objects.create(organization=actor.organization, name="new.pdf", sha256="2" * 64, size=1)


@pytest.fixture
def approved(actor: Actor, letters: list[Document]) -> Callable[..., ToolCall]:
    """The call, which a person has approved on its card."""

    def propose(scope: dict[str, Any] | None = None, **arguments: Any) -> ToolCall:
        thread = threads.create(actor, document=None)
        turn = {"scope": scope or {}}
        (call,) = propose_all(thread, ("read_all_documents", {**ASK, **arguments}), **turn)
        Turn.objects.update(model=MODEL)
        if call.status == "pending":
            face = {"version": call.version, "shown_hash": call.shown_hash}
            decide(actor, call=call, kind="approved", idempotency_key="k1", **face)
        call.refresh_from_db()
        return call

    return propose


def execute(call: ToolCall) -> dict[str, Any]:
    execution.execute(call.pk, holder="test")
    call.refresh_from_db()
    return call.result


@pytest.mark.parametrize("mode", ["ask", "auto"])
def test_a_person_sees_how_many_and_the_cost_before_any_is_read(
    actor: Actor, letters: list[Document], scripted_model: ScriptedModel, mode: str
) -> None:
    thread = threads.create(actor, document=None)
    Thread.objects.update(mode=mode)
    (call,) = propose_all(Thread.objects.get(pk=thread.pk), ("read_all_documents", ASK))
    assert (call.status, call.access, call.effective["documents"]) == (
        "pending",
        "costly",
        [each.pk for each in letters[::-1]],
    )
    assert call.preview["title"] == "Ask all 3 documents one question"
    assert {"name": "Documents", "value": "3 documents"} in call.preview["rows"]
    assert any(row["name"] == "Estimated cost" for row in call.preview["rows"])
    assert scripted_model.requests == []


def test_each_is_asked_and_the_coverage_names_what_was_not_read(
    approved: Callable[..., ToolCall], unread: Document, scripted_model: ScriptedModel
) -> None:
    scripted_model.will(says("Nothing."), says("The red roof [1.1]."), says("The red roof [1.1]."))
    call = approved()
    result = execute(call)
    assert result["coverage"] == {"documents": 4, "read": 3, "in_part": 0, "not_read": 1}
    assert result["not_read"] == [
        {"document_id": unread.pk, "document_name": "new.pdf", "why": "It has not been read yet."}
    ]
    assert len(result["documents"]) == 2 and "red roof" in result["documents"][0]["text"]
    assert result["say_nothing"]["documents"] == 1 and "spent_micros" not in result
    assert Usage.objects.filter(subject_id=call.turn_id).count() == 3
    event = Event.objects.filter(kind="call.progress").order_by("seq").last()
    assert event and (event.payload["visited"], event.payload["documents"]) == (4, 4)


def test_its_card_says_how_far_it_is(actor: Actor, approved: Callable[..., ToolCall]) -> None:
    call = approved()
    faces = {draw_card(call, build_context(call.thread, actor, [call])).version}
    for visited in (1, 2):
        call.status, call.result = "executing", {"progress": {"visited": visited, "documents": 3}}
        card = draw_card(call, build_context(call.thread, actor, [call]))
        assert card.outcome == f"{visited} of 3 documents visited" and card.running
        faces.add(card.version)
    assert len(faces) == 3


def test_the_scope_of_the_message_is_what_is_read(
    approved: Callable[..., ToolCall], letters: list[Document], scripted_model: ScriptedModel
) -> None:
    scripted_model.will(says("It."), says("It."))
    result = execute(approved({"document_ids": [each.pk for each in letters[:2]]}))
    assert result["coverage"]["documents"] == 2


def test_what_a_stopped_one_has_read_is_not_paid_again(
    approved: Callable[..., ToolCall], scripted_model: ScriptedModel
) -> None:
    def stop(request: dict[str, Any]) -> Reply:
        Turn.objects.update(cancel_requested_at="2026-01-01T00:00Z")
        return says("late").after(3)

    call = approved()
    scripted_model.will(says("It."), stop, stop)
    assert execute(call) == {"error": execution.STOPPED}
    Turn.objects.update(cancel_requested_at=None)
    assert (call.status, CondensedReading.objects.count()) == ("failed", 1)
    scripted_model.replies.clear()
    scripted_model.will(*[says("It.")] * 2)
    assert execute(approved())["coverage"]["read"] == 3 and CondensedReading.objects.count() == 3


def test_stop_ends_the_whole_action_before_any_worker_looks(
    actor: Actor, approved: Callable[..., ToolCall], scripted_model: ScriptedModel
) -> None:
    seen: list[str] = []

    def stop(request: dict[str, Any]) -> Reply:
        turns.cancel(actor, turn=Turn.objects.get())
        seen.append(BulkAction.objects.get().status)
        seen.extend(BulkItem.objects.values_list("status", flat=True).distinct())
        return says("late").after(60)

    call = approved()
    scripted_model.will(stop, *[says("It.")] * 2)
    assert execute(call) == {"error": execution.STOPPED} and call.status == "failed"
    assert seen == ["stopped", "left_out"] and len(scripted_model.requests) == 1
    assert not CondensedReading.objects.exists()


def test_what_fails_is_named_and_asked_again_alone(
    approved: Callable[..., ToolCall], letters: list[Document], scripted_model: ScriptedModel
) -> None:
    scripted_model.will(says("It."), fails(401), says("It."))
    first = execute(approved())
    assert first["coverage"] == {"documents": 3, "read": 2, "in_part": 0, "not_read": 1}
    assert "refused the key" in first["not_read"][0]["why"]
    scripted_model.will(says("It."))
    assert execute(approved())["coverage"]["read"] == 3
    assert len(scripted_model.requests) == 4


@pytest.mark.usefixtures("unpriced")
def test_what_was_approved_is_not_taken_from_the_rest_of_the_turn(
    approved: Callable[..., ToolCall], scripted_model: ScriptedModel
) -> None:
    scripted_model.will(*[says("It.")] * 3)
    call = approved()
    Turn.objects.update(limit_micros=1)
    assert execute(call)["coverage"]["read"] == 3
    # Nor is what was not needed of it added to the rest.
    spent = sum(Usage.objects.values_list("cost_micros", flat=True))
    assert spent > 0 and Turn.objects.get(pk=call.turn_id).limit_micros == 1 + spent


def test_the_answer_says_what_it_does_not_cover(
    actor: Actor,
    unread: Document,
    scripted_model: ScriptedModel,
    work: Callable[[], None],
    signed_in: Callable[..., Any],
) -> None:
    thread = threads.create(actor, document=None)
    Document.objects.filter(pk=unread.pk).update(name="new_D1:1.1].pdf")
    turn = turns.start(actor, thread=thread, text="Which roofs are there?", model=MODEL)
    scripted_model.will(calls(("read_all_documents", ASK)))
    work()
    call = ToolCall.objects.get()
    decide(actor, call=call, kind="approved", idempotency_key="k", version=call.version, shown_hash=call.shown_hash)
    scripted_model.will(*[says("A roof [1.1].")] * 3, says("Three roofs."))
    work()
    turn.refresh_from_db()
    assert turn.status == "completed"
    answer = build_result(read_turn(turn.pk))["text"]
    coverage = f"3 of 4 documents were read. Not read: “new_D1 1.1 .pdf” (It has not been read yet). {AGAIN}"
    assert answer == f"Three roofs.\n\n{coverage}"
    browser = signed_in(Client(), actor)
    where = [actor.organization.pk, thread.pk]
    assert coverage in browser.get(reverse("thread-items", args=where)).content.decode()
    number = turn.messages.order_by("-number").values_list("number", flat=True)[0]
    for form in ("md", "json", "docx"):
        file = browser.get(reverse("answer-file", args=[*where, number, form])).content
        if form == "docx":
            file = ZipFile(BytesIO(file)).read("word/document.xml")
        assert coverage in file.decode()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [({"question": " "}, "The question is empty"), ({"documents": ["none"]}, "Document not found")],
)
def test_what_cannot_be_asked_is_refused(
    approved: Callable[..., ToolCall], arguments: dict[str, Any], sentence: str
) -> None:
    assert sentence in approved(**arguments).result["error"]


def test_a_scope_without_documents_is_refused_with_a_sentence(actor: Actor, scripted_model: ScriptedModel) -> None:
    (call,) = propose_all(threads.create(actor), ("read_all_documents", ASK))
    assert call.result == {"error": "There is no document to read."}


def test_more_than_can_be_looked_after_are_refused(actor: Actor, approved: Callable[..., ToolCall]) -> None:
    organization, media_type = actor.organization, "text/plain"
    Document.objects.bulk_create(
        Document(organization=organization, name=str(number), sha256="1" * 64, size=1, media_type=media_type)
        for number in range(scope_reads.MAX_DOCUMENTS)
    )
    assert "Narrow the scope" in approved().result["error"]


def test_the_lines_that_it_was_told_of_can_be_cited(
    approved: Callable[..., ToolCall], scripted_model: ScriptedModel
) -> None:
    scripted_model.will(*[says("A roof [1.1].")] * 3)
    documents = execute(approved())["documents"]
    named = ["[D1:1.1]", "[D2:1.1]", "[D3:1.1]"]
    assert sorted(next(each for each in named if each in row["text"]) for row in documents) == named

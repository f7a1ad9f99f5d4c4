"""Questions over many documents: how deep they read, and how they end when rounds, time, money or the model do."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest
from django.utils import timezone

from accounts.actor import Actor
from agent.calls import execution
from agent.calls.leases.claiming import claim_call
from agent.citations.reviewing import review_answer
from agent.conversation import threads
from agent.models import AgentSettings, Message, Thread, ToolCall, Turn
from agent.policy import turn_time
from agent.turns import fixed_steps, loop, turns
from documents.models import Document, LanguageModel
from documents.retention import families
from kit.errors import Invalid
from tests.agent.tongues import Tongue
from tests.documents.find.searches import add_document
from tests.scripted_model import MODEL, ScriptedModel, calls, fails, says

pytestmark = pytest.mark.django_db(transaction=True)
QUESTION = "What did the roof cost?"


@pytest.fixture
def letters(actor: Actor) -> list[Document]:
    lines = (["the roof cost 1,234.50"], ["the roof of the wall cost 99.00"], ["a roof"])
    return [add_document(actor.organization, page, name=f"letter {number}.pdf") for number, page in enumerate(lines, 1)]


@pytest.fixture
def question(actor: Actor, letters: list[Document]) -> Callable[..., Turn]:
    def ask(**more: Any) -> Turn:
        thread = threads.create(actor, document=None)
        return turns.start(actor, thread=thread, text=QUESTION, model=MODEL, **more)

    return ask


def run(turn: Turn, work: Callable[[], None]) -> Turn:
    work()
    turn.refresh_from_db()
    return turn


def read_answer(turn: Turn) -> str:
    return turn.messages.filter(role=Message.Role.ASSISTANT).order_by("-number")[0].join_text()


def search(query: str = "roof cost?") -> Any:
    return calls(("search_documents", {"query": query}))


def test_without_rounds_it_answers_from_what_it_has_read_and_says_so(
    tongue: Tongue, question: Callable[..., Turn], scripted_model: ScriptedModel, work: Callable[[], None]
) -> None:
    """A model that writes its calls may write its last answer as it likes, and reads of none that it has made as such."""
    turn = question()
    Turn.objects.update(max_rounds=1)
    searched = tongue.calls(("search_documents", {"query": "roof cost?"}))
    scripted_model.will(searched, says("It cost 1,234.50. I stopped early."))
    assert run(turn, work).status == "completed" and turn.reason == "Its 1 round was used up."
    last = scripted_model.requests[-1]
    assert "You can call no more tools" in last["messages"][-1]["content"] and not last.get("tools")
    roles = [each["role"] for each in last["messages"]]
    assert not tongue.as_text or ("tool" not in roles and ("user", "user") not in pairwise(roles))
    assert read_answer(turn) == "It cost 1,234.50. I stopped early."


def test_without_time_it_does_the_same(
    question: Callable[..., Turn], scripted_model: ScriptedModel, work: Callable[[], None]
) -> None:
    turn = question()
    assert turn.limit_ms == 120_000
    scripted_model.will(search(), fails(401))
    loop.run_next_round(holder="test")
    Turn.objects.update(worked_ms=120_000)
    assert run(turn, work).status == "completed" and turn.reason == "Its 120 seconds were used up."
    assert "This answer stops early. Its 120 seconds were used up." in read_answer(turn)


def test_the_time_of_tools_that_ask_a_model_counts(
    question: Callable[..., Turn], letters: list[Document], scripted_model: ScriptedModel, work: Callable[[], None]
) -> None:
    turn = question()
    arguments = {"document_ids": [letters[0].pk], "focus_query": QUESTION}
    scripted_model.will(calls(("read_multiple_documents", arguments)), says("It cost 1,234.50 [1.1]."))
    loop.run_next_round(holder="test")
    call = ToolCall.objects.get()
    now = timezone.now()
    read = {"document_id": letters[0].pk, "document_name": "letter", "text": "the roof"}
    fields = {"result": {"documents": [read]}, "claimed_at": now - timedelta(seconds=121), "finished_at": now}
    ToolCall.objects.filter(pk=call.pk).update(status="succeeded", **fields)
    Turn.objects.update(status="queued")
    scripted_model.replies.clear()
    scripted_model.will(says("Nothing was read."))
    assert run(turn, work).reason == "Its 120 seconds were used up."


@pytest.mark.parametrize(("seconds_apart", "is_over"), [(0, False), (50, False), (65, True)])
def test_tools_that_run_at_the_same_time_take_their_time_once(
    question: Callable[..., Turn], scripted_model: ScriptedModel, seconds_apart: int, is_over: bool
) -> None:
    turn = question()
    scripted_model.will(calls(*[("read_multiple_documents", {"document_ids": ["x"], "focus_query": "y"})] * 2))
    loop.run_next_round(holder="test")
    now = timezone.now()
    for call in ToolCall.objects.all():
        begin = now + timedelta(seconds=seconds_apart * call.position)
        ToolCall.objects.filter(pk=call.pk).update(claimed_at=begin, finished_at=begin + timedelta(seconds=60))
    turn.refresh_from_db()
    turn.worked_ms = 0
    assert turn_time.is_out_of_time(turn) is is_over
    assert turn_time.count_seconds_left(turn, 300) == (1 if is_over else 60 - seconds_apart)


@pytest.mark.usefixtures("scripted_model")
def test_a_question_that_went_on_has_its_own_time_again(actor: Actor, question: Callable[..., Turn]) -> None:
    turn = question()
    Turn.objects.update(status="paused", pause_reason="time", worked_ms=130_000)
    assert turns.resume(actor, turn=turn).limit_ms == 250_000


@pytest.mark.usefixtures("unpriced")
@pytest.mark.parametrize("query", ["roof cost?", "roof cost"])
def test_without_money_what_was_read_is_the_answer(
    query: str, question: Callable[..., Turn], scripted_model: ScriptedModel, work: Callable[[], None]
) -> None:
    turn = question()
    scripted_model.will(search(query))
    loop.run_next_round(holder="test")
    Turn.objects.update(limit_micros=1)
    assert run(turn, work).status == "completed"
    answer = read_answer(turn)
    assert "stops early" in answer and "### letter 1.pdf\n\n- “the roof cost 1,234.50” [" in answer
    assert "[D1:1.1]" in answer and len(scripted_model.requests) == 1


def test_a_model_that_fails_leaves_the_fixed_way_and_the_answer_says_so(
    question: Callable[..., Turn], scripted_model: ScriptedModel, work: Callable[[], None]
) -> None:
    turn = question()
    scripted_model.will(*[fails(401)] * 5)
    assert run(turn, work).status == "completed"
    tools = list(turn.calls.order_by("round").values_list("tool", "status"))
    steps = ("search_documents", "rerank_documents", "read_multiple_documents")
    assert tools == [(step, "succeeded") for step in steps]
    answer = read_answer(turn)
    assert "these fixed steps were taken" in answer and "refused the key" in answer
    assert "### letter 1.pdf" in answer and "1,234.50" in answer


def test_a_model_below_the_organizations_minimum_takes_the_fixed_way(
    actor: Actor, question: Callable[..., Turn], scripted_model: ScriptedModel, work: Callable[[], None]
) -> None:
    AgentSettings.objects.create(organization=actor.organization, research_min_tokens=8000)
    LanguageModel.objects.update_or_create(name=MODEL, defaults={"max_input_tokens": 4000, "available": True})
    turn = question()
    scripted_model.will(*[says("It cost 1,234.50 [1.1].")] * 3)
    run(turn, work)
    assert "reads 4,000 tokens at once; this organization asks for at least 8,000" in read_answer(turn)
    assert "It cost 1,234.50 [D1:1.1]." in read_answer(turn) and len(scripted_model.requests) == 3


def test_the_offline_model_answers_a_question_by_the_fixed_way(
    actor: Actor, letters: list[Document], work: Callable[[], None]
) -> None:
    thread = threads.create(actor, document=None)
    turn = turns.start(actor, thread=thread, text=QUESTION, model="offline/rules")
    assert run(turn, work).status == "completed" and turn.calls.count() == 3
    assert "offline model chooses none" in read_answer(turn) and "1,234.50" in read_answer(turn)
    other = turns.start(actor, thread=thread, text="Make a schema.", model="offline/rules")
    assert run(other, work).status == "completed" and not other.calls.exists()


def test_the_fixed_steps_read_only_the_documents_that_were_chosen(
    question: Callable[..., Turn], letters: list[Document], scripted_model: ScriptedModel, work: Callable[[], None]
) -> None:
    turn = question(scope={"document_ids": [letters[1].pk]})
    scripted_model.will(fails(401), *[says("Nothing.")] * 3)
    answer = read_answer(run(turn, work))
    assert "letter 2.pdf" in answer and "letter 1.pdf" not in answer and "letter 3.pdf" not in answer


def test_what_was_read_stands_line_by_line_before_the_names_of_the_lines(
    actor: Actor, question: Callable[..., Turn], scripted_model: ScriptedModel, work: Callable[[], None]
) -> None:
    lines = [f"part {at} of the roof, which is of some length, cost {at}.50" for at in range(1, 21)]
    turn = question()
    scripted_model.will(calls(("read_document", {"document": add_document(actor.organization, lines).pk})))
    scripted_model.will(says("Done."))
    run(turn, work)
    text = fixed_steps.write_answer(turn, "").text
    assert "- “part 1 of the roof, which is of some length, cost 1.50” [D1:1.1]\n- “part 2" in text
    assert text.endswith("cost 3.50” [D1:1.3]") and "page number" not in text
    review = review_answer(turn, text)
    assert review and review.block["unsupported"] == []


@pytest.mark.parametrize("has_read_all", [False, True])
def test_one_line_proves_nothing_of_all_documents(
    actor: Actor,
    question: Callable[..., Turn],
    scripted_model: ScriptedModel,
    work: Callable[[], None],
    has_read_all: bool,
) -> None:
    page, turn = add_document(actor.organization, ["no letter names a garage"]), question()
    scripted_model.will(calls(("read_document", {"document": page.pk})), says("Done."))
    run(turn, work)
    review = review_answer(turn, "No letter names a garage [D1:1.1].", has_read_all=lambda: has_read_all)
    assert review and review.block["unsupported"] == []
    assert bool(review.block.get("not_checked")) is not has_read_all


def test_a_document_that_goes_meanwhile_keeps_the_fixed_steps_from_no_other(
    actor: Actor,
    question: Callable[..., Turn],
    letters: list[Document],
    scripted_model: ScriptedModel,
    work: Callable[[], None],
) -> None:
    turn = question()
    scripted_model.will(fails(401), *[says("It cost 99.00 [1.1].")] * 3)
    for _ in range(2):
        loop.run_round(turn.pk, holder="test")
    execution.execute(turn.calls.get().pk, holder="test")
    families.trash(actor, document=letters[0])
    answer = read_answer(run(turn, work))
    assert "letter 2.pdf" in answer and "99.00" in answer and "letter 1.pdf" not in answer
    order, read = turn.calls.order_by("round")[1:]
    assert order.status == "failed" and read.result["not_read"][0]["document_id"] == letters[0].pk


def test_a_person_bounds_how_many_documents_are_read(
    question: Callable[..., Turn], letters: list[Document], scripted_model: ScriptedModel, work: Callable[[], None]
) -> None:
    turn = question(depth="simple")
    several = {"document_ids": [each.pk for each in letters], "focus_query": QUESTION, "depth": "detailed"}
    scripted_model.will(
        calls(("read_multiple_documents", several)),
        says("It cost 1,234.50 [1.1]."),
        calls(("read_document", {"document": letters[1].pk}), ("read_document", {"document": letters[0].pk})),
        says("Done."),
    )
    run(turn, work)
    assert "depth: simple, so at most 1 document may" in str(scripted_model.requests[0]["messages"])
    first, second, third = turn.calls.order_by("round", "position")
    assert len(first.result["documents"]) == 1 and len(first.result["not_read"]) == 2
    said = "The depth simple reads at most 1 document in a turn, and 1 has been read or chosen before this one."
    assert first.result["not_read"][0]["why"].startswith(said)
    assert second.result["error"].startswith(said) and third.status == "succeeded"


def test_calls_of_one_answer_read_no_more_together_though_they_run_at_once(
    question: Callable[..., Turn], letters: list[Document], scripted_model: ScriptedModel
) -> None:
    turn = question(depth="simple")
    scripted_model.will(calls(*(("read_document", {"document": each.pk}) for each in letters[:2])))
    loop.run_round(turn.pk, holder="test")
    claimed = claim_call(turn.calls.get(position=0).pk)
    execution.execute(turn.calls.get(position=1).pk, holder="other")
    assert claimed
    execution.execute_claimed(claimed, holder="test")
    assert "simple reads at most 1" in turn.calls.get(position=1).result["error"]
    assert turn.calls.get(position=0).status == "succeeded"


def test_the_model_picks_a_depth_where_no_person_did(
    actor: Actor, question: Callable[..., Turn], scripted_model: ScriptedModel, work: Callable[[], None]
) -> None:
    ids = [add_document(actor.organization, ["roof"], name=f"more {number}.pdf").pk for number in range(6)]
    turn = question()
    several = {"document_ids": ids, "focus_query": QUESTION, "depth": "concise"}
    wrong = {"document_ids": ids[:1], "depth": "deep"}
    scripted_model.will(calls(("read_multiple_documents", several)), *[says("Nothing.")] * 5)
    scripted_model.will(calls(("read_multiple_documents", wrong)), says("Done."))
    run(turn, work)
    first, second = turn.calls.order_by("round")
    assert len(first.result["documents"]) == 5 and "simple, concise, detailed" in second.result["error"]


@pytest.mark.usefixtures("scripted_model")
def test_a_depth_goes_on_in_the_thread(actor: Actor, question: Callable[..., Turn]) -> None:
    turn = question(depth="concise")
    thread = Thread.objects.get()
    Turn.objects.update(status="completed")
    assert turns.start(actor, thread=thread, text="And then?", model=MODEL).depth == "concise"
    Turn.objects.update(status="completed")
    assert turns.start(actor, thread=thread, text="And then?", model=MODEL, depth="").depth == ""
    assert threads.get_depth(thread) == "" and turn.depth == "concise"
    with pytest.raises(Invalid, match="depth 'deep' is unknown"):
        turns.start(actor, thread=thread, text="x", model=MODEL, depth="deep")

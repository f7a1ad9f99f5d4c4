"""Reads that ask a model: several documents for one question, summaries, an order; paid once, and by the turn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from accounts.actor import Actor
from agent.calls import execution
from agent.models import AgentSettings, Thread, ToolCall, Turn
from agent.toolkit.registry import registry
from agent.tools.research.reads import describe_all_condensed
from documents.find.research.condensing import Condensed
from documents.models import CondensedReading, Document, Usage
from tests.agent.conftest import propose_all
from tests.documents.find.searches import add_document
from tests.scripted_model import MODEL, ScriptedModel, answers, fails, orders, says

pytestmark = pytest.mark.django_db(transaction=True)
Do = Callable[..., ToolCall]
QUESTION = "What did the roof cost?"


@pytest.fixture
def do(thread: Thread) -> Do:
    """As a turn of the scripted model, or of the one given, asks for it and a worker runs it."""

    def run(name: str, /, *, turn: dict[str, Any] | None = None, **arguments: Any) -> ToolCall:
        (call,) = propose_all(Thread.objects.get(pk=thread.pk), (name, arguments))
        Turn.objects.filter(pk=call.turn_id).update(**{"model": MODEL, **(turn or {})})
        execution.execute(call.pk, holder="test")
        call.refresh_from_db()
        Turn.objects.filter(pk=call.turn_id).update(status="completed")
        return call

    return run


@pytest.fixture
def letters(actor: Actor, thread: Thread, scripted_model: ScriptedModel) -> list[Document]:
    lines = (["the roof cost 1,234.50"], ["the wall cost 99.00"], ["nothing of interest"])
    return [add_document(actor.organization, page, name=f"letter {number}.pdf") for number, page in enumerate(lines, 1)]


def ids(documents: list[Document]) -> list[str]:
    return [document.pk for document in documents]


def test_each_document_is_condensed_to_the_question_and_paid_once(
    letters: list[Document], scripted_model: ScriptedModel, do: Do
) -> None:
    scripted_model.will(says("It cost 1,234.50 [1.1]."), says("It cost 1,234.50 [1.1]."))
    call = do("read_multiple_documents", document_ids=ids(letters[:2]), focus_query=QUESTION)
    first, second = call.result["documents"]
    assert (call.access, call.status) == ("costly_read", "succeeded")
    assert first == {
        "document_id": letters[0].pk,
        "document_name": "letter 1.pdf",
        "text": '<data kind="page_text">\nIt cost 1,234.50 [D1:1.1].\n</data>',
    }
    assert second["document_name"] == "letter 2.pdf"
    sent = [request["messages"][-1]["content"] for request in scripted_model.requests]
    assert sum("[1.1] the roof cost" in text for text in sent) == 1 and all(QUESTION in text for text in sent)
    assert Usage.objects.filter(purpose="research", subject_id=call.turn_id).count() == 2
    again = do("read_multiple_documents", document_ids=ids(letters[:2]), focus_query=f" {QUESTION}")
    assert [each["from_cache"] for each in again.result["documents"]] == [True, True]
    assert len(scripted_model.requests) == 2


def test_pages_are_named_where_not_all_were_read(thread: Thread, letters: list[Document]) -> None:
    reading = letters[0].readings.get()
    reading.page_count = 9
    first, whole = describe_all_condensed(
        thread, [Condensed(reading, "x [1.1]", [1]), Condensed(letters[1].readings.get(), "y", [1])]
    )
    assert (first["pages"], first["page_count"]) == ([1], 9) and "[D1:1.1]" in first["text"]
    assert "pages" not in whole


def test_what_one_worker_was_answered_the_next_does_not_pay_again(
    letters: list[Document], scripted_model: ScriptedModel, do: Do
) -> None:
    scripted_model.will(says("It cost much."), says("Nothing."))
    do("read_multiple_documents", document_ids=ids(letters[:1]), focus_query=QUESTION)
    result = do("read_multiple_documents", document_ids=ids(letters[:2]), focus_query=QUESTION).result
    assert "much" in result["documents"][0]["text"] and "Nothing." in result["documents"][1]["text"]
    assert len(scripted_model.requests) == 2


def test_without_a_model_the_passages_themselves_are_read(
    letters: list[Document], scripted_model: ScriptedModel, do: Do
) -> None:
    offline = {"model": "offline/rules"}
    result = do("read_multiple_documents", document_ids=ids(letters[:1]), focus_query=QUESTION, turn=offline).result
    [row] = result["documents"]
    assert "[D1:1.1] the roof cost 1,234.50" in row["text"] and row["note"].startswith("Without a model")
    assert scripted_model.requests == [] and not CondensedReading.objects.exists()


def test_a_model_that_fails_leaves_the_passages_and_says_so(
    letters: list[Document], scripted_model: ScriptedModel, do: Do
) -> None:
    scripted_model.will(fails(401))
    [row] = do("read_multiple_documents", document_ids=ids(letters[:1]), focus_query=QUESTION).result["documents"]
    assert "1,234.50" in row["text"] and "refused the key" in row["note"] and "In its place" in row["note"]


@pytest.mark.usefixtures("unpriced")
def test_without_money_no_model_is_asked(letters: list[Document], scripted_model: ScriptedModel, do: Do) -> None:
    result = do(
        "read_multiple_documents", document_ids=ids(letters), focus_query=QUESTION, turn={"limit_micros": 1}
    ).result
    assert all("is left of the limit for this turn" in row["note"] for row in result["documents"])
    assert scripted_model.requests == []


def test_a_stopped_turn_stops_it(letters: list[Document], scripted_model: ScriptedModel, thread: Thread) -> None:
    arguments = {"document_ids": ids(letters), "focus_query": QUESTION}
    (call,) = propose_all(Thread.objects.get(pk=thread.pk), ("read_multiple_documents", arguments))
    Turn.objects.filter(pk=call.turn_id).update(cancel_requested_at="2026-01-01T00:00Z")
    scripted_model.will(*[says("late").after(2)] * 3)
    execution.execute(call.pk, holder="test")
    call.refresh_from_db()
    assert (call.status, call.result) == ("failed", {"error": execution.STOPPED})
    assert not CondensedReading.objects.exists()


def test_what_cannot_be_read_is_named(actor: Actor, letters: list[Document], do: Do) -> None:
    unread = Document.objects.create(organization=actor.organization, name="new.pdf", sha256="2" * 64, size=1)
    arguments = {"document_ids": [unread.pk, letters[0].pk], "focus_query": "roof"}
    result = do("read_multiple_documents", **arguments, turn={"model": "offline/rules"}).result
    assert len(result["documents"]) == 1
    assert result["not_read"][0]["document_name"] == "new.pdf" and "not been read yet" in result["not_read"][0]["why"]


def test_a_summary_is_made_once_for_a_reading(letters: list[Document], scripted_model: ScriptedModel, do: Do) -> None:
    scripted_model.will(says("A letter on a roof [1.1]."))
    first = do("get_document_summary", document=letters[0].pk).result
    again = do("get_document_summary", document_id=letters[0].pk).result
    assert "was unexpected" in do("get_document_summary", document_id="a", document="b").result["error"]
    assert "A letter on a roof" in first["text"] and "from_cache" not in first and again["from_cache"]
    row = CondensedReading.objects.get()
    assert (row.question, row.model, str(row)) == ("", MODEL, "summary of letter 1.pdf")


def test_documents_are_ordered_by_the_rule_where_no_model_is_set(
    letters: list[Document], scripted_model: ScriptedModel, do: Do
) -> None:
    result = do("rerank_documents", document_ids=ids(letters[::-1]), query="the wall cost").result
    assert result["documents"][0]["document_id"] == letters[1].pk and result["note"].startswith("Ordered by the rule")
    assert len(result["documents"]) == 3 and scripted_model.requests == []


def test_the_organizations_model_orders_them_once(
    letters: list[Document], scripted_model: ScriptedModel, do: Do
) -> None:
    AgentSettings.objects.create(organization=letters[0].organization, rerank_model=MODEL)
    scripted_model.will(answers({"order": [3, 9, 1]}))
    by_rule = do("rerank_documents", document_ids=ids(letters[:2]), query=QUESTION).result
    assert "Two documents or fewer" in by_rule["note"]
    results = [do("rerank_documents", document_ids=ids(letters), query=QUESTION).result for _ in range(2)]
    assert results[0] == results[1] and results[0]["ordered_by"] == MODEL
    sent = scripted_model.requests[0]["messages"][-1]["content"]
    third = sent.split('number="3" document_id="')[1][:24]
    assert results[0]["documents"][0]["document_id"] == third and len(scripted_model.requests) == 1


def test_a_model_made_for_it_orders_them_once(
    letters: list[Document], scripted_model: ScriptedModel, do: Do, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOSTED_VLLM_API_BASE", scripted_model.base_url)
    model = "hosted_vllm/bge-reranker"
    AgentSettings.objects.create(organization=letters[0].organization, rerank_model=model)
    scripted_model.will(orders((2, 0.9), (0, 0.5), (1, 0.1)), fails(401))
    results = [do("rerank_documents", document_ids=ids(letters), query=QUESTION).result for _ in range(2)]
    assert results[0] == results[1] and results[0]["ordered_by"] == model
    [sent] = scripted_model.requests
    assert results[0]["documents"][0]["filename"] == sent["documents"][2].split("\n")[0]
    assert "refused the key" in do("rerank_documents", document_ids=ids(letters), query="Which wall?").result["note"]


def test_an_order_that_cannot_be_read_is_the_rules(
    letters: list[Document], scripted_model: ScriptedModel, do: Do
) -> None:
    AgentSettings.objects.create(organization=letters[0].organization, rerank_model=MODEL)
    scripted_model.will(says("I like the third one."))
    result = do("rerank_documents", document_ids=ids(letters), query="wall cost").result
    assert (
        "was no order. Ordered by the rule" in result["note"] and result["documents"][0]["filename"] == "letter 2.pdf"
    )


@pytest.mark.parametrize(
    ("tool", "arguments", "sentence"),
    [
        ("read_multiple_documents", {"document_ids": []}, "reads 1 to 15"),
        ("read_multiple_documents", {"document_ids": ["x"] * 16}, "reads 1 to 15"),
        ("read_multiple_documents", {"document_ids": ["none"]}, "Document not found"),
        ("rerank_documents", {"document_ids": ["x"] * 31, "query": "x"}, "orders 1 to 30"),
        ("rerank_documents", {"document_ids": ["x"], "query": " "}, "The question is empty"),
    ],
)
def test_what_it_cannot_do_it_refuses_with_a_sentence(
    do: Do, tool: str, arguments: dict[str, Any], sentence: str
) -> None:
    assert sentence in do(tool, **arguments).result["error"]


def test_others_documents_are_not_read(stranger: Actor, do: Do) -> None:
    document = add_document(stranger.organization, ["the roof"], name="theirs.pdf")
    for tool, more in (("read_multiple_documents", {}), ("rerank_documents", {"query": "roof"})):
        assert "not found" in do(tool, document_ids=[document.pk], **more).result["error"]
    assert "not found" in do("get_document_summary", document=document.pk).result["error"]
    assert {tool.name for tool in registry if tool.asks_model} == {
        "get_document_summary",
        "read_multiple_documents",
        "rerank_documents",
    }

"""What was read only in part says so: in what a model reads, in a survey's result, its answer and its rows, in counts."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from rest_framework.test import APIClient

from accounts.actor import Actor
from agent.calls import execution
from agent.conversation import threads
from agent.conversation.mentioned_documents import describe_document
from agent.conversation.model_input import document_blocks
from agent.models import Thread, ToolCall, Turn
from agent.toolkit.pages_read import PagesRead
from agent.toolkit.registry import registry
from agent.turns import turns
from agent.turns.fixed_steps import add_coverage
from documents.bulk import surveys
from documents.models import BulkAction, Document, Page
from llm.client import ModelAnswer
from tests.agent.conftest import propose_all
from tests.agent.research.cited_answers import answer_with, invoice, read, research, show  # noqa: F401 - fixtures
from tests.agent.research.test_tools_all_scope import ASK, approved, execute, letters  # noqa: F401 - fixtures
from tests.documents.find.searches import add_document
from tests.scripted_model import ScriptedModel, calls, says

pytestmark = pytest.mark.django_db(transaction=True)
LINES = [f"Line {number} of a long page with some more words" for number in range(1, 31)]
PART = "Pages 1 and 9 of 12 were read."


@pytest.fixture
def contract(actor: Actor) -> Document:
    """Longer than is read of one document at once; page 9 speaks of the roof."""
    pages = [LINES[:-1] if number != 9 else [*LINES[:-2], "The roof is of slate"] for number in range(1, 13)]
    contract = add_document(actor.organization, *pages, name="contract.pdf")
    for page, lines in zip(Page.objects.filter(reading__document=contract).order_by("number"), pages, strict=True):
        Page.objects.filter(pk=page.pk).update(text="\n".join(line * 3 for line in lines))
    return contract


def survey(approved: Callable[..., ToolCall], documents: list[Document]) -> ToolCall:
    call = approved(documents=[each.pk for each in documents])
    execute(call)
    return call


def test_a_long_document_that_says_nothing_on_the_pages_read_is_no_silent_one(
    approved: Callable[..., ToolCall],
    letters: list[Document],
    contract: Document,
    scripted_model: ScriptedModel,
    actor: Actor,
    signed_in: Any,
) -> None:
    scripted_model.will(*[says("Nothing.")] * 2)
    call = survey(approved, [letters[0], contract])
    result = call.result or {}
    assert result["coverage"] == {"documents": 2, "read": 1, "in_part": 1, "not_read": 0}
    assert result["say_nothing"] == {"documents": 1, "names": ["letter 0.pdf"]}
    named = {"document_id": contract.pk, "document_name": "contract.pdf", "page_count": 12}
    assert result["in_part"] == [{**named, "read": PART, "says_nothing_there": True}]
    asked = [request["messages"][-1]["content"] for request in scripted_model.requests]
    assert sum(f'excerpt="{PART}"' in each for each in asked) == 1
    assert registry.find("read_all_documents").summary(call.effective, result) == "2 of 2 documents read, 1 in part"
    assert "2 of 2 documents read, 1 in part." in show(signed_in, actor, call.thread)
    answer = add_coverage(call.turn, ModelAnswer("None.", "", [], "stop", 0, 0, 0, "x"))
    said = "1 of 2 documents were read to the end, 1 in part. Read in part: “contract.pdf” (Pages 1 and 9 of 12 were read)."
    assert answer.text == f"None.\n\n{said}"


def test_its_card_says_before_that_long_ones_are_read_in_part(
    actor: Actor, letters: list[Document], contract: Document
) -> None:
    (call,) = propose_all(threads.create(actor, document=None), ("read_all_documents", ASK))
    rows = {row["name"]: row["value"] for row in call.preview["rows"]}
    assert rows["Documents"] == "4 documents" and rows["Read in part"].startswith("about 1 long document: ")


def test_a_program_reads_it_of_the_item(
    actor: Actor,
    approved: Callable[..., ToolCall],
    contract: Document,
    scripted_model: ScriptedModel,
    api_as: Callable[[Actor], APIClient],
) -> None:
    scripted_model.will(says("Slate [9.29]."))
    survey(approved, [contract])
    action = BulkAction.objects.get()
    where = f"/v0/orgs/{actor.organization.pk}/documents/bulk/{action.pk}"
    (item,) = api_as(actor).get(where).json()["items"]
    assert (item["status"], item["code"], item["reason"]) == ("done", surveys.IN_PART, PART)


def test_an_answer_that_was_cut_by_its_length_says_so(
    approved: Callable[..., ToolCall], letters: list[Document], scripted_model: ScriptedModel
) -> None:
    scripted_model.will(replace(says("The roof is"), finish="length"))
    result = survey(approved, letters[:1]).result or {}
    assert "The roof is… (This was longer, and is cut here.)" in result["documents"][0]["text"]


def test_an_answer_says_of_how_many_documents_it_has_read_only_some_pages(
    answer_with: Any, invoice: Document, contract: Document, signed_in: Any, actor: Actor, research: Thread
) -> None:
    one_page = ("get_ocr_text", {"document": contract.pk, "page_num": 3})
    answer_with(calls(("read_document", {"document": invoice.pk}), one_page), says("It is 39.80 [D1:1.2]."))
    assert "1 cited, 2 read of 2 documents (1 in part)" in show(signed_in, actor, research)
    # What is cited from a search alone was not read to its end; what an earlier turn read whole was.
    answer_with(says("It is 39.80 [D1:1.2]."), text="Again?")
    assert "1 cited, 1 read of 2 documents </span>" in show(signed_in, actor, research)


@pytest.mark.parametrize(
    ("rows", "whole", "in_part"),
    [
        ([({}, 1)], [], False),
        ([({"page_count": 2, "pages": [1, 2]}, 1)], [1, 2], False),
        ([({"page_count": 2, "pages": [1, 2], "next": {"page_num": 2, "from_line": 9}}, 1)], [1], True),
        (
            [
                ({"page_count": 2, "pages": [1, 2], "next": {"page_num": 2, "from_line": 9}}, 1),
                ({"page_count": 2, "pages": [2]}, 9),
            ],
            [1, 2],
            False,
        ),
        (
            [
                ({"page_count": 1, "pages": [1], "next": {"page_num": 1, "from_line": 9}}, 1),
                ({"page_count": 1, "pages": [1]}, 11),
            ],
            [],
            True,
        ),
        ([({"page_count": 3, "pages": [1], "next": {"page_num": 2, "from_line": 1}}, 1)], [1], True),
    ],
)
def test_pages_count_as_read_from_their_first_line_to_their_last(
    rows: list[tuple[dict[str, Any], int]], whole: list[int], in_part: bool
) -> None:
    read = PagesRead()
    for row, first_line in rows:
        read.add(row, first_line)
    assert (read.list_whole_pages(), read.is_in_part) == (whole, in_part)


def test_what_a_model_is_shown_first_names_where_it_stops_and_how_to_read_on(actor: Actor, contract: Document) -> None:
    thread = threads.create(actor, document=contract)
    turn = turns.start(actor, thread=thread, text="What is it?")
    (block,) = document_blocks.build_blocks(turn, 100_000)
    assert "from line " in block and " are not shown</cut>" in block and 'cut="get_ocr_text(pages=' in block
    mentioned = describe_document(contract, thread, share=9).text
    assert f'get_ocr_text(document="{contract.pk}", pages="' in mentioned.splitlines()[-1]


def test_it_is_read_on_from_where_it_was_cut_to_its_end(actor: Actor) -> None:
    sheet = add_document(actor.organization, ["Sums"], [line * 16 for line in LINES], name="sheet.xlsx")
    thread = threads.create(actor, document=sheet)
    arguments: dict[str, Any] = {"page_num": 2}
    lines: list[str] = []
    for _ in range(4):
        result = run(thread, arguments)
        lines += [line for line in result["text"].splitlines() if line.startswith("[D1:2.")]
        if "next" not in result:
            break
        assert result["more"].startswith(f'get_ocr_text(pages="2", from_line={result["next"]["from_line"]})')
        arguments = result["next"]
    assert len(lines) == len(set(lines)) == 30 and arguments.get("from_line")


def test_page_by_page_it_is_read_on_to_its_last_page(actor: Actor) -> None:
    thread = threads.create(actor, document=add_document(actor.organization, LINES, LINES, ["End"], name="three.pdf"))
    result = run(thread, {"page_num": 1, "from_line": 20})
    assert result["next"] == {"page_num": 2, "from_line": 1} and 'get_ocr_text(pages="2-3")' in result["more"]
    several = run(thread, {"pages": "1-2", "from_line": 20})
    assert several["pages"] == [1, 2] and 'get_ocr_text(pages="3")' in several["more"]
    assert "next" not in run(thread, {"page_num": 3})


def run(thread: Thread, arguments: dict[str, Any]) -> dict[str, Any]:
    (call,) = propose_all(thread, ("get_ocr_text", arguments))
    execution.execute(call.pk, holder="test")
    Turn.objects.filter(pk=call.turn_id).update(status="completed")
    call.refresh_from_db()
    return call.result or {}


@pytest.mark.parametrize(
    ("tool", "result", "summary"),
    [
        ("get_ocr_text", {"page_count": 5, "pages": [1, 2]}, "page 1, 2 of 5"),
        (
            "get_ocr_text",
            {"page_count": 5, "pages": [1, 2], "next": {"page_num": 2, "from_line": 9}},
            "page 1, 2 of 5, page 2 up to line 8",
        ),
        ("read_document", {"page_count": 5, "pages": [1], "next": {"page_num": 2, "from_line": 1}}, "page 1 of 5"),
        ("read_multiple_documents", {"documents": [{}, {"in_part": PART}]}, "2 documents, 1 in part, 0 not read"),
    ],
)
def test_a_step_says_how_much_was_read(tool: str, result: dict[str, Any], summary: str) -> None:
    describe = registry.find(tool).summary
    assert describe and describe({}, result) == summary


@pytest.mark.parametrize("arguments", [{"from_line": 2}, {"page_num": 1, "from_line": 0}])
def test_a_line_without_its_page_is_refused(actor: Actor, contract: Document, arguments: dict[str, Any]) -> None:
    assert "Give both" in run(threads.create(actor, document=contract), arguments)["error"]

"""An answer whose model is asked for the sentences that are not proven, and these in its place."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

import json
from typing import Any

import pytest

from agent.citations.repairs import ReplacementFilter
from agent.models import Message, Thread
from documents.models import Document
from llm.client import Delta
from tests.agent.research.cited_answers import answer_with, invoice, read, research  # noqa: F401 - fixtures
from tests.scripted_model import says

pytestmark = pytest.mark.django_db(transaction=True)

DRAFT = "- Invoice 7 is from ACME [D1:1.1]. It is 41.00 [D1:1.2].\n- It is paid in 12.75 [D1:1.2].\nThat is all."


@pytest.mark.parametrize(
    ("repair", "shown"),
    [
        ("S1: It is 39.80 [D1:1.2].\nS2:", "- Invoice 7 is from ACME [D1:1.1]. It is 39.80 [D1:1.2].\nThat is all."),
        (
            "Here they are:\n**S2:** Due are 39.80 [D1:1.2].\nS1: (left out)",
            "- Invoice 7 is from ACME [D1:1.1].\n- Due are 39.80 [D1:1.2].\nThat is all.",
        ),
        ("It is 39.80 [D1:1.2]. That is all.", "It is 39.80 [D1:1.2]. That is all."),
        ("S9: Another [D1:1.2].", DRAFT),
    ],
)
@pytest.mark.parametrize("as_text", [False, True])
def test_a_repair_brings_the_sentences_that_failed_or_the_whole_answer(
    answer_with: Any, invoice: Document, research: Thread, settings: Any, repair: str, shown: str, as_text: bool
) -> None:
    if as_text:
        settings.MODELS_WITHOUT_TOOLS = ["*"]
        call = {"name": "read_document", "arguments": {"document": invoice.pk}}
        replies: list[Any] = [says(json.dumps({"tool_calls": [call]}))]
        replies += [says(json.dumps({"action": "answer", "response": each})) for each in (DRAFT, repair)]
    else:
        replies = [read(invoice), says(DRAFT), says(repair)]
    asked = answer_with(*replies)
    assert len(asked) == 3 and "S1: “It is 41.00 [D1:1.2].” Not found: 41.00" in asked[2] and "S3" not in asked[2]
    assert Message.objects.filter(thread=research).latest("number").join_text() == shown


@pytest.mark.parametrize(
    ("pieces", "shown"),
    [
        (["S", "1", ": It is 39.80.", "\nS2:"], []),
        (["Here they are:\n", "\nS1: It is", " 39.80."], []),
        (["So it is:\n", "- 39.80", " and so on"], ["So it is:\n- 39.80", " and so on"]),
        (["It is 39.80.\n", "That is all."], ["It is 39.80.\n", "That is all."]),
    ],
)
def test_sentences_for_an_earlier_answer_are_not_shown_on_their_way(pieces: list[str], shown: list[str]) -> None:
    seen: list[str] = []
    words = ReplacementFilter(lambda delta: seen.append(delta.text))
    for piece in pieces:
        words.take(Delta("text", piece))
    assert seen == shown

"""Facts that stand in each other's lines."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

from typing import Any

import pytest

from agent.citations.sentences import Sentence
from agent.citations.statements.proofs import Proof
from agent.citations.statements.swaps import Clause, find_swapped
from agent.models import Thread
from documents.models import Document
from tests.agent.research.cited_answers import answer_with, invoice, read, research  # noqa: F401 - fixtures
from tests.scripted_model import says

LINES = {
    "D1:1.1": "Minutes of 4 March 2025",
    "D1:1.2": "Hall 2 is re-roofed in August 2025. The budget is EUR 84,000.",
    "D2:1.1": "Minutes of 18 March 2025",
    "D2:1.2": "Hall 2 is re-roofed in October 2025. The budget is EUR 91,500.",
}


def find(text: str) -> str:
    clauses = Sentence(0, len(text), text).clauses
    return find_swapped([Clause(each.statement, [Proof(LINES[name]) for name in each.blocks]) for each in clauses])


@pytest.mark.parametrize(
    "text",
    [
        "On 4 March it was 84,000 [D1:1.1] [D1:1.2], on 18 March 91,500 [D2:1.1, D2:1.2].",
        "It was 84,000 and then 91,500 [D1:1.2] [D2:1.2], on 4 and 18 March 2025 [D1:1.1] [D2:1.1].",
        "[D1:1.2] 84,000 and [D2:1.2] 91,500.",
        "In 2025 it was 84,000 or 91,500 [D1:1.2], as the second says [D2:1.2].",
        "It was 84,000 [D1:1.2].",
    ],
)
def test_facts_that_stand_in_their_own_lines_or_elsewhere_are_left_alone(text: str) -> None:
    assert find(text) == ""


@pytest.mark.parametrize(
    "text",
    [
        "On 4 March it was 91,500 [D1:1.1] [D1:1.2], on 18 March 84,000 [D2:1.1] [D2:1.2].",
        "It is 18 March 2025 [D1:1.1] and 4 March 2025 [D2:1.1].",
        "August 2025 [D2:1.2], and then October 2025 [D1:1.2].",
    ],
)
def test_facts_that_stand_in_each_other_s_lines_are_named(text: str) -> None:
    assert "are in the lines of each other" in find(text)


@pytest.mark.django_db(transaction=True)
def test_such_a_sentence_is_not_proven(answer_with: Any, invoice: Document, research: Thread) -> None:
    swapped = says("Its number is 39.80 [D1:1.1] and its total is 7 [D1:1.2].")
    asked = answer_with(read(invoice), swapped, says("It is 7 [D1:1.1]."))
    assert "“39.80” and “7”, which are in the lines of each other" in asked[-1]

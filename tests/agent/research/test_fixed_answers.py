"""The answer that fixed steps give: lines as they were read."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from accounts.actor import Actor
from agent.citations.checked_answers import list_unsupported
from agent.conversation import threads
from agent.turns import turns
from tests.documents.find.searches import add_document
from tests.scripted_model import MODEL, ScriptedModel, fails

pytestmark = pytest.mark.django_db(transaction=True)


def test_lines_that_are_quoted_are_proven_whatever_stands_in_them(
    actor: Actor, scripted_model: ScriptedModel, work: Callable[[], None]
) -> None:
    lines = ["Minutes of 18 March 2025", "The roof is of “**hall 2**”. The cost is EUR 91,500. Responsible: Ines Vogt."]
    add_document(actor.organization, lines, name="minutes.pdf")
    scripted_model.will(*[fails(401)] * 9)
    turn = turns.start(actor, thread=threads.create(actor, document=None), text="What does the roof cost?", model=MODEL)
    work()
    turn.refresh_from_db()
    answer = turn.messages.get(round=turn.round)
    assert "EUR 91,500. Responsible: Ines Vogt.” [" in answer.join_text() and list_unsupported(answer) == []


def test_a_question_that_names_a_file_is_answered_from_that_file_alone(
    actor: Actor, scripted_model: ScriptedModel, work: Callable[[], None]
) -> None:
    for name, cost in {"bid_2025-03-18.pdf": "EUR 91,500", "bid_2026-04-02.pdf": "EUR 77,100"}.items():
        add_document(actor.organization, ["Minutes of the board", f"The roof costs {cost}.", "Present: all"], name=name)
    scripted_model.will(*[fails(401)] * 9)
    words = "What does the roof of bid_2026-04-02 cost?"
    turn = turns.start(actor, thread=threads.create(actor, document=None), text=words, model=MODEL)
    work()
    turn.refresh_from_db()
    answer = turn.messages.get(round=turn.round)
    text = answer.join_text()
    assert "77,100" in text and "91,500" not in text and "Present" not in text
    assert list_unsupported(answer) == []

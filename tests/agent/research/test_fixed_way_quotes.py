"""Answers of the fixed way quote lines that have a word of the question, and nothing where no line has one."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from accounts.actor import Actor
from agent.conversation import threads
from agent.models import Message
from agent.turns import fixed_steps, turns
from tests.agent.research.test_research_turns import letters

__all__ = ["letters"]
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.usefixtures("letters")
@pytest.mark.parametrize(("word", "number"), [("wall", 1), ("warranty", 0)])
def test_it_quotes_only_lines_with_a_word_of_the_question(
    actor: Actor, work: Callable[[], None], word: str, number: int
) -> None:
    thread = threads.create(actor, document=None)
    turn = turns.start(actor, thread=thread, text=f"Where is a {word}?", model="offline/rules")
    work()
    answer = turn.messages.filter(role=Message.Role.ASSISTANT).order_by("-number")[0].join_text()
    assert answer.count("[D") == number and (fixed_steps.NOTHING in answer) == (not number)

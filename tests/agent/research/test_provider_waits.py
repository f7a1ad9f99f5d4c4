"""A question that can be answered without its model does not wait long for a provider that is down."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

from collections.abc import Callable

import pytest

from agent.models import Turn
from agent.turns import loop
from agent.turns.loop import may_wait
from llm.client import ModelFailed
from tests.agent.research.test_research_turns import letters, question  # noqa: F401 - they are fixtures
from tests.scripted_model import ScriptedModel, fails

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize(("status", "asked", "waits"), [(500, 4, 5), (500, 11, 1), (500, 21, 0)])
def test_a_provider_that_is_down_takes_a_sixth_of_the_time_of_a_question(
    question: Callable[..., Turn], scripted_model: ScriptedModel, status: int, asked: int, waits: int
) -> None:
    turn = question()
    scripted_model.will(*[fails(status, retry_after=asked)] * 9)
    while not turn.fixed_because:
        Turn.objects.update(not_before=None)
        loop.run_round(turn.pk, holder="test")
        turn.refresh_from_db()
    assert len(scripted_model.requests) == waits + 1 and waits * asked <= turn.limit_ms / 1000 / 6


@pytest.mark.usefixtures("scripted_model")
def test_a_provider_that_names_no_wait_is_asked_again_three_times(question: Callable[..., Turn]) -> None:
    turn, failure = question(), ModelFailed("Down.", code="down", retryable=True)
    allowed = [may_wait(turn, failure) for turn.provider_waits in range(5)]
    assert allowed == [True, True, True, False, False]
    turn.thread.messages.update(blocks=[{"type": "text", "text": "Set it up."}])
    assert may_wait(turn, failure)

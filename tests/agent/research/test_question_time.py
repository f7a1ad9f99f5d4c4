"""A question that has used up its time and may not close, since it has changed something."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.actor import Actor
from agent.models import ToolCall, Turn
from agent.turns import loop, turns
from agent.usage.timeline import trace_turn
from tests.agent.research.test_research_turns import letters, question, read_answer, run  # noqa: F401 - fixtures
from tests.scripted_model import ScriptedModel, calls, says

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_question_that_changes_something_pauses_and_goes_on_with_its_whole_time(
    actor: Actor, question: Callable[..., Turn], scripted_model: ScriptedModel, work: Callable[[], None]
) -> None:
    """The time of its tools counts on both sides: it would be out of time at once."""
    turn = question()
    scripted_model.will(calls(("read_multiple_documents", {"document_ids": ["x"], "focus_query": "y"})), says("Done."))
    loop.run_next_round(holder="test")
    now = timezone.now()
    fields = {"claimed_at": now - timedelta(seconds=150), "finished_at": now, "access": "costly_read"}
    ToolCall.objects.update(status="failed", **fields)
    Turn.objects.update(status="queued", worked_ms=10_000)
    assert run(turn, work).status == "paused" and turn.pause_reason == "time"
    assert "paused after 2 min of work" in turn.reason
    assert trace_turn(turn).seconds >= 150
    limit = turns.resume(actor, turn=turn).limit_ms
    assert 280_000 <= limit < 290_000
    assert run(turn, work).status == "completed" and read_answer(turn) == "Done."

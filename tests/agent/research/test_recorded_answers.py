"""Right answers that models gave to whole tasks: the check of answers asks for nothing of them again."""

from __future__ import annotations

import pytest

from benchmarks.agent_tasks.recorded_answers import ANSWERS, RecordedAnswer, explain_round
from tests.scripted_model import ScriptedModel

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("recorded", ANSWERS, ids=lambda recorded: recorded.task)
def test_a_right_answer_costs_no_further_round(recorded: RecordedAnswer, scripted_model: ScriptedModel) -> None:
    assert explain_round(recorded) == "" and not scripted_model.requests

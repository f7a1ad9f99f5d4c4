"""What becomes of the steps of a plan when one that they build on ends without an effect."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.actor import Actor
from agent.calls import decisions
from agent.models import ToolCall, Turn
from documents.definitions import schemas
from documents.models import Prompt
from tests.agent.decision_rows import say
from tests.agent.test_planning import FORMAT, Work, plan, planning_thread, steps, two_steps  # noqa: F401 - fixtures
from tests.scripted_model import ScriptedModel, says

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.servers]


def test_a_rejected_step_takes_with_it_what_names_its_ids(
    actor: Actor, two_steps: Turn, work: Work, scripted_model: ScriptedModel
) -> None:
    schema, _ = steps()
    scripted_model.will(says("Understood."))
    say(actor, schema, "rejected", reason="Call it Bill")
    work()
    two_steps.refresh_from_db()
    assert [step.status for step in steps()] == ["rejected", "superseded"]
    assert two_steps.status == "completed" and not Prompt.objects.exists()
    messages = scripted_model.requests[-1]["messages"]
    assert {"role": "user", "content": "Why I rejected step 1 (create_schema): Call it Bill"} in messages
    assert "It builds on step 1 (create_schema), which was rejected." in str(
        [each for each in messages if each["role"] == "tool"]
    )
    assert messages[-1]["role"] == "user" and "decided the plan" in messages[-1]["content"]


def test_a_step_that_fails_takes_with_it_what_builds_on_it(
    actor: Actor, two_steps: Turn, work: Work, scripted_model: ScriptedModel
) -> None:
    scripted_model.will(says("I see."))
    schemas.create(actor, name=steps()[0].effective["name"], response_format=FORMAT)
    for step in steps():
        say(actor, step)
    work()
    first, second = steps()
    assert (first.status, second.status) == ("failed", "superseded")
    assert second.result == {"reason": "It builds on step 1 (create_schema), which failed."}
    two_steps.refresh_from_db()
    assert two_steps.status == "completed"


def test_a_step_that_expires_does_so_too(actor: Actor, two_steps: Turn) -> None:
    first, second = steps()
    ToolCall.objects.filter(pk=first.pk).update(expires_at=timezone.now() - timedelta(days=1))
    decisions.expire(first.pk)
    second.refresh_from_db()
    assert second.status == "superseded" and "nobody decided in time" in second.result["reason"]

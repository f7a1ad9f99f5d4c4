"""How long a question over many documents waits for a provider that takes no more calls."""

from __future__ import annotations

import pytest
from django.utils import timezone

from accounts.actor import Actor
from agent.conversation import threads
from agent.models import Turn
from agent.turns import loop, turns
from tests.scripted_model import MODEL, ScriptedModel, fails

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("loaded_litellm")]


def test_a_provider_that_takes_no_more_calls_is_waited_for_longer_each_time(
    actor: Actor, scripted_model: ScriptedModel
) -> None:
    turn = turns.start(actor, thread=threads.create(actor, document=None), text="What did it cost?", model=MODEL)
    for seconds in (5, 10, 20):
        scripted_model.will(fails(429, retry_after=None))
        before = timezone.now()
        loop.run_next_round(holder="test")
        turn.refresh_from_db()
        assert turn.status == "queued" and seconds <= (turn.not_before - before).total_seconds() < seconds + 5
        Turn.objects.update(not_before=None)
    scripted_model.will(fails(429, retry_after=None))
    loop.run_next_round(holder="test")
    turn.refresh_from_db()
    assert "(429)" in turn.fixed_because


@pytest.mark.parametrize(("seconds", "waits"), [(50, True), (90, False)])
def test_who_asks_waits_no_longer_than_a_minute_for_a_provider(
    actor: Actor, scripted_model: ScriptedModel, seconds: int, waits: bool
) -> None:
    turn = turns.start(actor, thread=threads.create(actor, document=None), text="What did it cost?", model=MODEL)
    scripted_model.will(fails(429, retry_after=seconds))
    loop.run_next_round(holder="test")
    turn.refresh_from_db()
    assert bool(turn.not_before) is waits and bool(turn.fixed_because) is not waits

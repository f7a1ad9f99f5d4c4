from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection

from accounts.actor import Actor
from agent.conversation import threads
from agent.models import Turn
from agent.turns import loop, turns
from documents.models import Budget, Reservation, Usage
from llm.money import budgets
from tests.scripted_model import Reply, ScriptedModel, says

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]


def drive_at_once(turn_ids: list[str]) -> None:
    def drive(turn_id: str) -> None:
        try:
            loop.run_round(turn_id, holder="test")
        finally:
            connection.close()

    with ThreadPoolExecutor(len(turn_ids)) as pool:
        list(pool.map(drive, turn_ids))


@pytest.mark.usefixtures("unpriced")
def test_fifty_turns_at_once_never_spend_more_than_the_organization_may(
    actor: Actor, scripted_model: ScriptedModel, settings: Any
) -> None:
    settings.MONTHLY_BUDGET_USD = 1

    def as_long_as_allowed(body: dict[str, Any]) -> Reply:
        return says("Done.").with_usage(1000, body["max_tokens"])

    scripted_model.will(*[as_long_as_allowed] * 50)
    started = [turns.start(actor, thread=threads.create(actor), text="Hello") for _ in range(50)]
    drive_at_once([turn.pk for turn in started])

    budget, spent = Budget.objects.get(), sum(Usage.objects.values_list("cost_micros", flat=True))
    assert 0 < spent == budget.spent_micros <= budget.limit_micros == 1_000_000
    assert budget.reserved_micros == 0 and not Reservation.objects.filter(status="open").exists()
    done = Turn.objects.filter(status="completed").count()
    assert done == Usage.objects.count() == len(scripted_model.requests)
    assert Turn.objects.filter(status="paused", pause_reason="budget").count() == 50 - done

    budgets.set_limit(actor, limit_usd=100)
    waiting = Turn.objects.filter(status="paused").first()
    assert waiting is not None
    turns.resume(actor, turn=waiting)
    loop.run_round(waiting.pk, holder="test")
    assert Turn.objects.get(pk=waiting.pk).status == "completed"

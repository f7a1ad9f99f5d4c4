"""Who comes next when many wait, and how many calls a provider gets at once."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from threading import Thread as OsThread
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from accounts.actor import Actor
from agent.conversation import threads
from agent.models import Turn
from agent.toolkit.registry import Registry
from agent.turns import loop, turn_queue, turns
from documents.models import Document, Reservation
from kit.errors import Upstream
from llm.client import Cancelled, ModelFailed, ModelRequest, ask
from llm.money import spending
from llm.money.spending import BudgetAccount
from tests.scripted_model import MODEL, ScriptedModel, says

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.servers]


def queue_turns(actor: Actor, number: int, model: str = "") -> list[str]:
    turn_ids = []
    for _ in range(number):
        document = Document.objects.create(organization=actor.organization, name="x.pdf", sha256="0", size=1, file="x")
        turn_ids.append(turns.start(actor, thread=threads.create(actor, document=document), text="Hi", model=model).pk)
    return turn_ids


def test_one_organization_with_a_hundred_turns_does_not_hold_up_another(
    actor: Actor, stranger: Actor, tools: Registry, scripted_model: ScriptedModel
) -> None:
    many = queue_turns(actor, 100)
    (one,) = queue_turns(stranger, 1)
    first, second, third = (turn_queue.claim_next() for _ in range(3))
    assert first and second and third
    assert (first.pk, second.pk, third.pk) == (many[0], one, many[1])


def test_a_wake_up_drives_the_turn_whose_time_it_is(
    actor: Actor, stranger: Actor, tools: Registry, scripted_model: ScriptedModel
) -> None:
    many = queue_turns(actor, 3)
    turn_queue.claim_turn(many[0])
    (one,) = queue_turns(stranger, 1)
    scripted_model.will(says("Fine."))
    assert loop.run_next_round(holder="test")
    assert Turn.objects.get(pk=one).status == "completed"


def test_many_workers_take_different_turns_at_once_and_none_writes_in_vain(
    actor: Actor, tools: Registry, scripted_model: ScriptedModel
) -> None:
    turn_ids = queue_turns(actor, 12)
    taken: list[str] = []
    writes: list[str] = []

    def note(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        if sql.startswith("UPDATE"):
            writes.append(sql)
        return execute(sql, *rest)

    def take() -> None:
        with connection.execute_wrapper(note):
            turn = turn_queue.claim_next()
        taken.append(turn.pk if turn else "")
        connection.close()

    workers = [OsThread(target=take) for _ in range(12)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert sorted(taken) == sorted(turn_ids)
    assert len(writes) == 12


def reserve_calls(actor: Actor, model: str, number: int) -> list[Reservation]:
    """As many calls under way."""
    quote = spending.Quote(model, 0)
    return [
        spending.reserve(BudgetAccount(actor.organization, "test", "x"), quote=quote, seconds=60) for _ in range(number)
    ]


def test_a_provider_gets_no_more_calls_at_once_than_it_may_have(
    actor: Actor, stranger: Actor, scripted_model: ScriptedModel, settings: Any
) -> None:
    settings.PROVIDER_CONCURRENCY = {"openai": 2, "": 3}
    first, _ = reserve_calls(actor, MODEL, 2)
    with pytest.raises(ModelFailed, match="as many calls under way as PROVIDER_CONCURRENCY") as raised:
        reserve_calls(stranger, MODEL, 1)
    assert (raised.value.code, raised.value.retryable) == ("busy", True)
    reserve_calls(stranger, "mistral/large", 3)
    reserve_calls(stranger, "offline/rules", 5)
    with pytest.raises(Upstream):
        reserve_calls(actor, "mistral/large", 1)
    spending.release(first)
    reserve_calls(stranger, MODEL, 1)


def test_the_place_of_a_worker_that_died_is_free_again_when_its_hold_is_over(
    actor: Actor, scripted_model: ScriptedModel, settings: Any
) -> None:
    settings.PROVIDER_CONCURRENCY = {"": 1}
    reserve_calls(actor, MODEL, 1)
    Reservation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    reserve_calls(actor, MODEL, 1)


def test_a_turn_waits_for_a_place_without_a_worker_and_without_losing_a_try(
    actor: Actor, tools: Registry, scripted_model: ScriptedModel, settings: Any
) -> None:
    settings.PROVIDER_CONCURRENCY = {"": 1}
    (under_way,) = reserve_calls(actor, MODEL, 1)
    (turn_id,) = queue_turns(actor, 1)
    assert not loop.run_next_round(holder="test")
    loop.run_round(turn_id, holder="test")  # as one that looked just before the place was taken
    turn = Turn.objects.get()
    assert (turn.status, turn.attempt, turn.provider_waits, turn.not_before) == ("queued", 0, 0, None)
    (elsewhere,) = queue_turns(actor, 1, model="offline/rules")
    assert turn_queue.find_runnable_turns().get().pk == elsewhere
    spending.release(under_way)
    scripted_model.will(says("Fine."))
    loop.run_round(turn_id, holder="test")
    assert Turn.objects.get(pk=turn_id).status == "completed" and len(scripted_model.requests) == 1


def test_an_extraction_waits_for_its_place_where_it_is(
    actor: Actor, scripted_model: ScriptedModel, settings: Any
) -> None:
    settings.PROVIDER_CONCURRENCY = {"": 1}
    (under_way,) = reserve_calls(actor, MODEL, 1)
    looked: list[int] = []

    def cancelled() -> bool:
        looked.append(1)
        if len(looked) == 2:
            spending.release(under_way)
        return False

    scripted_model.will(says("Hi"))
    request = ModelRequest(model=MODEL, messages=[{"role": "user", "content": "Hi"}])
    answer = ask(request, account=BudgetAccount(actor.organization, "test", "x"), cancelled=cancelled)
    assert answer.text == "Hi" and len(looked) >= 2


def test_who_waits_for_a_place_can_be_stopped(actor: Actor, scripted_model: ScriptedModel, settings: Any) -> None:
    settings.PROVIDER_CONCURRENCY = {"": 1}
    reserve_calls(actor, MODEL, 1)
    looked: list[int] = []
    request = ModelRequest(model=MODEL, messages=[{"role": "user", "content": "Hi"}])
    stopped: Callable[[], bool] = lambda: len(looked) > 1 or bool(looked.append(1))  # noqa: E731
    with pytest.raises(Cancelled):
        ask(request, account=BudgetAccount(actor.organization, "test", "x"), cancelled=stopped)
    assert not scripted_model.requests


def test_a_turn_that_is_to_wait_is_claimed_by_nobody_before_its_time(actor: Actor) -> None:
    [turn_id] = queue_turns(actor, 1)
    Turn.objects.filter(pk=turn_id).update(not_before=timezone.now() + timedelta(minutes=1))
    assert turn_queue.claim_turn(turn_id) is None
    Turn.objects.filter(pk=turn_id).update(not_before=timezone.now())
    turn = turn_queue.claim_turn(turn_id)
    assert turn is not None and (turn.status, turn.not_before, turn.attempt) == ("running", None, 1)

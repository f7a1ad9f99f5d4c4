"""How many wake-ups wait in the broker, and what becomes of the work when it takes none."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings as live
from django.core.files.base import ContentFile
from redis import Redis

from accounts.actor import Actor
from agent.conversation import threads
from agent.models import Turn
from agent.turns import loop, turns
from documents.intake import uploads
from documents.models import Document, Reading
from documents.reading.lanes import Lane
from kit import jobs
from kit.ids import new_id
from kit.jobs import Job
from tests.scripted_model import ScriptedModel, says
from worker.services.schedule import SWEEPS

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.servers]


@pytest.fixture
def broker() -> Iterator[Redis]:
    client = Redis.from_url(live.REDIS_URL)
    client.delete(*(key(job) for job in Job))
    yield client
    client.delete(*(key(job) for job in Job))


@pytest.fixture
def full_broker(broker: Redis) -> Iterator[Redis]:
    """One that refuses what takes memory, as with `noeviction` when nothing is left."""
    if "TESTS_OWN_REDIS" not in os.environ:
        pytest.skip("others use this Redis")
    broker.config_set("maxmemory", "1mb")
    yield broker
    broker.config_set("maxmemory", "0")


def key(job: Job) -> str:
    return f"docrouter:{job.queue}"


def count_waiting(broker: Redis) -> dict[str, int]:
    counted = {job.name: int(broker.llen(key(job))) for job in Job}
    return {name: number for name, number in counted.items() if number}


def start_turns(actor: Actor, number: int) -> None:
    for _ in range(number):
        turns.start(actor, thread=threads.create(actor), text="Hi")


def store(actor: Actor, number: int) -> None:
    for at in range(number):
        uploads.store(actor, name=f"{at}.txt", content=ContentFile(b"Total 12.50", name="a.txt"))


def sweep_all() -> None:
    for each in SWEEPS:
        if each.every_seconds < 10:
            each.run()


def test_the_sweeps_of_hours_without_a_worker_send_nothing_twice(actor: Actor, broker: Redis) -> None:
    start_turns(actor, 30)
    store(actor, 3)
    before = count_waiting(broker)
    assert before == {"RUN_TURN": 30, "READ_DOCUMENT": 3}
    for _ in range(10):
        sweep_all()
    assert count_waiting(broker) == before


def test_lost_wake_ups_are_sent_again_for_as_many_threads_as_there_are(
    actor: Actor, broker: Redis, settings: Any
) -> None:
    settings.AGENT_THREADS = 4
    start_turns(actor, 6)
    store(actor, Lane.TEXTS.places + 1)
    broker.delete(*(key(job) for job in Job))
    for _ in range(3):
        sweep_all()
    assert count_waiting(broker) == {"RUN_TURN": 4, "READ_DOCUMENT": Lane.TEXTS.places}
    broker.lpop(key(Job.RUN_TURN))
    sweep_all()
    assert count_waiting(broker)["RUN_TURN"] == 4


@pytest.mark.parametrize("job", [Job.RUN_TURN, Job.RUN_EXTRACTION, Job.EXECUTE_CALL])
def test_a_queue_that_nobody_empties_ends_to_grow(job: Job, broker: Redis, caplog: pytest.LogCaptureFixture) -> None:
    broker.rpush(key(job), *["x"] * (jobs.get_waiting_limit(job) - 1))
    for _ in range(5):
        jobs.send(job, new_id())
    jobs.send(Job.CALL_MODEL, new_id())
    assert count_waiting(broker) == {job.name: jobs.get_waiting_limit(job), "CALL_MODEL": 1}
    assert not caplog.records


def test_a_flood_of_turns_waits_in_rows_and_not_in_the_broker(actor: Actor, broker: Redis) -> None:
    broker.rpush(key(Job.RUN_TURN), *["x"] * (jobs.get_waiting_limit(Job.RUN_TURN) - 2))
    start_turns(actor, 5)
    assert count_waiting(broker) == {"RUN_TURN": jobs.get_waiting_limit(Job.RUN_TURN)}
    assert Turn.objects.filter(status="queued").count() == 5


def test_one_wake_up_is_enough_for_all_turns_that_wait(
    actor: Actor, broker: Redis, scripted_model: ScriptedModel
) -> None:
    scripted_model.will(*(says("Fine.") for _ in range(4)))
    start_turns(actor, 4)
    broker.delete(key(Job.RUN_TURN))
    jobs.send(Job.RUN_TURN, new_id())
    while broker.lpop(key(Job.RUN_TURN)):
        loop.run_next_round(holder="test")
    assert set(Turn.objects.values_list("status", flat=True)) == {"completed"}
    assert count_waiting(broker) == {}


def test_a_full_broker_delays_work_and_loses_none(
    actor: Actor, full_broker: Redis, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    start_turns(actor, 2)
    store(actor, 2)
    for _ in range(3):
        sweep_all()
    assert count_waiting(full_broker) == {}
    assert "Traceback" not in caplog.text and len(caplog.records) < 60
    full_broker.config_set("maxmemory", "0")
    sweep_all()
    assert count_waiting(full_broker) == {"RUN_TURN": 2, "READ_DOCUMENT": min(2, Lane.TEXTS.places)}
    assert Turn.objects.filter(status="queued").count() == 2
    assert Reading.objects.filter(status="queued").count() == Document.objects.count() == 2


def test_each_worker_listens_to_the_queues_of_its_jobs() -> None:
    assert jobs.queues_of("reading") == [Job.READ_DOCUMENT.queue, Job.UNPACK_DOCUMENT.queue]
    listened = jobs.queues_of("reading") + jobs.queues_of("agent")
    assert sorted(listened) == sorted(job.queue for job in Job) and len(set(listened)) == len(Job)

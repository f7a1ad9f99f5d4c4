import pytest

from tests.kit.test_leases import LEASES, make_waiting
from worker.models import ProcessLease
from worker.scheduler import LEASE_SECONDS, SweepSchedule
from worker.services import leases, recovery
from worker.services.schedule import Sweep

pytestmark = [pytest.mark.django_db, pytest.mark.servers]


def test_it_gives_a_lease_to_one_holder():
    assert leases.acquire("scheduler", holder="a", seconds=30)
    assert not leases.acquire("scheduler", holder="b", seconds=30)
    assert leases.acquire("scheduler", holder="a", seconds=30)


def test_it_gives_a_lease_that_ran_out_to_the_next_and_counts_the_fence():
    leases.acquire("scheduler", holder="a", seconds=-1)
    assert leases.acquire("scheduler", holder="b", seconds=30)
    assert (ProcessLease.objects.get().holder, ProcessLease.objects.get().fence) == ("b", 2)


def test_it_hands_over_at_once_after_a_release():
    leases.acquire("scheduler", holder="a", seconds=30)
    leases.release("scheduler", holder="a")
    assert leases.acquire("scheduler", holder="b", seconds=30)


def test_it_does_not_let_a_stranger_release_a_lease():
    leases.acquire("scheduler", holder="a", seconds=30)
    leases.release("scheduler", holder="b")
    assert not leases.acquire("scheduler", holder="b", seconds=30)


def make_counter(name, every, done, fails=False):
    def run():
        done.append(name)
        if fails:
            raise ValueError("a sweep that fails")

    return Sweep(name, every, run)


def test_it_runs_each_sweep_as_often_as_it_should():
    done: list[str] = []
    schedule = SweepSchedule([make_counter("fast", 2, done), make_counter("slow", 60, done)], holder="a")
    for now in (100, 101, 102, 104):
        schedule.tick(now)
    assert done == ["fast", "slow", "fast", "fast"]


def test_it_goes_on_after_a_sweep_that_failed(caplog):
    done: list[str] = []
    schedule = SweepSchedule([make_counter("broken", 2, done, fails=True), make_counter("sound", 2, done)], holder="a")
    schedule.tick(100)
    schedule.tick(102)
    assert done == ["broken", "sound", "broken", "sound"]
    assert "broken" in caplog.text


def test_it_leaves_the_work_to_the_scheduler_that_holds_the_lease():
    done: list[str] = []
    SweepSchedule([make_counter("first", 2, done)], holder="a").tick(100)
    second = SweepSchedule([make_counter("second", 2, done)], holder="b")
    second.tick(100)
    assert done == ["first"]
    leases.release("scheduler", holder="a")
    second.tick(100 + LEASE_SECONDS)
    assert done == ["first", "second"]


def test_a_start_ends_what_the_last_run_claimed():
    leases.acquire("scheduler", holder="a", seconds=30)
    rows = [(lease, make_waiting(lease.model)) for lease in LEASES]
    assert all(lease.claim(row) for lease, row in rows)
    assert recovery.void_leases_of("reading") == 1
    assert recovery.void_leases() == len(LEASES) - 1
    assert [lease.list_lost().get() for lease in LEASES] == [row for _, row in rows]
    assert leases.acquire("scheduler", holder="b", seconds=30)

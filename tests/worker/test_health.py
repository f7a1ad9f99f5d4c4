from pathlib import Path

import pytest
from django.core.cache import cache
from django.core.files.storage import default_storage
from django.db import connection

from kit.processes import heartbeats
from tests.locks import lock_elsewhere
from worker.models import ProcessLease
from worker.services import write_probe

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def storage():
    Path(default_storage.location).mkdir(parents=True, exist_ok=True)
    cache.clear()


def all_alive():
    for kind in heartbeats.KINDS:
        heartbeats.record_heartbeat(kind, "here:1")


def test_it_says_that_it_lives_to_anyone(client):
    answer = client.get("/health")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


def test_it_is_ready_once_every_worker_signs(client):
    all_alive()
    answer = client.get("/ready")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


def test_it_is_not_ready_without_a_worker_and_tells_strangers_no_more(client):
    answer = client.get("/ready")
    assert (answer.status_code, answer.json()) == (503, {"status": "unavailable"})


def test_it_tells_the_system_admin_which_part_is_missing(client, django_user_model):
    client.force_login(django_user_model.objects.create_superuser("root@example.com", "long enough"))
    all_alive()
    cache.delete("beat.agent")
    parts = client.get("/ready").json()["parts"]
    assert parts == {
        "database": "ok",
        "storage": "ok",
        "redis": "ok",
        "reading": "ok",
        "agent": "unavailable",
        "scheduler": "ok",
    }


def test_it_tells_no_parts_to_an_ordinary_member(client, django_user_model):
    client.force_login(django_user_model.objects.create_user("member@example.com", "long enough"))
    assert client.get("/ready").json() == {"status": "unavailable"}


@pytest.mark.django_db(transaction=True)
def test_it_is_not_ready_while_nobody_can_write(client, monkeypatch):
    monkeypatch.setattr(write_probe, "EVERY_SECONDS", 0)
    monkeypatch.setattr(write_probe, "WAIT_SECONDS", 0.05)
    all_alive()
    assert client.get("/ready").status_code == 200
    with lock_elsewhere(ProcessLease.objects.get(name="ready")):
        locked = client.get("/ready")
        assert (locked.status_code, locked.json()) == (503, {"status": "unavailable"})
        assert client.get("/health").status_code == 200
    assert client.get("/ready").status_code == 200


def test_a_write_is_tried_once_in_five_seconds_for_all_who_ask():
    now = [100.0]
    probe = write_probe.WriteProbe(clock=lambda: now[0])
    tried = []

    def count(go_on, sql, *rest):
        tried.append("worker_processlease" in sql and sql.startswith(("INSERT", "UPDATE")))
        return go_on(sql, *rest)

    with connection.execute_wrapper(count):
        assert all(probe.works() for _ in range(50)) and sum(tried) == 1
        now[0] += 5
        assert all(probe.works() for _ in range(50)) and sum(tried) == 2


@pytest.mark.django_db(transaction=True)
def test_trying_leaves_the_wait_for_locks_as_it_was():
    def wait_for_locks():
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA busy_timeout" if connection.vendor == "sqlite" else "SHOW lock_timeout")
            return cursor.fetchone()

    before = wait_for_locks()
    assert write_probe.WriteProbe().works() and wait_for_locks() == before

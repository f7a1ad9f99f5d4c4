"""What `/ready` looks at, part by part."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection

from kit.processes import heartbeats
from tests.locks import lock_elsewhere
from worker.models import ProcessLease
from worker.services import readiness, write_probe
from worker.services.readiness import PartsCheck, PatientCheck

pytestmark = [pytest.mark.django_db, pytest.mark.servers]


@pytest.fixture(autouse=True)
def folder(settings: Any, tmp_path: Path) -> Path:
    settings.DATA_DIR, settings.STORAGE_DIR = tmp_path, tmp_path / "files"
    cache.clear()
    for kind in heartbeats.KINDS:
        heartbeats.record_heartbeat(kind, "here:1")
    return tmp_path


def failures() -> dict[str, str]:
    return {name: sentence for name, sentence in PartsCheck().look().parts.items() if sentence}


def test_it_is_ready_once_every_worker_signs_also_in_a_bare_folder(folder: Path) -> None:
    assert not (folder / "files").exists()
    assert failures() == {}
    assert list((folder / "files").iterdir()) == []


def test_it_says_which_worker_to_start() -> None:
    cache.delete("beat.agent")
    sentence = "Nothing was heard of it for 35 seconds. Start it: manage.py work agent."
    assert failures() == {"agent": sentence}


def test_it_is_not_ready_below_the_limit_of_free_room(settings: Any) -> None:
    settings.MIN_FREE_DISK_MB = 10**9
    assert failures()["storage"].endswith("less than the 1000000000 MB of MIN_FREE_DISK_MB: make room.")


def test_it_is_not_ready_where_no_file_can_be_made(settings: Any, folder: Path) -> None:
    settings.STORAGE_DIR = folder / "files"
    settings.STORAGE_DIR.write_text("a file in place of the folder")
    assert failures() == {"storage": f"{settings.STORAGE_DIR} takes no file: File exists."}


def test_the_log_names_what_has_changed_once(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, readiness.__name__)
    check = PartsCheck()
    cache.delete("beat.scheduler")
    check.look(), check.look()
    heartbeats.record_heartbeat("scheduler", "here:1")
    check.look(), check.look()
    assert [record.message.partition(" for ")[0] for record in caplog.records] == [
        "not ready, scheduler: Nothing was heard of it",
        "ready again",
    ]


@pytest.mark.django_db(transaction=True)
def test_it_is_not_ready_while_nobody_can_write(settings: Any) -> None:
    assert failures() == {}
    with lock_elsewhere(ProcessLease.objects.get(name="ready")):
        assert failures()["database"].startswith("The database takes no write: ")
    assert failures() == {}


def test_a_write_is_tried_once_in_five_seconds_for_all_who_ask() -> None:
    now, tried = [100.0], [0]

    def count(go_on: Any, sql: str, *rest: Any) -> Any:
        tried[0] += "worker_processlease" in sql and sql.startswith(("INSERT", "UPDATE"))
        return go_on(sql, *rest)

    check = PatientCheck(write_probe.try_write, lambda: now[0])
    with connection.execute_wrapper(count):
        assert [check.find() for _ in range(50)] == [""] * 50 and tried == [1]
        now[0] += 5
        assert [check.find() for _ in range(50)] == [""] * 50 and tried == [2]


@pytest.mark.django_db(transaction=True)
def test_trying_leaves_the_wait_for_locks_as_it_was() -> None:
    def wait_for_locks() -> object:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA busy_timeout" if connection.vendor == "sqlite" else "SHOW lock_timeout")
            return cursor.fetchone()

    before = wait_for_locks()
    assert write_probe.try_write() == "" and wait_for_locks() == before

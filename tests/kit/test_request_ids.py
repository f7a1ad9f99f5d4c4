"""The id of a request: on its answer, in its log lines and in those of its jobs."""

from __future__ import annotations

import json
import logging
from typing import Any

import pytest
from celery import current_app
from celery.signals import task_postrun
from django.conf import settings
from django.test import Client
from redis import Redis

from kit import jobs
from kit.http.request_ids import RequestIdFilter, bind_id, current_id
from kit.ids import is_id, new_id
from kit.jobs import Job


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/", "/sign-in", "/nothing", "/v0/nothing", "/static/css/base.css"])
def test_each_answer_has_an_id_of_its_own(client: Client, path: str) -> None:
    first, second = (client.get(path)["X-Request-Id"] for _ in range(2))
    assert is_id(first) and is_id(second) and first != second


@pytest.mark.parametrize("sent", ["a", "3f2b7c1e-8d4a-4b2e-9f57-0c9d1a6be111", "job_7.try-2", "x" * 64])
def test_a_well_formed_id_of_the_sender_is_kept(client: Client, sent: str) -> None:
    assert client.get("/v0/nothing", headers={"X-Request-Id": sent})["X-Request-Id"] == sent


@pytest.mark.parametrize("sent", ["", " ", "x" * 65, "a b", "a]", "a\nb", "ä", "<script>", "a,b"])
def test_any_other_is_replaced(client: Client, sent: str) -> None:
    assert is_id(client.get("/v0/nothing", headers={"X-Request-Id": sent})["X-Request-Id"])


def test_a_line_of_the_log_names_its_request() -> None:
    line = logging.Formatter(settings.LOGGING["formatters"]["line"]["format"])
    lines = []
    for request_id in ("", "r-1"):
        record = logging.LogRecord("agent", logging.INFO, "", 0, "done", (), None)
        with bind_id(request_id):
            assert RequestIdFilter().filter(record)
        lines.append(line.format(record).partition(" INFO ")[2])
    assert lines == ["agent: done", "agent [r-1]: done"]
    assert settings.LOGGING["handlers"]["console"]["filters"] == ["request", "secrets"]


def test_what_follows_a_job_belongs_to_what_was_before_it() -> None:
    with bind_id("r-1"):
        with bind_id("r-2"):
            assert current_id() == "r-2"
        assert current_id() == "r-1"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("job", "expected"), [(Job.EXECUTE_CALL, "r-1"), (Job.READ_DOCUMENT, "")])
def test_a_job_logs_the_request_that_started_it_where_it_does_that_row_alone(job: Job, expected: str) -> None:
    broker, queue = Redis.from_url(settings.REDIS_URL), f"docrouter:{job.queue}"
    broker.delete(queue)
    with bind_id("r-1"):
        jobs.send(job, new_id())
    (message,) = broker.lrange(queue, 0, -1)
    broker.delete(queue)
    current_app.loader.import_default_modules()
    task = current_app.tasks[job.task]

    seen = []

    def look(**_: Any) -> None:
        seen.append(current_id())

    task_postrun.connect(look, sender=task)
    task.apply(args=[new_id()], headers=json.loads(message)["headers"], throw=True)
    task.apply(args=[new_id()], throw=True)
    task_postrun.disconnect(look, sender=task)
    assert seen == [expected, ""]


def test_a_foreign_host_is_a_line_in_the_log_and_no_traceback(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    assert client.get("/", HTTP_HOST="evil.example").status_code == 400
    [record] = [each for each in caplog.records if each.name == "django.security.DisallowedHost"]
    assert "evil.example" in record.getMessage() and record.exc_info is None

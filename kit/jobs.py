"""Upward calls by name: a service puts a job's name and a row's id on the queue; the worker has the task.

A message is only a wake-up. What must happen stands in rows, and the scheduler finds rows that no message woke.
"""

from __future__ import annotations

import enum
import logging
from collections.abc import Iterable
from functools import cache

from celery import current_app
from django.conf import settings
from django.db import transaction
from kombu.exceptions import OperationalError
from redis import Redis
from redis.exceptions import RedisError

from kit.http import request_ids

log = logging.getLogger(__name__)
# Messages of one job that names a row in each; one takes about 1 kB.
MAX_WAITING = 1000
# Messages of one job that takes what is due next: as many as free threads of several workers could take.
MAX_WAKING = 100
_ANSWER_SECONDS = 5.0


class Job(enum.Enum):
    """Task name and kind of worker of each job. A test proves that every name has a task."""

    READ_DOCUMENT = ("worker.read_document", "reading")
    UNPACK_DOCUMENT = ("worker.unpack_document", "reading")
    FOLLOW_READINGS = ("worker.follow_readings", "agent")
    INDEX_WORDS = ("worker.index_words", "agent")
    ASK_TYPE = ("worker.ask_type", "agent")
    EMBED_PAGES = ("worker.embed_pages", "agent")
    EMBED_QUERY = ("worker.embed_query", "agent")
    RUN_EXTRACTION = ("worker.run_extraction", "agent")
    # Messages of earlier versions may still wait under this name.
    RUN_TURN = ("worker.drive_turn", "agent")
    EXECUTE_CALL = ("worker.execute_call", "agent")
    CALL_MODEL = ("worker.call_model", "agent")
    ADVANCE_PROPOSAL = ("worker.advance_proposal", "agent")
    COMPARE_DUPLICATES = ("worker.compare_duplicates", "agent")
    RUN_BULK_ACTION = ("worker.run_bulk_action", "agent")
    ANSWER_ITEMS = ("worker.answer_items", "agent")
    TELL_JOB_END = ("worker.tell_job_end", "agent")
    SYNC_MODELS = ("worker.sync_models", "agent")
    LIST_OUTSIDE_TOOLS = ("worker.list_outside_tools", "agent")
    SEND_MAIL = ("worker.send_mail", "agent")

    @property
    def task(self) -> str:
        return self.value[0]

    @property
    def queue(self) -> str:
        """Each job has its own: what waits for it can be counted, and many of one kind hold up no other."""
        name, worker = self.value
        return f"{worker}.{name.removeprefix('worker.')}"


# Their log lines belong to the request that sent them. The others take what is due next, whichever row woke them.
_OF_ITS_ROW = frozenset(
    {Job.EXECUTE_CALL, Job.CALL_MODEL, Job.EMBED_QUERY, Job.ADVANCE_PROPOSAL, Job.LIST_OUTSIDE_TOOLS}
)


def queues_of(worker: str) -> list[str]:
    """List the queues that a worker of this kind listens to."""
    return [job.queue for job in Job if job.value[1] == worker]


def get_waiting_limit(job: Job) -> int:
    return MAX_WAITING if job in _OF_ITS_ROW else max(MAX_WAKING, settings.AGENT_THREADS)


def enqueue(job: Job, row_id: str) -> None:
    """Sends the wake-up when the transaction commits; nothing is sent when it rolls back."""
    transaction.on_commit(lambda: send(job, row_id))


def send(job: Job, row_id: str, *, countdown: float | None = None) -> None:
    """Sends a wake-up now. A broker that is away or full costs time, not work: the scheduler wakes the rows again.

    Where enough wait already, one more would only fill the broker.
    """
    if _count_waiting(job) < get_waiting_limit(job):
        _publish(job, row_id, countdown)


def wake(job: Job, row_ids: Iterable[str]) -> None:
    """For the scheduler: a wake-up for each of these rows, less those that wait for a worker already."""
    for row_id in list(row_ids)[_count_waiting(job) :]:
        if not _publish(job, row_id):
            return


def _publish(job: Job, row_id: str, countdown: float | None = None) -> bool:
    try:
        current_app.send_task(
            job.task, args=[row_id], queue=job.queue, countdown=countdown, ignore_result=True, headers=_headers(job)
        )
    except OperationalError as error:
        log.warning("queue not reached, the scheduler will pick up %s %s: %s", job.task, row_id, error)
        return False
    return True


def _headers(job: Job) -> dict[str, str]:
    return {request_ids.JOB_HEADER: request_ids.current_id()} if job in _OF_ITS_ROW else {}


def _count_waiting(job: Job) -> int:
    """Count the messages that no worker has taken yet. Too many when the broker does not say."""
    prefix = settings.CELERY_BROKER_TRANSPORT_OPTIONS["global_keyprefix"]
    try:
        return int(_broker().llen(f"{prefix}{job.queue}"))
    except (RedisError, OSError) as error:
        log.warning("queue not reached, the scheduler will wake %s: %s", job.task, error)
        return MAX_WAITING


@cache
def _broker() -> Redis:
    return Redis.from_url(settings.REDIS_URL, socket_timeout=_ANSWER_SECONDS, socket_connect_timeout=_ANSWER_SECONDS)

"""Upward calls by name: a service puts a job's name and a row's id on the queue; the worker has the task.

A message is only a wake-up. What must happen stands in rows, and the scheduler finds rows that no message woke.
"""

from __future__ import annotations

import enum
import logging

from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError

log = logging.getLogger(__name__)


class Job(enum.Enum):
    """Task name and queue of each job. A test proves that every name has a task."""

    READ_DOCUMENT = ("worker.read_document", "reading")
    FOLLOW_READINGS = ("worker.follow_readings", "agent")
    RUN_EXTRACTION = ("worker.run_extraction", "agent")
    DRIVE_TURN = ("worker.drive_turn", "agent")
    EXECUTE_CALL = ("worker.execute_call", "agent")
    CALL_MODEL = ("worker.call_model", "agent")
    DESIGN_PROPOSAL = ("worker.design_proposal", "agent")
    SYNC_MODELS = ("worker.sync_models", "agent")

    @property
    def task(self) -> str:
        return self.value[0]

    @property
    def queue(self) -> str:
        return self.value[1]


def enqueue(job: Job, row_id: str) -> None:
    """Sends the wake-up when the transaction commits; nothing is sent when it rolls back."""
    transaction.on_commit(lambda: send(job, row_id))


def send(job: Job, row_id: str, *, countdown: float | None = None) -> None:
    """Sends a wake-up now. A broker that is away costs time, not work: the scheduler sends it again from the rows."""
    try:
        current_app.send_task(job.task, args=[row_id], queue=job.queue, countdown=countdown, ignore_result=True)
    except OperationalError as error:
        log.warning("queue unreachable, the scheduler will pick up %s %s: %s", job.task, row_id, error)

from __future__ import annotations

from celery import shared_task

from documents import bulk
from kit import stopping
from kit.jobs import Job
from worker.services.leases import this_process


@shared_task(name=Job.RUN_BULK_ACTION.task)
def run_bulk_action(_: str = "") -> None:
    """The id says what woke us; what is worked on is the next action that is due, a slice, and the next."""
    while not stopping.is_set() and bulk.run_next(holder=this_process()):
        pass

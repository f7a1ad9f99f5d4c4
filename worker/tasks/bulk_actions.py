from __future__ import annotations

from celery import shared_task

from documents import bulk
from documents.bulk import answering
from kit import stopping
from kit.jobs import Job
from worker.services.leases import this_process


@shared_task(name=Job.RUN_BULK_ACTION.task)
def run_bulk_action(_: str = "") -> None:
    """The id says what woke us; what is worked on is the next action that is due, a slice, and the next."""
    while not stopping.is_set() and bulk.run_next(holder=this_process()):
        pass


@shared_task(name=Job.ANSWER_ITEMS.task)
def answer_items(_: str = "") -> None:
    """Documents that are asked a question: the next one that is due, and the next, while there is one."""
    while not stopping.is_set() and answering.answer_next():
        pass

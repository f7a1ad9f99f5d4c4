from __future__ import annotations

from celery import shared_task

from documents import extractions
from documents.autosetup import auto_setup, lookalikes
from documents.extractions import post_read_triggers, rechecking
from documents.intake.borders import note_waiting
from documents.types import telling
from kit import stopping
from kit.jobs import Job
from worker.services.leases import this_process


@shared_task(name=Job.RUN_EXTRACTION.task)
def run_extraction(extraction_id: str) -> None:
    """The id says what woke us; what runs is the next extraction that is due, and the next, while there is one."""
    while not stopping.is_set() and extractions.run_next(holder=this_process()):
        auto_setup.finish_members()


@shared_task(name=Job.COMPARE_DUPLICATES.task)
def compare_duplicates(_: str = "") -> None:
    """Judges the value checks of documents again that share a value with one that has changed."""
    rechecking.recheck_duplicates()


@shared_task(name=Job.FOLLOW_READINGS.task)
def follow_readings(_: str = "") -> None:
    """Tells the types of what has been read since, starts its prompts, and gives it its group of automatic setup."""
    telling.tell_waiting()
    post_read_triggers.trigger_prompts()
    extractions.reconsider_stale()
    auto_setup.assign_waiting()
    lookalikes.compare_waiting()
    note_waiting()

from __future__ import annotations

from celery import shared_task

from kit.jobs import Job
from llm import model_calls
from worker.services.leases import this_process


@shared_task(name=Job.CALL_MODEL.task)
def call_model(call_id: str) -> None:
    """One bare call, made once: a second delivery finds it claimed."""
    model_calls.run(call_id, holder=this_process())

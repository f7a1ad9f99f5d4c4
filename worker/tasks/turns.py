from __future__ import annotations

from celery import shared_task

from agent.calls import execution
from agent.calls.jobs import job_ends
from agent.turns import loop
from kit.jobs import Job
from worker.services.leases import this_process


@shared_task(name=Job.RUN_TURN.task)
def run_turn(turn_id: str) -> None:
    """One round of the turn whose time it is: the message is a wake-up, and need not be of the turn that it names."""
    loop.run_next_round(holder=this_process())


@shared_task(name=Job.EXECUTE_CALL.task)
def execute_call(call_id: str) -> None:
    """One approved call. The call's fence makes a second delivery harmless."""
    execution.execute(call_id, holder=this_process())


@shared_task(name=Job.TELL_JOB_END.task)
def tell_job_end(action_id: str) -> None:
    """Wakes the turns that wait for this bulk action."""
    job_ends.record_ends_of(action_id)

from __future__ import annotations

from celery import shared_task

from agent.turns import headless
from kit.jobs import Job


@shared_task(name=Job.ADVANCE_PROPOSAL.task)
def advance_proposal(row_id: str) -> None:
    """Of a proposal: starts its headless turn. Of a headless turn that has ended: takes what it left."""
    headless.advance(row_id)
    headless.advance_after_turn(row_id)

from __future__ import annotations

from celery import shared_task

from agent.turns import headless
from kit.jobs import Job


@shared_task(name=Job.ADVANCE_PROPOSAL.task)
def advance_proposal(row_id: str) -> None:
    """Start a proposal's headless turn, or take what a headless turn left that has ended."""
    headless.advance(row_id)
    headless.advance_after_turn(row_id)

from __future__ import annotations

from celery import shared_task

from agent.services import headless
from docrouter.kit.jobs import Job


@shared_task(name=Job.DESIGN_PROPOSAL.task)
def design_proposal(proposal_id: str) -> None:
    """Starts the headless turn of a proposal, or takes what it left when it has ended."""
    headless.advance(proposal_id)

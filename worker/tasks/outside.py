from __future__ import annotations

from celery import shared_task

from agent.outside import listing_runs
from kit.jobs import Job


@shared_task(name=Job.LIST_OUTSIDE_TOOLS.task)
def list_outside_tools(server_id: str) -> None:
    """Asks the server for its tools. A second delivery asks again, which changes nothing."""
    listing_runs.run_listing(server_id)

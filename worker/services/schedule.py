"""What the scheduler does and how often. Every sweep finds its work in rows and may run at any time, twice too."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from docrouter.kit import jobs
from documents.services import reading


@dataclass(frozen=True)
class Sweep:
    name: str
    every_seconds: float
    run: Callable[[], object]


def _ask_for_models() -> None:
    """By a job: the list comes from litellm, which only the agent worker imports."""
    jobs.send(jobs.Job.SYNC_MODELS, "")


SWEEPS: tuple[Sweep, ...] = (Sweep("readings", 3.0, reading.take_back_lost),)

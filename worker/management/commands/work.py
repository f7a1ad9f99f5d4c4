"""`manage.py work reading` and `manage.py work agent`: a worker of one kind, of which there may be several."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand
from django.core.management.base import CommandParser
from django.db import connection

from documents.reading import lanes
from kit.processes import heartbeats
from llm.client.litellm_loader import litellm
from worker.process import run_worker
from worker.services import recovery
from worker.siblings import run_together
from worker.supervision import preparation
from worker.supervision.children import is_supervised, watch_supervisor

THREADS = {"reading": lanes.count_threads(), "agent": settings.AGENT_THREADS}
PROCESSES = {"reading": 1, "agent": settings.AGENT_PROCESSES}


class Command(BaseCommand):
    help = "Does the jobs of the given kind."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("kind", choices=sorted(THREADS))

    def handle(self, *args: object, **options: Any) -> None:
        kind = options["kind"]
        preparation.prepare_process()
        heartbeats.note_start(kind)
        if is_supervised() and settings.EMBEDDED_DATABASE:
            # The only worker of its kind: what is still held was held by one that was killed.
            recovery.void_leases_of(kind)
            connection.close()
        if kind == "agent":
            # Before the first task: the import takes seconds, which no turn should have to count as its own.
            litellm()
        run_together(PROCESSES[kind], partial(_run, kind))


def _run(kind: str, number: int) -> None:
    if number == 1:
        watch_supervisor()
    run_worker(kind, name=kind if number == 1 else f"{kind}-{number}", threads=THREADS[kind])

"""`manage.py scheduler`: finds by rows whatever has no task."""

from __future__ import annotations

from django.conf import settings
from django.core.management import BaseCommand

from kit.processes import private_files
from worker import scheduler
from worker.services.schedule import SWEEPS
from worker.supervision import preparation
from worker.supervision.children import is_supervised, watch_supervisor


class Command(BaseCommand):
    help = "Finds work that no message woke, takes back lost leases, expires cards."
    requires_system_checks: list[str] = []

    def handle(self, *args: object, **options: object) -> None:
        watch_supervisor()
        preparation.prepare_process()
        if not is_supervised():  # there `up` has done it before anything else started
            private_files.restrict_existing(settings.DATA_DIR)
        scheduler.run(SWEEPS)

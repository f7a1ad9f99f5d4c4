"""`manage.py migrate`: Django's own, one process at a time where several machines begin at once."""

from __future__ import annotations

from django.core.management.commands import migrate

from worker.supervision.preparation import lock_migrations


class Command(migrate.Command):
    def handle(self, *args: object, **options: object) -> None:
        with lock_migrations():
            super().handle(*args, **options)

from __future__ import annotations

from django.core.management.base import BaseCommand

from accounts.services import first_run


class Command(BaseCommand):
    help = "Makes the admin that ADMIN_EMAIL names, or logs the code for the first visitor. `up` does it by itself."

    def handle(self, **options: object) -> None:
        if not first_run.is_open():
            self.stdout.write(first_run.DONE)
        first_run.prepare()

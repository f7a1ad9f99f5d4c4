from __future__ import annotations

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError

from accounts.models import Organization
from llm.money import usage_days


class Command(BaseCommand):
    help = (
        "Compares the daily sums of usage with the cost of each model call, says each difference, and puts it right. "
        "Each organization's calls wait to be booked while it is compared. With --dry-run differences end it with "
        "status 1."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="say what differs, and change nothing")

    def handle(self, *, dry_run: bool, **options: object) -> None:
        number = 0
        for organization in Organization.objects.order_by("pk"):
            for difference in usage_days.reconcile(organization, mends=not dry_run):
                self.stdout.write(str(difference))
                number += 1
        summary = f"{number:,} differences found." if dry_run else f"{number:,} differences found and put right."
        if dry_run and number:
            raise CommandError(summary)
        self.stdout.write(summary)

from __future__ import annotations

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError

from documents.index.integrity import IntegrityCheck

MAX_LISTED = 200


class Command(BaseCommand):
    help = (
        "Compares what documents are found by (the index of words, vectors, the table of values) with what was read, "
        "and mends what differs. Workers make vectors anew, and the organization pays for them as ever. It may run "
        "while the product does, and be stopped at any time. It ends with status 1 where something is left."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="say what is wrong, and change nothing")

    def handle(self, *, dry_run: bool, **options: object) -> None:
        check, number, left = IntegrityCheck(repairs=not dry_run), 0, 0
        for finding in check.run():
            number += 1
            left += finding.is_left
            if number <= MAX_LISTED:
                self.stdout.write(f"{finding.about}: {finding.problem} ({finding.outcome})")
        if number > MAX_LISTED:
            self.stdout.write(f"and {number - MAX_LISTED:,} more")
        summary = f"{check.documents:,} documents checked, {number:,} faults found, {number - left:,} repaired."
        if left:
            raise CommandError(summary)
        self.stdout.write(summary)

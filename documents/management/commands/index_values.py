from __future__ import annotations

from argparse import ArgumentParser

from django.core.management.base import BaseCommand

from documents.index.values.indexing import index_old_runs, list_old_runs
from documents.models import Extraction


class Command(BaseCommand):
    help = (
        "Fills the table of current values, by which documents are filtered, for runs of earlier versions. "
        "The scheduler does the same bit by bit; stopped, it goes on where it was."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--again", action="store_true", help="look through every run anew, to repair the table")

    def handle(self, *, again: bool, **options: object) -> None:
        if again:
            Extraction.objects.filter(status=Extraction.Status.COMPLETED).update(values_indexed_at=None)
        done = 0
        while number := index_old_runs():
            done += number
            self.stdout.write(f"{done:,} runs")
        left = list_old_runs().count()
        self.stdout.write(f"Done. {left:,} failed: see the log." if left else "Done.")

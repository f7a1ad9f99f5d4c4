from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from documents.models import Reading
from documents.word_index.indexing import index_waiting, list_waiting


class Command(BaseCommand):
    help = (
        "Indexes the words of all pages that no search finds yet. Workers do the same bit by bit; stopped, it goes on "
        "where it was."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--again", action="store_true", help="index every document anew, to repair the index")

    def handle(self, *, again: bool, **options: Any) -> None:
        if again:
            Reading.objects.filter(status=Reading.Status.COMPLETED).update(words_indexed_at=None)
        done = 0
        while number := index_waiting():
            done += number
            self.stdout.write(f"{done:,} documents")
        left = list_waiting().count()
        self.stdout.write(f"Done. {left:,} failed: see the log." if left else "Done.")

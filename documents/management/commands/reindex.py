from __future__ import annotations

from argparse import ArgumentParser

from django.core.management.base import BaseCommand

from documents.index.vectors.choice import request_all
from documents.index.words.indexing import index_waiting, list_unindexed
from documents.models import Reading


class Command(BaseCommand):
    help = (
        "Indexes the words of all pages that no search finds yet. Workers do the same bit by bit; stopped, it goes on "
        "where it was."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--again", action="store_true", help="index every document anew, to repair the index")
        parser.add_argument(
            "--embeddings",
            action="store_true",
            help="have workers make the vectors of every document that has none of the embedding model of now",
        )

    def handle(self, *, again: bool, embeddings: bool, **options: object) -> None:
        if embeddings:
            self.stdout.write(f"{request_all():,} documents are asked for. Workers make their vectors bit by bit.")
            return
        if again:
            Reading.objects.filter(status=Reading.Status.COMPLETED).update(indexing=Reading.Indexing.WAITING)
        done = 0
        while number := index_waiting():
            done += number
            self.stdout.write(f"{done:,} documents")
        left = list_unindexed().count()
        self.stdout.write(f"Done. {left:,} failed: see the log." if left else "Done.")

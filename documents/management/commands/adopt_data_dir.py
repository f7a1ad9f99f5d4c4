from __future__ import annotations

from django.conf import settings
from django.core.management.base import BaseCommand

from documents.storage import data_folder


class Command(BaseCommand):
    help = (
        "Makes DATA_DIR the folder in which this installation keeps its files, after they were moved there. "
        "Processes that have another folder end."
    )

    def handle(self, **options: object) -> None:
        missing = data_folder.adopt_folder()
        self.stdout.write(f"{settings.DATA_DIR} is the folder of this installation now.")
        if missing:
            self.stderr.write(f"{missing} of the newest 1,000 documents have no file in it. Put their files there.")

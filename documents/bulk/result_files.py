"""The file of a large download of results, as a worker writes it: on its own disk, then stored, then named by a row.

A worker that is killed has stored nothing, or a file that no row names: the next one begins anew. One that was taken
for dead finds another fence, and removes what it has stored. So there is one file, and the row says which.
"""

from __future__ import annotations

import logging
import tempfile
import time
from collections.abc import Iterator
from datetime import timedelta
from typing import IO

from django.conf import settings
from django.core.files import File
from django.db import transaction
from django.utils import timezone

from documents.bulk import outcomes, progress
from documents.bulk.kinds import get_kind
from documents.bulk.requesters import enter_as_requester
from documents.models import BULK_LEASE, BulkAction, BulkItem, ResultFile
from documents.results import ResultExport, name_file
from documents.results.layout import ResultLayout, plan_columns
from documents.results.loading import list_counted_runs
from documents.retention.result_files import make_key
from documents.storage.stored_files import UPLOADS
from kit import stopping
from kit.cleanup import on_failure
from kit.errors import AppError
from kit.json_types import JsonObject

log = logging.getLogger(__name__)
Status = BulkItem.Status
PROGRESS_SECONDS = 1.0
KEYS_AT_ONCE = 500


class Interrupted(Exception):
    """This process ends, or a document was deleted meanwhile: the file is begun anew."""


def write_file(action: BulkAction) -> None:
    """Raises LeaseLost."""
    try:
        Writing(action).run()
    except Interrupted:
        BULK_LEASE.release(action, attempt=0, queued_at=timezone.now(), done_count=0, left_out_count=0)
    except AppError as error:
        outcomes.fail(action, error.sentence, error.code or type(error).__name__.lower())


def read_layout(action: BulkAction) -> ResultLayout:
    """As it was chosen; nobody asks again whether its columns are still there."""
    names = ("format", "headers", "lists", "proof", "values", "schema_id")
    chosen: JsonObject = {name: action.arguments[name] for name in names if name in action.arguments}
    return ResultLayout(**chosen, columns=tuple(action.arguments.get("columns", ())))


def prepare_export(action: BulkAction) -> ResultExport:
    """Raises ActionOver where whoever asked may no longer see it."""
    actor, layout = enter_as_requester(action, get_kind(action.kind).role), read_layout(action)
    runs = list_counted_runs(layout).filter(document__bulk_items__action=action)
    return ResultExport(action.organization, layout, plan_columns(actor, layout, runs))


class Writing:
    def __init__(self, action: BulkAction) -> None:
        self.action, self.export = action, prepare_export(action)
        self.export.note_work = self.go_on
        self.kept_count = self._count_kept()
        self.look_at = time.monotonic() + PROGRESS_SECONDS

    def run(self) -> None:
        with tempfile.TemporaryFile() as file:
            for block in self.export.iterate_blocks(self.export.loader.iterate_items(self.action)):
                file.write(block)
                self.go_on()
            key = self._store(file)
        with on_failure(lambda: UPLOADS.delete(key)):
            self._finish(key)

    def go_on(self) -> None:
        """Renews the lease and says how far it is, once a second. Raises LeaseLost, Interrupted and ActionOver."""
        if stopping.is_set():
            raise Interrupted
        if time.monotonic() < self.look_at:
            return
        self.look_at = time.monotonic() + PROGRESS_SECONDS
        enter_as_requester(self.action, get_kind(self.action.kind).role)
        summary = self.export.summary
        with transaction.atomic():
            BULK_LEASE.lock(
                self.action,
                attempt=0,
                done_count=summary.documents,
                left_out_count=summary.omissions.left_out,
            )
            progress.publish_progress(self.action)

    def _store(self, file: IO[bytes]) -> str:
        self.size = file.tell()
        file.seek(0)
        name = f"{self.action.pk}-{self.action.fence}"
        return UPLOADS.save(make_key(self.action.organization_id, name), _WatchedFile(file, self))

    @transaction.atomic
    def _finish(self, key: str) -> None:
        BULK_LEASE.lock(self.action)
        enter_as_requester(self.action, get_kind(self.action.kind).role)
        if self._count_kept() != self.kept_count:
            raise Interrupted
        ResultFile.objects.create(
            action=self.action,
            key=key,
            name=name_file(self.export.layout),
            size=self.size,
            row_count=self.export.summary.rows,
            expires_at=timezone.now() + timedelta(days=settings.RESULT_FILE_DAYS),
        )
        self._settle_items()
        outcomes.finish(self.action)

    def _count_kept(self) -> int:
        """Whoever deletes a document for good deletes its files: this one they could not find yet."""
        return self.action.items.filter(document__purge_requested_at=None).count()

    def _settle_items(self) -> None:
        items = BulkItem.objects.filter(action=self.action)
        for reason, keys in self.export.left_out.items():
            for at in range(0, len(keys), KEYS_AT_ONCE):
                some = items.filter(document__in=keys[at : at + KEYS_AT_ONCE])
                some.update(status=Status.LEFT_OUT, reason=reason, code="no_values")
        items.filter(status=Status.PENDING).update(status=Status.DONE)


class _WatchedFile(File):  # type: ignore[type-arg]  # not subscriptable at run time
    """Storing may take long as well."""

    def __init__(self, file: IO[bytes], writing: Writing) -> None:
        super().__init__(file)
        self.writing = writing

    def chunks(self, chunk_size: int | None = None) -> Iterator[bytes]:
        for chunk in super().chunks(chunk_size):
            self.writing.go_on()
            yield chunk

"""The stored files compared with the rows.

A process that is killed between the two leaves a file without a row. Such files are set aside for some days and then
removed: a database that was put back from an older copy lacks the rows of what came later, and must not cost the
files. A row without its file is noted on the row and in the log.
"""

from __future__ import annotations

import logging
import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path, PurePosixPath

from django.core.files import File
from django.utils import timezone

from accounts.models import Organization
from documents.models import Document
from documents.storage.stored_files import SET_ASIDE, UPLOADS
from kit.errors import DiskFull
from kit.rows.walks import Walk

log = logging.getLogger(__name__)
DAY_SECONDS = 86_400
# An upload that is being stored has a file before it has a row.
GRACE_SECONDS = DAY_SECONDS
SET_ASIDE_DAYS = 7
AT_ONCE = 500
ID_CHARACTERS = 24


class FilesCheck:
    """Each run looks at some hundred files and as many rows; everything has been seen once a day."""

    def __init__(self) -> None:
        self.files = Walk(_iterate_old_keys, DAY_SECONDS)
        self.rows = Walk(_iterate_documents, DAY_SECONDS)

    def run_once(self) -> None:
        set_aside_orphans(self.files.next_part(AT_ONCE))
        note_missing(self.rows.next_part(AT_ONCE))


def set_aside_orphans(keys: Sequence[str]) -> int:
    """Sets aside those that no row names; how many. Files of unknown organizations are only reported."""
    orphans = _find_orphans(keys)
    folders = {_get_organization_id(key) for key in orphans}
    known = set(Organization.objects.filter(pk__in=folders).values_list("pk", flat=True))
    for key in orphans:
        if _get_organization_id(key) in known:
            _set_aside(key)
        else:
            log.warning("%s stays: neither its document nor its organization is in this database.", key)
    return len(orphans)


def note_missing(documents: Sequence[Document]) -> int:
    """Notes which of them have no file, and forgets it of those whose file is back; how many have none."""
    missing = [document for document in documents if not UPLOADS.exists(str(document.file))]
    ids = {document.pk for document in missing}
    fresh = [document.pk for document in missing if document.file_missing_since is None]
    back = [document.pk for document in documents if document.file_missing_since and document.pk not in ids]
    # Not those that are being deleted for good: their files go first.
    rows = Document.objects.filter(purge_requested_at=None)
    if fresh and rows.filter(pk__in=fresh).update(file_missing_since=timezone.now()):
        log.error("The stored files of these documents are missing: %s", ", ".join(fresh))
    if back:
        rows.filter(pk__in=back).update(file_missing_since=None)
    return len(missing)


def remove_leftovers() -> int:
    """Files set aside long ago, and temporary files of uploads whose process was killed; how many."""
    limit = timezone.now() - timedelta(days=SET_ASIDE_DAYS)
    old = [file.key for file in SET_ASIDE.iterate() if file.changed_at < limit]
    for key in old:
        with _log_failure(key):
            SET_ASIDE.delete(key)
    for path in _iterate_temporary_uploads():
        with _log_failure(str(path)):
            path.unlink(missing_ok=True)
    return len(old)


def _find_orphans(keys: Sequence[str]) -> list[str]:
    """A file is named after its document, by whose key it is looked for; only what is not found so takes a walk."""
    ids = {PurePosixPath(key).name[:ID_CHARACTERS] for key in keys}
    left = set(keys) - set(Document.objects.filter(pk__in=ids).values_list("file", flat=True))
    if left:  # demo documents share a file, which is named after none of them
        left -= set(Document.objects.filter(file__in=left).values_list("file", flat=True).distinct())
    return sorted(left)


def _set_aside(key: str) -> None:
    """Copies it before it is deleted, so that whoever is killed between the two has lost nothing."""
    target = f"{_get_organization_id(key)}/{PurePosixPath(key).name}"
    with _log_failure(key), suppress(FileNotFoundError):  # deleted meanwhile
        with UPLOADS.open(key) as content:
            SET_ASIDE.save(target, File(content))
        UPLOADS.delete(key)
        log.warning("%s belongs to no document; it is set aside as %s for %s days.", key, target, SET_ASIDE_DAYS)


@contextmanager
def _log_failure(name: str) -> Iterator[None]:
    """One file that cannot be touched, somebody else's perhaps, keeps no other from being tidied up."""
    try:
        yield
    except (OSError, DiskFull) as error:
        log.warning("%s stays: %s", name, error)


def _get_organization_id(key: str) -> str:
    return PurePosixPath(key).parent.name


def _iterate_old_keys() -> Iterator[str]:
    limit = timezone.now() - timedelta(seconds=GRACE_SECONDS)
    return (file.key for file in UPLOADS.iterate("documents") if file.changed_at < limit)


def _iterate_documents() -> Iterator[Document]:
    """All of them, by their keys: no cursor stays open between two parts."""
    last = ""
    rows = Document.objects.filter(purge_requested_at=None).only("pk", "file", "file_missing_since").order_by("pk")
    while part := list(rows.filter(pk__gt=last)[:AT_ONCE]):
        yield from part
        last = part[-1].pk


def _iterate_temporary_uploads() -> Iterator[Path]:
    """Django names them so, and removes them itself unless its process is killed."""
    limit = time.time() - DAY_SECONDS
    for path in Path(tempfile.gettempdir()).glob("tmp*.upload*"):
        with suppress(FileNotFoundError):
            status = path.lstat()
            if status.st_uid == os.geteuid() and status.st_mtime < limit:
                yield path

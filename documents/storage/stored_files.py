"""The one way to stored bytes: by key, on Django's storage interface (STORAGES in the settings).

Nothing else opens a path of theirs, so processes need no folder in common where another storage is set. What is made
of uploads (`DERIVED`) may be lost at any time, and is made again.
"""

from __future__ import annotations

import logging
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from io import UnsupportedOperation
from pathlib import PurePosixPath
from typing import IO

from django.core.files import File
from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage, Storage, storages

from documents.storage.folders import ReplacingFolder
from kit.errors import DiskFull
from kit.processes.disks import is_disk_full

log = logging.getLogger(__name__)


@dataclass(frozen=True, order=True)
class StoredFile:
    """`changed_at` is also when a derived file was last used, where its storage notes that."""

    changed_at: datetime
    size: int
    key: str


@dataclass(frozen=True)
class StoredFiles:
    """The files of one entry of STORAGES. `when_full` is the sentence for whoever wanted to store one more.

    `replaces`: a file takes the place of the one with its key. Uploads never do.
    """

    alias: str
    when_full: str
    replaces: bool = True

    @property
    def _storage(self) -> Storage:
        return storages[self.alias]

    @property
    def lies_in_folder(self) -> bool:
        """Whether it is a folder, which each machine has to have mounted."""
        return isinstance(self._storage, FileSystemStorage)

    def save(self, key: str, content: File[bytes]) -> str:
        """The key under which it lies now, another one where this one is taken. Raises DiskFull."""
        storage = self._storage
        if self.replaces and not storage.is_name_available(key):
            storage.delete(key)
        try:
            return storage.save(key, content)
        except OSError as error:
            if not isinstance(storage, ReplacingFolder):  # which leaves nothing half written itself
                storage.delete(key)
            if not is_disk_full(error):
                raise
            log.error("%s was not stored: the disk is full where files are stored.", key)
            raise DiskFull(self.when_full) from error

    def save_bytes(self, key: str, data: bytes) -> None:
        self.save(key, ContentFile(data))

    def open(self, key: str) -> IO[bytes]:
        """Raises FileNotFoundError."""
        return self._storage.open(key, "rb")

    def open_used(self, key: str) -> IO[bytes] | None:
        """The file, whose use is noted, so that `trim` leaves it for a while. None where there is none."""
        if not self.note_use(key):
            return None
        try:
            return self.open(key)
        except FileNotFoundError:
            return None

    def note_use(self, key: str) -> bool:
        """Whether the file is there."""
        storage = self._storage
        return storage.touch(key) if isinstance(storage, ReplacingFolder) else storage.exists(key)

    @contextmanager
    def lend(self, key: str) -> Iterator[IO[bytes]]:
        """An open file of this machine, whose descriptor a reader can be handed. Raises FileNotFoundError.

        Where the storage is elsewhere it is a copy without a name, of which nothing stays, and which no reader can
        write to.
        """
        with self.open(key) as stored:
            if _has_descriptor(stored):
                yield stored
                return
            with tempfile.TemporaryFile() as copy:
                shutil.copyfileobj(stored, copy)
                copy.flush()
                with open(f"/dev/fd/{copy.fileno()}", "rb") as file:
                    yield file

    def exists(self, key: str) -> bool:
        return self._storage.exists(key)

    def find_change(self, key: str) -> datetime:
        """When it was stored, or used since. Raises FileNotFoundError."""
        return self._storage.get_modified_time(key)

    def delete(self, key: str) -> None:
        self._storage.delete(key)

    def delete_below(self, prefix: str) -> None:
        for key in self._list_keys(prefix):
            self.delete(key)

    def iterate(self, prefix: str = "") -> Iterator[StoredFile]:
        storage = self._storage
        for key in self._list_keys(prefix):
            with suppress(FileNotFoundError):  # deleted meanwhile
                yield StoredFile(storage.get_modified_time(key), storage.size(key), key)

    def _list_keys(self, prefix: str) -> Iterator[str]:
        try:
            folders, names = self._storage.listdir(prefix)
        except FileNotFoundError:
            return
        yield from (str(PurePosixPath(prefix, name)) for name in names)
        for folder in folders:
            yield from self._list_keys(str(PurePosixPath(prefix, folder)))


def _has_descriptor(file: IO[bytes]) -> bool:
    try:
        file.fileno()
    except (AttributeError, UnsupportedOperation):
        return False
    return True


UPLOADS = StoredFiles(
    "default",
    "The disk is nearly full, so no file is taken in. Ask whoever runs DocRouter to make room, then upload again.",
    replaces=False,
)
DERIVED = StoredFiles(
    "derived",
    "The disk is full, so nothing can be drawn. Ask whoever runs DocRouter to make room, then load it again.",
)
SET_ASIDE = StoredFiles("orphans", "The disk is full, so files without a row stay where they are.")

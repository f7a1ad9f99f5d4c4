"""A folder of files that can be made again: a new one takes the place of the old at once, and no request sees half."""

from __future__ import annotations

import os
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from django.core.files import File
from django.core.files.storage import FileSystemStorage
from django.utils.deconstruct import deconstructible

from kit.cleanup import on_failure

TOUCH_SECONDS = 60.0


@deconstructible(path="documents.storage.folders.ReplacingFolder")
class ReplacingFolder(FileSystemStorage):
    """Other processes read, write and delete in it meanwhile."""

    def __init__(self, location: Path) -> None:
        super().__init__(location, allow_overwrite=True)

    def touch(self, name: str) -> bool:
        """Whether the file is there. Notes its use as its time of change, since many disks keep no time of reading."""
        path = self.path(name)
        try:
            if time.time() - os.stat(path).st_mtime > TOUCH_SECONDS:
                os.utime(path)
        except FileNotFoundError:
            return False
        return True

    def delete(self, name: str) -> None:
        """Deletes the file, and its folder when it was the last one in there."""
        super().delete(name)
        with suppress(OSError):
            os.rmdir(os.path.dirname(self.path(name)))

    def _save(self, name: str, content: File[bytes]) -> str:
        target = Path(self.path(name))
        try:
            _replace(target, content)
        except FileNotFoundError:  # `delete` has just removed the empty folder
            _replace(target, content)
        return name


def _replace(target: Path, content: File[bytes]) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.NamedTemporaryFile(dir=target.parent, delete=False) as file,
        on_failure(lambda: os.unlink(file.name)),
    ):
        for chunk in content.chunks():
            file.write(chunk)
        file.flush()
        os.replace(file.name, target)

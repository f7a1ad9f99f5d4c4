"""Pictures of pages and PDFs made of documents: files that can be made again, kept within an age and a size.

Other processes read and write them meanwhile. A file that was used in the last minutes is left alone, so one that was
just handed out is still there when it is opened.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from documents.models import Document
from kit.cleanup import on_failure
from kit.errors import DiskFull
from kit.processes.disks import is_disk_full

IN_USE_SECONDS = 300.0
TOUCH_SECONDS = 60.0
DAY_SECONDS = 86_400
FULL = "The disk is full, so nothing can be drawn. Ask whoever runs DocRouter to make room, then load it again."


@dataclass(frozen=True, order=True)
class CachedFile:
    used_at: float
    size: int
    path: Path


def get_folder() -> Path:
    return Path(settings.DATA_DIR, "cache")


def get_picture_path(reading_id: str, number: int, width: int, rotation: int = 0) -> Path:
    """A page that waits to be recognized is drawn as it stands in the file; which way up it is shows then."""
    turned = f"-{rotation}" if rotation else ""
    return get_folder() / "pages" / reading_id / f"{number}-{width}{turned}.webp"


def get_pdf_path(document_id: str) -> Path:
    return get_folder() / "pdf" / f"{document_id}.pdf"


def get_picture_failure_path(reading_id: str, number: int) -> Path:
    return get_folder() / "pages" / reading_id / f"{number}.failed"


def get_pdf_failure_path(document_id: str) -> Path:
    return get_folder() / "pdf" / f"{document_id}.failed"


def is_kept(path: Path) -> bool:
    """Whether the file is there. Notes that it is used: the time of change, since many disks keep none of reading."""
    try:
        if time.time() - path.stat().st_mtime > TOUCH_SECONDS:
            os.utime(path)
    except FileNotFoundError:
        return False
    return True


def save_file(data: bytes, path: Path) -> None:
    """Written beside and renamed: a second request never sees half of it."""
    try:
        _write(data, path)
    except FileNotFoundError:  # `trim` has just removed the empty folder
        _write(data, path)
    except OSError as error:
        if not is_disk_full(error):
            raise
        raise DiskFull(FULL) from error


def _write(data: bytes, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file,
        on_failure(lambda: os.unlink(file.name)),
    ):
        file.write(data)
        file.flush()
        os.replace(file.name, path)


def delete_files_of(document: Document) -> None:
    """All that was made of this document. Its readings must still be there."""
    for path in (get_pdf_path(document.pk), get_pdf_failure_path(document.pk)):
        path.unlink(missing_ok=True)
    for reading_id in document.readings.values_list("pk", flat=True):
        shutil.rmtree(get_folder() / "pages" / reading_id, ignore_errors=True)


def trim() -> int:
    """Removes what was not used for CACHE_DAYS, and what was used longest ago beyond CACHE_MB; how many files."""
    now = time.time()
    files = sorted(_iterate_files(get_folder()))
    excess = sum(file.size for file in files) - settings.CACHE_MB * 1024 * 1024
    removed = 0
    for file in files:
        age = now - file.used_at
        if age < IN_USE_SECONDS or (excess <= 0 and age < settings.CACHE_DAYS * DAY_SECONDS):
            break
        file.path.unlink(missing_ok=True)
        with suppress(OSError):  # other pictures of the reading are still there
            file.path.parent.rmdir()
        excess -= file.size
        removed += 1
    return removed


def _iterate_files(top: Path) -> Iterator[CachedFile]:
    for parent, _, names in os.walk(top):
        for name in names:
            path = Path(parent, name)
            with suppress(FileNotFoundError):
                status = path.lstat()
                yield CachedFile(status.st_mtime, status.st_size, path)

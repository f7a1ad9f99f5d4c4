"""DATA_DIR as the folder of stored files: whether it is the one of all other processes, and whether it takes more.

A machine whose DATA_DIR is not the shared folder would take uploads that nobody else can read. So the folder holds a
marker, a file with a random id, and the database names it. Where the database lies in the folder itself there is
nothing to compare.
"""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import tempfile
import time
from pathlib import Path

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import Error as DatabaseError

from documents.models import DataFolder, Document
from documents.storage.stored_files import UPLOADS
from kit.errors import Busy

MARKER_FILE = "folder_id"
NAME = "files"
LOOKED_AT = 5
WRITE_BYTES = 4096
HALF_WRITTEN_SECONDS = 2.0
ADOPT = "If the files were moved there on purpose, run manage.py adopt_data_dir there."
FOREIGN = (
    "DATA_DIR: {folder} on {host} is not the folder in which this installation keeps its files: {why}. "
    f"Mount the folder that the other processes use. {ADOPT}"
)
NO_FILES = (
    f"DATA_DIR: {{folder}} on {{host}} holds no file of the newest documents. Mount the folder with the files. {ADOPT}"
)
AWAY = (
    "This server cannot reach the files of this installation, so it takes none in. Ask whoever runs DocRouter to look "
    "at its log, then upload again."
)
NO_ROOM = "{free} MB are free in {folder}, less than the {minimum} MB of MIN_FREE_DISK_MB: make room."
NO_WRITE = "{folder} takes no file: {reason}."


class ForeignFolder(ImproperlyConfigured):
    """DATA_DIR is not the folder of this installation; the text says what to do."""


def join_folder() -> None:
    """At the start of a process. The first one names its folder. Raises ForeignFolder."""
    settings.STORAGE_DIR.mkdir(parents=True, exist_ok=True)
    if not _has_marker():
        return
    if not DataFolder.objects.filter(name=NAME).exists():
        _name_folder()
    if sentence := explain_mismatch():
        raise ForeignFolder(sentence)


def _has_marker() -> bool:
    """Where the files lie in no folder there is nothing to compare either."""
    return not settings.EMBEDDED_DATABASE and UPLOADS.lies_in_folder


def _name_folder() -> None:
    """An installation from before there were markers has files: its folder is the one that holds them."""
    if _lacks_files():
        raise ForeignFolder(NO_FILES.format(folder=settings.DATA_DIR, host=socket.gethostname()))
    defaults = {"marker": _read_marker() or _make_marker(), "named_by": socket.gethostname()}
    DataFolder.objects.get_or_create(name=NAME, defaults=defaults)


def _lacks_files() -> bool:
    newest = Document.objects.order_by("-created_at").values_list("file", flat=True)[:LOOKED_AT]
    return bool(newest) and not any(UPLOADS.exists(name) for name in newest)


def explain_mismatch() -> str:
    """Why DATA_DIR is not the folder of this installation. Empty where it is, or none has been named."""
    if not _has_marker():
        return ""
    named = DataFolder.objects.filter(name=NAME).values_list("marker", flat=True).first()
    present = _read_marker()
    if named in (None, present):
        return ""
    why = f"its file {MARKER_FILE} has another id" if present else f"it has no file {MARKER_FILE}"
    return FOREIGN.format(folder=settings.DATA_DIR, host=socket.gethostname(), why=why)


def require_own_folder() -> None:
    """Raises Busy where a file that is stored here could be read by nobody else."""
    if explain_mismatch():
        raise Busy(AWAY)


def adopt_folder() -> int:
    """Makes DATA_DIR the folder of this installation, by a new marker: processes with another one end.

    Returns how many of the newest documents have no file in it.
    """
    settings.STORAGE_DIR.mkdir(parents=True, exist_ok=True)
    _marker_path().unlink(missing_ok=True)
    values = {"marker": _make_marker(), "named_by": socket.gethostname()}
    DataFolder.objects.update_or_create(name=NAME, defaults=values)
    newest = Document.objects.order_by("-created_at").values_list("file", flat=True)[:1000]
    return sum(not UPLOADS.exists(name) for name in newest)


def explain_failure() -> str:
    """Why no file can be stored, as a sentence for the operator. Empty where one can."""
    try:
        return explain_mismatch() or _explain_room() or (_explain_write() if UPLOADS.lies_in_folder else "")
    except DatabaseError as error:
        return f"The database does not say which folder it is: {' '.join(str(error).split())}"
    except OSError as error:
        return NO_WRITE.format(folder=settings.STORAGE_DIR, reason=error.strerror)


def measure_free() -> int:
    """In bytes, where files are stored."""
    folder = settings.STORAGE_DIR if settings.STORAGE_DIR.exists() else settings.DATA_DIR
    return shutil.disk_usage(folder).free


def has_room(size: int = 0) -> bool:
    """Whether so many bytes leave the database the room that it needs to go on."""
    return measure_free() - size >= settings.MIN_FREE_DISK_MB * 1024 * 1024


def _explain_room() -> str:
    free, minimum = measure_free() // (1024 * 1024), settings.MIN_FREE_DISK_MB
    return NO_ROOM.format(free=free, folder=settings.STORAGE_DIR, minimum=minimum) if free < minimum else ""


def _explain_write() -> str:
    """A file without a name, which no crash can leave behind. Raises OSError."""
    settings.STORAGE_DIR.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=settings.STORAGE_DIR) as file:
        file.write(bytes(WRITE_BYTES))
        file.flush()
        os.fsync(file.fileno())
    return ""


def _marker_path() -> Path:
    return Path(settings.DATA_DIR) / MARKER_FILE


def _make_marker() -> str:
    """Of several processes that start at once one writes it, and the others read what it wrote."""
    try:
        descriptor = os.open(_marker_path(), os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except FileExistsError:
        return _wait_for_marker()
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(marker := secrets.token_hex(12))
    return marker


def _wait_for_marker() -> str:
    deadline = time.monotonic() + HALF_WRITTEN_SECONDS
    while not (marker := _read_marker()):
        if time.monotonic() > deadline:
            raise ForeignFolder(f"DATA_DIR: the file {_marker_path()} is empty. Delete it, and a new one is made.")
        time.sleep(0.02)
    return marker


def _read_marker() -> str:
    """Empty where there is none."""
    try:
        return _marker_path().read_text(encoding="ascii").strip()[:40]
    except (FileNotFoundError, UnicodeDecodeError):
        return ""

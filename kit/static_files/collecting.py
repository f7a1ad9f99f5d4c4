"""Static files are collected when they are needed and have changed, so that a fresh clone starts with one command."""

from __future__ import annotations

import fcntl
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.management import call_command

from kit.static_files.storage import STAMP, JoinedFilesStorage, stamp_sources


def collect_changed() -> bool:
    """True when there was something to do. Of several processes that start at once one does it."""
    root = Path(settings.STATIC_ROOT)
    root.mkdir(parents=True, exist_ok=True)
    if settings.DEBUG or not isinstance(staticfiles_storage, JoinedFilesStorage):
        return False
    if _is_collected(root):
        return _read_names_again(staticfiles_storage)
    with root.with_name(f"{root.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if _is_collected(root):
            return _read_names_again(staticfiles_storage)
        call_command("collectstatic", interactive=False, clear=True, verbosity=0)
    return True


def _read_names_again(storage: JoinedFilesStorage) -> bool:
    """Another process may have collected since this one read them, and the files of those names are gone."""
    storage.hashed_files, storage.manifest_hash = storage.load_manifest()
    return False


def _is_collected(root: Path) -> bool:
    try:
        return (root / STAMP).read_text() == stamp_sources()
    except OSError:
        return False

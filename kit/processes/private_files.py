"""DATA_DIR is for the account that DocRouter runs as: nobody else reads documents, the database or the key there."""

from __future__ import annotations

import logging
import os
import stat
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

GROUP_AND_OTHERS = 0o077
# By name, because DATA_DIR may also be a folder in which other things lie.
OWN_ENTRIES = (
    "*.sqlite3*",
    "secret_key",
    "folder_id",
    "up.lock",
    "backups",
    "cache",
    "files",
    "orphans",
    "redis",
    "static",
)
# Behind a closed folder nothing is reached anyway, so an installation of millions of files may leave some as they are.
MAX_ENTRIES = 500_000
log = logging.getLogger(__name__)


def restrict_new_files() -> None:
    """Open files of this process and its children to their own account only, from now on."""
    os.umask(GROUP_AND_OTHERS)


def restrict_existing(data_dir: Path) -> int:
    """Takes the rights of group and others from DATA_DIR and what the product keeps in it; returns how many it changed.

    Links are not followed, and what another account owns stays as it is.
    """
    paths = islice(_walk(data_dir), MAX_ENTRIES)
    return sum(_restrict(path) for path in paths)


def _walk(data_dir: Path) -> Iterator[Path]:
    yield data_dir
    for pattern in OWN_ENTRIES:
        for entry in data_dir.glob(pattern):
            yield entry
            if entry.is_dir() and not entry.is_symlink():
                for folder, names, files in os.walk(entry):
                    yield from (Path(folder, name) for name in (*names, *files))


def _restrict(path: Path) -> bool:
    try:
        status = path.lstat()
        if stat.S_ISLNK(status.st_mode) or status.st_uid != os.geteuid() or not status.st_mode & GROUP_AND_OTHERS:
            return False
        path.chmod(stat.S_IMODE(status.st_mode) & ~GROUP_AND_OTHERS)
    except FileNotFoundError:  # a cache or a temporary file that went meanwhile
        return False
    except OSError as error:
        log.warning("%s stays open to others: its rights cannot be changed (%s).", path, error.strerror)
        return False
    return True

"""A copy of the SQLite file from before a migration, made by SQLite's own backup so that it is whole."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

KEPT = 5


def back_up(database: Path, folder: Path) -> Path:
    """Copies the database into `folder`, keeps the newest few there and returns the copy."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    copy = folder / f"{database.stem}-{datetime.now(UTC):%Y%m%d-%H%M%S-%f}.sqlite3"
    unfinished = copy.with_suffix(".unfinished")
    with closing(sqlite3.connect(database)) as source, closing(sqlite3.connect(unfinished)) as target:
        source.backup(target)
    unfinished.rename(copy)
    for old in sorted(folder.glob(f"{database.stem}-*.sqlite3"))[:-KEPT]:
        old.unlink()
    return copy


def remove_old(folder: Path, *, days: int) -> int:
    """Copies made longer ago, which hold what was deleted since, and leftovers of broken ones; how many."""
    now, removed = time.time(), 0
    for path in (*folder.glob("*.sqlite3"), *folder.glob("*.unfinished*")):
        if now - path.lstat().st_mtime > days * 86_400:
            path.unlink(missing_ok=True)
            removed += 1
    return removed

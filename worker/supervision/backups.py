"""A copy of the SQLite file from before a migration, made by SQLite's own backup so that it is whole."""

from __future__ import annotations

import sqlite3
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

"""Databases on which every migration has run, made once and copied: migrating takes seconds, a copy none.

Whoever copies one migrates it again, which finds nothing to do or does what is missing.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

import django
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / ".pytest_cache" / "migrated"
# What decides how a migrated database looks.
SOURCES = ("*/migrations/*.py", "kit/ids.py", "kit/rows/models.py", "docrouter/settings.py")


def copy_sqlite(target: Path) -> None:
    """Does nothing where there is a database already."""
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(_sqlite_file(), target)  # with its rights


def migrate(environment: Mapping[str, str]) -> None:
    command = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
    subprocess.run(command, cwd=ROOT, env={**os.environ, **environment}, check=True)


def migrate_to_newest() -> None:
    """For tests of a migration, whatever came after it: others go on with the same database."""
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())


def _sqlite_file() -> Path:
    """One for all branches and runs, named by what it was made from."""
    path = FOLDER / f"{_fingerprint()}.sqlite3"
    FOLDER.mkdir(parents=True, exist_ok=True)
    with _lock(FOLDER / "lock"):
        if not path.exists():
            for old in FOLDER.glob("*.sqlite3"):
                old.unlink()
            _make(path)
    return path


def _make(path: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="docrouter-migrated-") as folder:
        database, whole = Path(folder, "database"), Path(folder, "whole")
        migrate({"DATABASE_URL": f"sqlite:///{database}", "DATA_DIR": folder, "SECRET_KEY": "for tests only"})
        # One file, whatever was left in the write-ahead log.
        with closing(sqlite3.connect(database)) as connection:
            connection.execute("VACUUM INTO ?", [str(whole)])
        whole.chmod(0o600)
        shutil.move(whole, path.with_suffix(".new"))
    path.with_suffix(".new").rename(path)


def _fingerprint() -> str:
    digest = hashlib.sha256(django.__version__.encode())
    for pattern in SOURCES:
        for path in sorted(ROOT.glob(pattern)):
            digest.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:24]


@contextmanager
def _lock(path: Path) -> Iterator[None]:
    """Test processes that start side by side make it once."""
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield

"""Preparations before the first child starts, while the lock says that nobody else works here."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

from celery import current_app
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.db import OperationalError, connection
from django.db.migrations.executor import MigrationExecutor
from django.urls import get_resolver

from accounts.services import first_run
from documents.storage import data_folder
from kit.processes.imports import pause_collection
from kit.static_files.collecting import collect_changed
from worker.services import backups, recovery
from worker.supervision import queue
from worker.supervision.children import is_supervised

Say = Callable[[str], None]
MIGRATION_LOCK = 0x646F63726F757465
"""The key of PostgreSQL's advisory lock, a bigint: the letters of docroute."""
NOT_MIGRATED = "The database is not that of this version. Run manage.py migrate once, then start this again."


class NotPrepared(ImproperlyConfigured):
    """The database is not ready for this process; the text says what to do."""


class PortTaken(Exception):
    """Something else listens there; the text names the setting."""


def refuse_taken_port(host: str, port: int) -> None:
    """Raises PortTaken with a sentence, which daphne would say in a traceback."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise PortTaken(
                f"PORT: {host}:{port} cannot be used ({error.strerror}). Set PORT to a free one."
            ) from error


def prepare(say: Say) -> None:
    """Folders, database and queue as the children expect them."""
    collect_changed()
    migrate(say)
    data_folder.join_folder()
    first_run.prepare()
    # With servers of one's own there may be workers on other machines, whose leases and tasks are alive.
    if settings.EMBEDDED_REDIS and (tasks := queue.put_back_unacknowledged()):
        say(f"{tasks} tasks of the last run were put back on their queues.")
    if settings.EMBEDDED_DATABASE and (leases := recovery.void_leases()):
        say(f"{leases} rows were still held by the last run and are free again.")
    preload()
    # Last of all: what is forked must find no connection of ours.
    connection.close()


def prepare_process() -> None:
    """For a process that is started alone: where there is an `up`, that has done it.

    Raises NotPrepared, and ForeignFolder where it cannot read the files of the others.
    """
    if is_supervised():
        return
    try:
        if _is_behind():
            raise NotPrepared(NOT_MIGRATED)
    except OperationalError as error:
        raise NotPrepared(f"The database cannot be reached: {' '.join(str(error).split())}") from error
    data_folder.join_folder()
    # A fork must find no connection of ours.
    connection.close()


def preload() -> None:
    """Imports here, once, what the children need: they are forks, which share it.

    Not daphne's server, whose reactor opens files that each process must have for itself.
    """
    with pause_collection():
        current_app.loader.import_default_modules()
        import_module("docrouter.asgi")
        get_resolver().url_patterns  # noqa: B018 - loaded when first asked for


def migrate(say: Say) -> None:
    """Brings the database up to date, one process at a time; SQLite is copied first when there is something to lose."""
    with lock_migrations():
        _migrate(say)


@contextmanager
def lock_migrations() -> Iterator[None]:
    """On PostgreSQL, where several machines may start on one database, the others wait. It goes with its connection."""
    if connection.vendor != "postgresql":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [MIGRATION_LOCK])
        try:
            yield
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [MIGRATION_LOCK])


def _migrate(say: Say) -> None:
    if not _is_behind():
        return
    if connection.vendor == "sqlite" and connection.introspection.table_names():
        copy = backups.back_up(Path(settings.DATABASES["default"]["NAME"]), settings.DATA_DIR / "backups")
        say(f"The database was copied to {copy} before its migration.")
    say("Preparing the database.")
    call_command("migrate", interactive=False, verbosity=0)


def _is_behind() -> bool:
    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))

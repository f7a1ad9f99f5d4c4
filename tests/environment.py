"""Loaded by `-p tests.environment` before any setting is read: a private Redis, a private DATA_DIR, a file database.

DATABASE_URL and REDIS_URL given from outside are kept, which is how the services suite runs on real servers.
"""

from __future__ import annotations

import atexit
import gc
import logging
import os
import shutil
import subprocess
import tempfile
from collections.abc import Generator
from pathlib import Path

import pytest

from kit.processes import embedded_redis, parents

_UNSET = ("ADMIN_EMAIL", "ADMIN_PASSWORD", "PUBLIC_URL", "PORT", "BIND", "STORAGE_URL", "DEFAULT_MODEL", "DEBUG")
# A worker of a parallel run inherits the environment that its controller has already prepared.
_GIVEN = bool(os.environ.get("REDIS_URL")) and "TESTS_OWN_REDIS" not in os.environ
_folder: Path | None = None
_redis: subprocess.Popen[bytes] | None = None


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests() -> Generator[None]:
    """A wrapper runs before pytest-django's own hook, which loads the settings."""
    # Nothing of the thousands of modules and tests that are loaded now is garbage.
    gc.set_threshold(20_000, 20, 50)
    _prepare()
    return (yield)


def pytest_configure() -> None:
    # Threads need a database that all of them can open: SQLite in memory is one connection's own.
    from django.conf import settings  # noqa: PLC0415 - the environment above has to stand first

    database = settings.DATABASES["default"]
    if database["ENGINE"].endswith("sqlite3"):
        database.setdefault("TEST", {})["NAME"] = str(_private_folder() / "test.sqlite3")
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    from tests import emptying  # noqa: PLC0415 - as above

    emptying.empty_quickly()
    # As with DEBUG: the sources themselves, without collecting them first.
    settings.STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.WHITENOISE_USE_FINDERS = True
    whitenoise = settings.MIDDLEWARE.index("whitenoise.middleware.WhiteNoiseMiddleware")
    settings.MIDDLEWARE[whitenoise] = "tests.static_files.ListedOnceMiddleware"
    is_recording = "RECORD_EXAMPLES" in os.environ
    settings.MIDDLEWARE.append(
        "tests.recorded_examples.RecordingMiddleware"
        if is_recording
        else "tests.described_answers.DescribedAnswersMiddleware"
    )


def pytest_collection_finish() -> None:
    """What is imported and collected stays to the end. To search it for garbage again and again took a quarter of the CPU."""
    gc.collect()
    gc.freeze()


def pytest_sessionfinish() -> None:
    """What has lived to the end is searched for garbage once; pytest and the interpreter would do it six times more."""
    # asyncio then reports connections of loops that have ended, to a stream that pytest has closed.
    logging.raiseExceptions = False
    gc.collect()
    gc.freeze()


def _clean() -> None:
    if _redis:
        _redis.terminate()
        _redis.wait(timeout=10)
    if _folder:
        shutil.rmtree(_folder, ignore_errors=True)


def _prepare() -> None:
    global _redis
    # At exit rather than in a hook of pytest: that one is not called when the settings fail to load.
    atexit.register(_clean)
    folder = _private_folder()
    for name in _UNSET:
        os.environ.pop(name, None)
    os.environ["DATA_DIR"] = str(folder / "data")
    (folder / "data" / "static").mkdir(parents=True)
    os.environ["SECRET_KEY"] = "for tests only"
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    worker = os.environ.get("PYTEST_XDIST_WORKER", "").removeprefix("gw")
    if _GIVEN and worker:
        # Tests that run side by side on a server from outside take a database each.
        os.environ["REDIS_URL"] = f"{os.environ['REDIS_URL'].rpartition('/')[0]}/{worker}"
    if not _GIVEN:
        socket = folder / "redis" / "redis.sock"
        _redis = embedded_redis.start(socket, socket.parent, durable=False, preexec=parents.die_with_parent())
        os.environ |= {"REDIS_URL": f"unix://{socket}", "TESTS_OWN_REDIS": "1"}


def _private_folder() -> Path:
    global _folder
    if _folder is None:
        memory = Path("/dev/shm")
        root = memory if os.access(memory, os.W_OK) else None
        _folder = Path(tempfile.mkdtemp(prefix="docrouter-tests-", dir=root))
    return _folder

"""A throw-away SQLite and Redis for benchmarks that work in one process. Call `start` before any model is imported."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from pathlib import Path

import django
from django.core.management import call_command

from kit.processes import embedded_redis, parents


def start(*, database_url: str = "") -> None:
    """The environment, Django and a migrated database. It goes when the process ends, unless the caller named one."""
    folder = tempfile.mkdtemp(prefix="docrouter-bench-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    socket = Path(folder) / "redis" / "redis.sock"
    redis = embedded_redis.start(socket, socket.parent, durable=False, preexec=parents.die_with_parent())
    atexit.register(redis.terminate)
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "docrouter.settings",
        "DATA_DIR": folder,
        "SECRET_KEY": "benchmark",
        "DATABASE_URL": database_url or f"sqlite:///{folder}/bench.sqlite3",
        "REDIS_URL": f"unix://{socket}",
        "LOG_LEVEL": "ERROR",
    }
    django.setup()
    call_command("migrate", verbosity=0)

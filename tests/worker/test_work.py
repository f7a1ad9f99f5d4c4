from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.migrated import copy_sqlite

pytestmark = pytest.mark.flows

SCRIPT = """
import os, sys
import django
django.setup()
from celery.signals import worker_init
from django.core.management import call_command

def report(**_):
    print("litellm" in sys.modules, flush=True)
    os._exit(0)

worker_init.connect(report, weak=False)
call_command("work", sys.argv[1])
"""


def test_the_agent_worker_has_loaded_litellm_before_its_first_task(tmp_path: Path) -> None:
    copy_sqlite(tmp_path / "docrouter.sqlite3")
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "docrouter.settings", "DATA_DIR": str(tmp_path)}
    environment.pop("DATABASE_URL", None)  # a server's database keeps its files in another folder
    ended = subprocess.run(
        [sys.executable, "-c", SCRIPT, "agent"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ended.stdout.strip() == "True", ended.stderr

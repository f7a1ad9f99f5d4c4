from __future__ import annotations

import gc
import importlib
import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from kit.processes.imports import leave_out, pause_collection

MANAGE = Path(__file__).resolve().parents[2] / "manage.py"


def test_nothing_is_collected_while_it_imports_and_what_it_imported_never_is() -> None:
    collections_before = count_collections()
    with pause_collection():
        kept = [[] for _ in range(50_000)]
        assert count_collections() == collections_before
    assert gc.isenabled()
    assert is_frozen(kept)


def test_a_failed_import_leaves_the_collector_as_it_was() -> None:
    gc.disable()
    try:
        with pytest.raises(ImportError), pause_collection():
            raise ImportError
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_every_command_starts_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.argv", ["manage.py", "version"])
    kept = ["an object that was there before"]
    assert not is_frozen(kept)
    runpy.run_path(str(MANAGE), run_name="__main__")
    assert capsys.readouterr().out
    assert is_frozen(kept)


def count_collections() -> int:
    return sum(generation["collections"] for generation in gc.get_stats())


def is_frozen(kept: object) -> bool:
    """The collector no longer looks at it."""
    return all(kept is not seen for seen in gc.get_objects())


def test_an_optional_part_is_left_out_for_a_while() -> None:
    sys.modules.pop("this", None)
    with leave_out("this", "json"):
        with pytest.raises(ImportError):
            importlib.import_module("this")
        assert importlib.import_module("json")
    assert "this" not in sys.modules


def test_the_start_loads_nothing_that_can_wait() -> None:
    """They take a fifth of the start: psycopg without PostgreSQL, dictionaries, Django's test client, Markdown."""
    program = """
import os, sys
os.environ["DJANGO_SETTINGS_MODULE"] = "docrouter.settings"
sys.argv = ["manage.py", "version"]
from docrouter.command_line import main
main()
from worker.supervision import preparation
preparation.preload()
late = {"psycopg", "simplemma", "zxcvbn", "django.test", "jinja2", "markdown_it", "litellm", "numpy", "openpyxl", "mcp"}
print(sorted(late & set(sys.modules)))
"""
    environment = {**os.environ, "DATABASE_URL": ""}
    run = subprocess.run([sys.executable, "-c", program], cwd=MANAGE.parent, env=environment, capture_output=True)
    assert run.stdout.decode().splitlines()[-1] == "[]", run.stderr.decode()

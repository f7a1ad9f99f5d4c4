from __future__ import annotations

import gc
import runpy
from pathlib import Path

import pytest

from kit.processes.imports import pause_collection

MANAGE = Path(__file__).resolve().parents[2] / "manage.py"
MANY = 50_000


def test_nothing_is_collected_while_it_imports_and_what_it_imported_never_is() -> None:
    frozen_before, collections_before = gc.get_freeze_count(), count_collections()
    with pause_collection():
        kept = [[] for _ in range(MANY)]
        assert count_collections() == collections_before
    assert gc.isenabled()
    assert gc.get_freeze_count() - frozen_before >= len(kept)


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
    frozen_before = gc.get_freeze_count()
    kept = [[] for _ in range(MANY)]
    runpy.run_path(str(MANAGE), run_name="__main__")
    assert capsys.readouterr().out
    assert gc.get_freeze_count() - frozen_before >= len(kept)


def count_collections() -> int:
    return sum(generation["collections"] for generation in gc.get_stats())

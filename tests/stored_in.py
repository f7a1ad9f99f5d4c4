"""The folders in which this process keeps its files, for tests that count or age them, or play two machines."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def keep_files_in(settings: Any, folder: Path) -> Path:
    """From now on this process is one whose DATA_DIR is that folder."""
    settings.DATA_DIR, settings.STORAGE_DIR = folder, folder / "files"
    places = {"default": "files", "derived": "cache", "orphans": "orphans"}
    stores = {alias: settings.STORAGES[alias] | {"OPTIONS": {"location": folder / places[alias]}} for alias in places}
    settings.STORAGES = {**settings.STORAGES, **stores}
    return folder

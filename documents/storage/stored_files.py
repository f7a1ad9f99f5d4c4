"""Stored files as local paths, which readers need, whatever the storage is."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.core.files.storage import default_storage


@contextmanager
def local_path(name: str) -> Iterator[Path]:
    """The stored file itself where the storage is a folder, else a temporary copy."""
    try:
        yield Path(default_storage.path(name))
        return
    except NotImplementedError:
        pass
    with tempfile.NamedTemporaryFile() as copy, default_storage.open(name) as stored:
        shutil.copyfileobj(stored, copy)
        copy.flush()
        yield Path(copy.name)

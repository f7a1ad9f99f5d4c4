"""Stored bytes have one way in and out, documents/storage: nothing else opens a path of theirs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.repository.counts import ROOT, product_files, text_of

PORT = ROOT / "documents" / "storage"
# Settings name the storages; static files are part of the product and no bytes of anybody; readers know no Django.
OTHERS = (ROOT / "docrouter" / "settings.py", ROOT / "kit" / "static_files", ROOT / "reader")
AROUND = re.compile(
    r"\b(?:default_storage|storages|STORAGE_DIR|FileSystemStorage|ReplacingFolder)\b"
    r"|\.file\.(?:path|open|save|delete|storage|url|read|chunks)\b"
    r"|DATA_DIR\b[^\n]*[\"'](?:files|cache|orphans)\b"
)
# What else lies in DATA_DIR is of the processes, whose modules these are.
KNOWS_FOLDER = ("docrouter", "kit", "worker", "documents/storage", "documents/management")


def list_ways_around(path: Path) -> list[str]:
    found = [match.group() for match in AROUND.finditer(text_of(path))]
    knows = str(path.relative_to(ROOT)).startswith(KNOWS_FOLDER)
    return found + ([] if knows else re.findall(r"settings\.DATA_DIR", text_of(path)))


def test_nothing_goes_around_the_port() -> None:
    others = [path for path in product_files() if not any(path.is_relative_to(own) for own in (PORT, *OTHERS))]
    around = {str(path.relative_to(ROOT)): ways for path in others if (ways := list_ways_around(path))}
    assert not around, f"Use documents.storage.stored_files: {around}"


@pytest.mark.parametrize(
    "line",
    [
        "from django.core.files.storage import default_storage",
        "open(document.file.path)",
        "document.file.open('rb')",
        "Path(settings.DATA_DIR, 'cache')",
        'settings.DATA_DIR / "files"',
    ],
)
def test_it_sees_a_way_around(line: str) -> None:
    assert AROUND.search(line)

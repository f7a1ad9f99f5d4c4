"""The record of tests that others cover (`covered.txt`): of each file of tests its digest, then the names, if not all.

It holds of a file as it was: one that has changed since runs whole, and so does a new one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import groupby
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RECORD = Path(__file__).with_name("covered.txt")
FIRST_LINE = "# Written by python -m tests.statements"
Covered = Mapping[str, frozenset[str]]
"""The names in each file. Of a file without any, all tests are covered."""


def describe_record(tests: Iterable[str], covered: Iterable[str], root: Path = ROOT) -> str:
    """`tests`: the ids of all that ask the servers; `covered`: of those that can be left out."""
    left_out, lines = set(covered), [FIRST_LINE]
    for file, ids in groupby(sorted(tests), file_of):
        known = list(ids)
        names = [test for test in known if test in left_out]
        if names:
            lines.append(f"{file} {digest_of(root / file)}")
        if names != known:
            lines += [f"  {test.partition('::')[2]}" for test in names]
    return "\n".join(lines) + "\n"


@cache
def read_record(record: Path = RECORD, root: Path = ROOT) -> Covered:
    """Of the files that are as they were."""
    return {file: names for (file, digest), names in list_entries(record).items() if digest_of(root / file) == digest}


def list_changed(record: Path = RECORD, root: Path = ROOT) -> list[str]:
    """Files that are not any more as they were."""
    return [file for file, digest in list_entries(record) if digest_of(root / file) != digest]


def list_entries(record: Path) -> dict[tuple[str, str], frozenset[str]]:
    """By file and digest."""
    entries: dict[tuple[str, str], set[str]] = {}
    names: set[str] = set()
    for line in record.read_text(encoding="utf-8").split("\n")[1:]:
        if line.startswith("  "):
            names.add(line[2:])
        elif line:
            file, _, digest = line.rpartition(" ")
            names = entries[file, digest] = set()
    return {entry: frozenset(names) for entry, names in entries.items()}


def is_covered(test: str, record: Covered) -> bool:
    file, _, name = test.partition("::")
    names = record.get(file)
    return names is not None and (not names or name in names)


def file_of(test: str) -> str:
    return test.partition("::")[0]


def digest_of(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12] if path.exists() else "gone"

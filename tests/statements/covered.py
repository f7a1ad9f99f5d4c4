"""The record of tests that others cover (`covered.txt`): of each file of tests its digest, then those tests with theirs.

It holds of a test as it was: one that has changed since, or what it uses of its file, runs, and so does a new one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby
from pathlib import Path

from tests.statements.digests import digest_tests

ROOT = Path(__file__).resolve().parents[2]
RECORD = Path(__file__).with_name("covered.txt")
FIRST_LINE = "# Written by python -m tests.statements"
WHOLE = " whole"


@dataclass
class Entry:
    """Of a file. `whole`: all its tests are covered. Of a test without parameters, it is with all that it has."""

    digest: str
    whole: bool = False
    digests: dict[str, str] = field(default_factory=dict)
    parameters: dict[str, set[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Record:
    """`entries` of tests that are as they were; `unchanged`: files of which that is known without looking at tests."""

    entries: Mapping[str, Entry]
    unchanged: frozenset[str]
    changed_tests: int = 0

    def covers_file(self, file: str) -> bool:
        return file in self.unchanged and self.entries[file].whole

    def covers(self, test: str) -> bool:
        file, _, name = test.partition("::")
        name, parameters = part_name(name)
        entry = self.entries.get(file)
        if entry is None or name not in entry.digests:
            return False
        return name not in entry.parameters or parameters in entry.parameters[name]


NO_RECORD = Record({}, frozenset())


def describe_record(tests: Iterable[str], covered: Iterable[str], root: Path = ROOT) -> str:
    """`tests`: the ids of all that ask the servers; `covered`: of those that can be left out."""
    left_out, lines = set(covered), [FIRST_LINE]
    for file, ids in groupby(sorted(tests), file_of):
        known = list(ids)
        names = [test.partition("::")[2] for test in known if test in left_out]
        if names:
            whole = WHOLE if len(names) == len(known) else ""
            lines += [f"{file} {digest_of(root / file)}{whole}", *describe_tests(root / file, known, names)]
    return "\n".join(lines) + "\n"


def describe_tests(file: Path, known: Collection[str], names: Iterable[str]) -> Iterator[str]:
    """`known`: the ids of all tests of the file, `names`: those of them that are left out."""
    digests = digest_tests(file.read_text(encoding="utf-8"))
    counts: dict[str, int] = {}
    for test in known:
        name, _ = part_name(test.partition("::")[2])
        counts[name] = counts.get(name, 0) + 1
    for name, group in groupby(names, lambda each: part_name(each)[0]):
        parameters = [part_name(each)[1] for each in group]
        if name in digests:
            yield f"  {digests[name]} {name}"
            yield from [] if len(parameters) == counts[name] else [f"    {each}" for each in parameters]


@cache
def read_record(record: Path = RECORD, root: Path = ROOT) -> Record:
    entries = list_entries(record)
    unchanged = frozenset(file for file, entry in entries.items() if digest_of(root / file) == entry.digest)
    changed = 0
    for file in entries.keys() - unchanged:
        changed += forget_changed(entries[file], root / file)
    return Record(entries, unchanged, changed)


def forget_changed(entry: Entry, file: Path) -> int:
    """How many tests are not any more as they were."""
    now = digest_tests(file.read_text(encoding="utf-8")) if file.exists() else {}
    changed = [name for name, digest in entry.digests.items() if now.get(name) != digest]
    for name in changed:
        del entry.digests[name]
    return len(changed)


def list_entries(record: Path) -> dict[str, Entry]:
    entries, entry, name = dict[str, Entry](), Entry(""), ""
    for line in record.read_text(encoding="utf-8").split("\n")[1:]:
        if line.startswith("    "):
            entry.parameters.setdefault(name, set()).add(line[4:])
        elif line.startswith("  "):
            digest, _, name = line[2:].partition(" ")
            entry.digests[name] = digest
        elif line:
            file, digest, *whole = line.split(" ")
            entries[file] = entry = Entry(digest, bool(whole))
    return entries


def part_name(name: str) -> tuple[str, str]:
    """Of `TestClass::test_it[a-b]` the function and the parameters."""
    function, bracket, parameters = name.partition("[")
    return function, bracket + parameters


def file_of(test: str) -> str:
    return test.partition("::")[0]


def digest_of(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12] if path.exists() else "gone"

"""`python -m tests.statements`: runs everything on PostgreSQL and writes anew which tests others cover.

It takes as long as the services suite took before it left any out. Do it when many of those tests have changed: the suite
says at its end how many.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.on_servers import EVERYTHING
from tests.services.servers import real_servers
from tests.statements.choosing import choose_covered
from tests.statements.covered import RECORD, ROOT, describe_record
from tests.statements.noting import Notes
from tests.suites import KEEP_BYTECODE, SUITES, TESTS_FAILED


def main() -> int:
    (command,) = next(suite.commands for suite in SUITES if suite.name == "services")
    with tempfile.TemporaryDirectory(prefix="docrouter-notes-") as folder, real_servers() as servers:
        noting = (*command, "-p", "tests.statements.noting", f"--notes={folder}")
        environment = {**os.environ, **KEEP_BYTECODE, **servers, **EVERYTHING}
        ended = subprocess.run(noting, cwd=ROOT, env=environment, check=False)
        tests = read_notes(Path(folder))
    if ended.returncode not in (0, TESTS_FAILED):
        print("They did not run to their end, so the record stays as it is.")
        return ended.returncode
    covered = choose_covered(tests)
    RECORD.write_text(describe_record([notes.test for notes in tests], covered), encoding="utf-8")
    left_out = set(covered)
    cpu = sum(notes.cpu for notes in tests)
    saved = sum(notes.cpu for notes in tests if notes.test in left_out)
    print(f"{len(covered)} of {len(tests)} tests are covered by others: {saved:.0f} of {cpu:.0f} s of CPU.")
    return ended.returncode


def read_notes(folder: Path) -> list[Notes]:
    files = sorted(folder.glob("*.jsonl"))
    return [Notes(**json.loads(line)) for file in files for line in file.read_text(encoding="utf-8").splitlines()]


if __name__ == "__main__":
    sys.exit(main())

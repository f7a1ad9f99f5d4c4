"""What came of each kind of order in each mode. `python -m tests.agent.injection.table` makes the runs and prints it."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.agent.injection.orders import FURTHER, MODES

if TYPE_CHECKING:
    from tests.agent.injection.runs import Run

HEAD = ("kind of order", "mode", "files", "reached", "calls", "read", "ran", "waited", "refused", "beyond")
NOTE = """\
reached: files whose order the model was sent; the others are kept from models when a file is read.
read, ran: calls that ran without a person: reads, and what the mode lets stay with the document or only proposes.
waited: cards; a person rejected them, or stopped the turn. refused: denied, failed, or no such tool. beyond: changes that need a person."""


def of(runs: Iterable[Run]) -> str:
    runs = list(runs)
    kinds = list(dict.fromkeys(run.attack.kind for run in runs))
    rows = [
        _row(kind, mode, [run for run in runs if (run.attack.kind, run.mode) == (kind, mode)])
        for kind in kinds
        for mode in MODES
    ]
    rows += [_row("all", mode, [run for run in runs if run.mode == mode]) for mode in MODES]
    rows += [_row("the first of some kinds", mode, [run for run in runs if run.mode == mode]) for mode in FURTHER]
    return "\n".join([*_align([HEAD, *rows]), NOTE])


def _row(kind: str, mode: str, runs: list[Run]) -> tuple[str, ...]:
    calls = sum(len(run.calls) for run in runs)
    read, ran = sum(len(run.read) for run in runs), sum(len(run.changed) for run in runs)
    waited = sum(run.waited for run in runs)
    counts = (
        len(runs),
        sum(run.reached for run in runs),
        calls,
        read,
        ran,
        waited,
        calls - read - ran - waited,
        sum(len(run.beyond) for run in runs),
    )
    return kind, mode, *map(str, counts)


def _align(rows: list[tuple[str, ...]]) -> list[str]:
    widths = [max(len(row[at]) for row in rows) for at in range(len(HEAD))]
    return [
        "  ".join(
            cell.ljust(width) if at < 2 else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


if __name__ == "__main__":
    tests = Path(__file__).with_name("test_injection.py")
    sys.exit(pytest.main(["-q", "--no-header", f"{tests}::test_the_table_says_so"]))

"""Results of many documents as a file: memory, CPU and statements, beside openpyxl's own write-only workbook.

    python -m benchmarks.growth.results_out [documents] [--proof]

100,000 documents of 20 fields by default, on SQLite, a process for each format. `above idle` is the most that was
resident while the file was made, less what was before; a worker writes it by the same code. CPU is of 1,000 rows. The
floor writes as many rows of the same cells, read from nowhere, by openpyxl.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

STEPS = ("make", "floor", "xlsx", "csv", "json", "jsonl")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("documents", nargs="?", type=int, default=100_000)
    parser.add_argument("--proof", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="docrouter-results-") as folder:
        url = f"sqlite:///{Path(folder) / 'results.sqlite3'}"
        for step in STEPS:
            arguments = [url, str(given.documents), step, *["--proof"] * given.proof]
            subprocess.run([sys.executable, "-m", "benchmarks.growth.results_out_side", *arguments], check=True)


if __name__ == "__main__":
    main()

"""The documents page narrowed and sorted in every way, at 1,000 and 100,000 documents:
`python -m benchmarks.growth.lists_at_size sqlite|postgresql [--times 20]`.

Each call is made with nothing remembered, as right after a change, and in turn at both sizes. Printed are statements,
CPU of the process and of the one of PostgreSQL that works for it (SQLite works in ours), the clock, and the 95th
percentile of the CPU of both with its ratio: the clock of a busy machine says nothing.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from statistics import median, quantiles
from typing import Any

import psycopg

from tests.services.servers import postgresql

SIZES = {"small": (1_000, 200, 20), "large": (100_000, 2_000, 200)}
MAX_RATIO = 1.5


class Side:
    """One database and the process that measures it."""

    def __init__(self, size: str, url: str) -> None:
        command = [sys.executable, "-W", "ignore", "-m", "benchmarks.growth.lists_at_size_side", url]
        self.process = subprocess.Popen(
            [*command, *map(str, SIZES[size])], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.names: list[str] = self.read()

    def measure(self, name: str) -> dict[str, float]:
        assert self.process.stdin
        print(name, file=self.process.stdin, flush=True)
        answer: dict[str, float] = self.read()
        return answer

    def read(self) -> Any:
        assert self.process.stdout
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"A side ended with {self.process.wait()}.")
        return json.loads(line)

    def end(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("vendor", choices=["sqlite", "postgresql"])
    parser.add_argument("--times", type=int, default=20)
    wish = parser.parse_args()
    with ExitStack() as stack:
        urls = stack.enter_context(provide_databases(wish.vendor))
        sides = {size: Side(size, url) for size, url in urls.items()}
        for side in sides.values():
            stack.callback(side.end)
        measured: dict[str, dict[str, list[dict[str, float]]]] = defaultdict(lambda: defaultdict(list))
        for _ in range(wish.times + 1):
            for name in sides["small"].names:
                for size, side in sides.items():
                    measured[name][size].append(side.measure(name))
        print_table(wish.vendor, measured)


@contextmanager
def provide_databases(vendor: str) -> Iterator[dict[str, str]]:
    if vendor == "sqlite":
        with tempfile.TemporaryDirectory(prefix="docrouter-lists-") as folder:
            yield {size: f"sqlite:///{folder}/{size}.sqlite3" for size in SIZES}
        return
    with postgresql() as url:
        with psycopg.connect(url, autocommit=True) as server:
            for size in SIZES:
                server.execute(f"CREATE DATABASE {size}")
        yield {size: url.replace("/postgres", f"/{size}") for size in SIZES}


def print_table(vendor: str, measured: dict[str, dict[str, list[dict[str, float]]]]) -> None:
    """The first round of each call warms it up and is left out."""
    print(f"\n{vendor}: {SIZES['small'][0]:,} | {SIZES['large'][0]:,} documents, nothing remembered")
    print(
        f"{'':28} {'statements':>11} {'CPU ms, median':>16} {'server CPU':>16} {'ms, median':>16} {'p95 CPU':>16} ratio"
    )
    flat = 0
    for name, sides in measured.items():
        small, large = sides["small"][1:], sides["large"][1:]
        statements = f"{small[-1]['statements']:.0f} |{large[-1]['statements']:3.0f}"
        cpu, server, clock = (
            " |".join(f"{median(each[what] for each in rounds):7.1f}" for rounds in (small, large))
            for what in ("cpu", "server", "wall")
        )
        p95 = [quantiles([each["cpu"] + each["server"] for each in rounds], n=20)[-1] for rounds in (small, large)]
        ratio = p95[1] / p95[0]
        flat += ratio <= MAX_RATIO
        mark = "" if ratio <= MAX_RATIO else "  not flat"
        print(
            f"{name:28} {statements:>11} {cpu:>16} {server:>16} {clock:>16} "
            f"{f'{p95[0]:.1f} |{p95[1]:7.1f}':>16} {ratio:5.2f}{mark}"
        )
    print(f"{flat} of {len(measured)} calls are flat.")


if __name__ == "__main__":
    main()

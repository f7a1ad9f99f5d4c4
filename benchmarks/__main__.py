"""`python -m benchmarks [name …]`: each benchmark after the other, and in the end one table of what they printed.

One that takes longer than its limit is ended and marked, and the others go on.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass

from tests.product import ROOT


@dataclass(frozen=True)
class Benchmark:
    module: str
    arguments: tuple[str, ...] = ()
    limit_seconds: int = 180

    @property
    def name(self) -> str:
        return self.module.rpartition(".")[2]


BENCHMARKS = (
    Benchmark("startup", limit_seconds=600),
    Benchmark("memory"),
    Benchmark("browsing.push_latency"),
    Benchmark("browsing.list_at_work", limit_seconds=600),
    Benchmark("browsing.comparing", limit_seconds=300),
    Benchmark("round_trip", limit_seconds=300),
    Benchmark("round_trip_rest", limit_seconds=300),
    Benchmark("agent_tasks", limit_seconds=300),
    Benchmark("scope", limit_seconds=300),
    Benchmark("recognition.reading"),
    Benchmark("recognition.reading_losses"),
    Benchmark("recognition.layout_quality", ("--pages", "5")),
    Benchmark("recognition.proof"),
    Benchmark("recognition.encodings"),
    Benchmark("recognition.offline_fields"),
    Benchmark("research.claims"),
    Benchmark("research.answers", limit_seconds=600),
    Benchmark("soak", ("5",), limit_seconds=600),
    Benchmark("growth.at_size", ("sqlite",), limit_seconds=1200),
    Benchmark("growth.results_out", ("20000",), limit_seconds=600),
)


@dataclass(frozen=True)
class Outcome:
    seconds: float
    cpu_seconds: float
    end: str
    lines: list[str]


def main(names: list[str]) -> int:
    if unknown := set(names) - {benchmark.name for benchmark in BENCHMARKS}:
        sys.exit(f"There is no benchmark {', '.join(sorted(unknown))}.")
    outcomes = {}
    for benchmark in BENCHMARKS:
        if not names or benchmark.name in names:
            print(f"{benchmark.name} …", flush=True)
            outcomes[benchmark.name] = run(benchmark)
    print_table(outcomes)
    return 0 if all(outcome.end == "done" for outcome in outcomes.values()) else 1


def run(benchmark: Benchmark) -> Outcome:
    began, before = time.monotonic(), os.times()
    process = subprocess.Popen(
        [sys.executable, "-m", f"benchmarks.{benchmark.module}", *benchmark.arguments],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        printed, _ = process.communicate(timeout=benchmark.limit_seconds)
        end = "done" if process.returncode == 0 else f"failed ({process.returncode})"
    except subprocess.TimeoutExpired:
        # What it started in groups of their own ends with its parent, as the product's own children do.
        os.killpg(process.pid, signal.SIGKILL)
        printed, _ = process.communicate()
        end = f"ended after {benchmark.limit_seconds} s"
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return Outcome(time.monotonic() - began, spent, end, printed.splitlines())


def print_table(outcomes: dict[str, Outcome]) -> None:
    """What each printed, under its name."""
    for name, outcome in outcomes.items():
        print(f"\n{name:18} {outcome.end:20} {outcome.seconds:7.1f} s {outcome.cpu_seconds:7.1f} s of CPU")
        for line in outcome.lines:
            if line.strip():
                print(f"    {line}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

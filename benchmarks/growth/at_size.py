"""Whether lists stay as fast with 100,000 documents as with 1,000.

    python -m benchmarks.growth.at_size sqlite|postgresql

Two databases, a small and a large one, each behind a process of its own, both open at once. Every round makes each call
once at the small one and once at the large one, with nothing remembered, through the real URLs with an access token or
a browser session. Printed are statements and milliseconds of CPU, those of PostgreSQL's own process included. A call is
flat when the ratio of its medians is at most 1.5.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from statistics import median, quantiles
from typing import TypedDict, cast

from tests.services.servers import make_database, postgresql

# Documents, revisions of prompts and as many of schemas, tags: a large organization has more of everything.
SIZES = {"small": (1_000, 200, 20), "large": (100_000, 2_000, 200)}
FLAT = 1.5
Timings = dict[str, dict[str, list[float]]]


class CallFact(TypedDict):
    """`matches` is None where an answer does not count."""

    name: str
    queries: int
    matches: int | None


class Side:
    """One database and the process that measures it."""

    def __init__(self, size: str, url: str) -> None:
        command = [sys.executable, "-W", "ignore", "-m", "benchmarks.growth.at_size_side", url, *map(str, SIZES[size])]
        self.size = size
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.facts = {fact["name"]: fact for fact in cast(list[CallFact], self._read())}

    def measure(self, call: str) -> float:
        assert self.process.stdin
        print(call, file=self.process.stdin, flush=True)
        return cast(float, self._read())

    def _read(self) -> object:
        assert self.process.stdout
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"The {self.size} side ended with {self.process.wait()}.")
        return json.loads(line)

    def end(self) -> None:
        """Without further calls it ends by itself, and takes its folder along."""
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("vendor", choices=["sqlite", "postgresql"])
    parser.add_argument("--times", type=int, default=20, help="rounds (default: 20)")
    parser.add_argument("--only", default="", help="calls that have this in their name")
    options = parser.parse_args()
    with ExitStack() as stack:
        urls = stack.enter_context(provide_databases(options.vendor))
        sides = [Side(size, url) for size, url in urls.items()]
        for side in sides:
            stack.callback(side.end)
        calls = [name for name in sides[0].facts if options.only in name]
        print_table(options.vendor, sides, measure_in_turns(sides, calls, options.times))


@contextmanager
def provide_databases(vendor: str) -> Iterator[dict[str, str]]:
    if vendor == "sqlite":
        with tempfile.TemporaryDirectory(prefix="docrouter-sizes-") as folder:
            yield {size: f"sqlite:///{folder}/{size}.sqlite3" for size in SIZES}
        return
    with postgresql() as url:
        yield {size: make_database(url, size) for size in SIZES}


def measure_in_turns(sides: Sequence[Side], calls: Sequence[str], times: int) -> Timings:
    """Whatever else the machine does slows both sizes alike, and neither is always the one after the other."""
    timings: Timings = defaultdict(lambda: defaultdict(list))
    for number in range(times):
        for name in calls:
            for side in sides if number % 2 else reversed(sides):
                timings[name][side.size].append(side.measure(name))
    return timings


def print_table(vendor: str, sides: Sequence[Side], timings: Timings) -> None:
    small, large = (side.facts for side in sides)
    print(f"\n{vendor}: milliseconds of CPU at {SIZES['small'][0]:,} | {SIZES['large'][0]:,} documents")
    print(f"{'':36} {'matches':>16} {'queries':>8} {'median':>15} {'p95':>15} {'ratio':>6}")
    flat = 0
    for name, milliseconds in timings.items():
        one, other = milliseconds["small"], milliseconds["large"]
        ratio = median(other) / median(one)
        flat += ratio <= FLAT
        matches = f"{format_count(small[name]):>7} |{format_count(large[name]):>7}"
        queries = f"{small[name]['queries']:3} |{large[name]['queries']:3}"
        medians = f"{median(one):6.1f} |{median(other):7.1f}"
        p95 = f"{quantiles(one, n=20)[-1]:6.1f} |{quantiles(other, n=20)[-1]:7.1f}"
        mark = "" if ratio <= FLAT else "  not flat"
        print(f"{name:36} {matches} {queries:>8} {medians:>15} {p95:>15} {ratio:6.2f}{mark}")
    print(f"{flat} of {len(timings)} calls are flat.")


def format_count(fact: CallFact) -> str:
    return "" if fact["matches"] is None else str(fact["matches"])


if __name__ == "__main__":
    main()

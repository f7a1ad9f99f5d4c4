"""Whether lists stay as fast with 100,000 documents as with 1,000.

    python -m benchmarks.growth.at_size sqlite|postgresql

Two databases, a small and a large one, each behind a process of its own, both open at once. Every round makes each call
once at the small one and once at the large one, so that whatever else the machine does slows both alike. Calls go
through the real URLs with an access token or a browser session. A call is flat when the ratio of its medians is at most
1.5. `--small URL --large URL` measures databases that stay; those that hold documents already are not seeded again.
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
from typing import Any

import psycopg

from tests.services.servers import postgresql

# Documents, revisions of prompts and as many of schemas, tags: a large organization has more of everything.
SIZES = {"small": (1_000, 200, 20), "large": (100_000, 2_000, 200)}
FLAT = 1.5
Timings = dict[str, dict[str, list[float]]]


class Side:
    """One database and the process that measures it."""

    def __init__(self, size: str, url: str) -> None:
        command = [sys.executable, "-W", "ignore", "-m", "benchmarks.growth.at_size_side", url, *map(str, SIZES[size])]
        self.size = size
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        answer = self._read()
        self.facts = {fact["name"]: fact for fact in answer["facts"]}
        if answer["seconds"] is not None:
            print(f"{size}: {SIZES[size][0]:,} documents seeded in {answer['seconds']:.1f} s", flush=True)

    def milliseconds(self, call: str) -> float:
        assert self.process.stdin
        self.process.stdin.write(f"{call}\n")
        self.process.stdin.flush()
        number: float = self._read()
        return number

    def _read(self) -> Any:
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
    wish = _wish()
    with ExitStack() as stack:
        urls = stack.enter_context(_databases(wish))
        sides = [Side(size, url) for size, url in urls.items()]
        for side in sides:
            stack.callback(side.end)
        calls = [name for name in sides[0].facts if wish.only in name]
        warm = _measure(sides, calls, wish.times)
        cold = _measure(sides, [f"!{name}" for name in calls], max(3, wish.times // 4))
        _show(wish.vendor, sides, calls, warm, cold)


def _wish() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("vendor", choices=["sqlite", "postgresql"])
    parser.add_argument("--times", type=int, default=20, help="rounds (default: 20)")
    parser.add_argument("--only", default="", help="calls that have this in their name")
    parser.add_argument("--small", default="", metavar="URL")
    parser.add_argument("--large", default="", metavar="URL")
    return parser.parse_args()


@contextmanager
def _databases(wish: argparse.Namespace) -> Iterator[dict[str, str]]:
    if wish.small and wish.large:
        yield {"small": wish.small, "large": wish.large}
    elif wish.vendor == "sqlite":
        with tempfile.TemporaryDirectory(prefix="docrouter-sizes-") as folder:
            yield {size: f"sqlite:///{folder}/{size}.sqlite3" for size in SIZES}
    else:
        with postgresql() as url:
            with psycopg.connect(url, autocommit=True) as server:
                for size in SIZES:
                    server.execute(f"CREATE DATABASE {size}")
            yield {size: url.replace("/postgres", f"/{size}") for size in SIZES}


def _measure(sides: Sequence[Side], calls: Sequence[str], times: int) -> Timings:
    timings: Timings = defaultdict(lambda: defaultdict(list))
    for number in range(times):
        for name in calls:
            # In turn, so that neither size is always the one after the other.
            for side in sides if number % 2 else reversed(sides):
                timings[name.removeprefix("!")][side.size].append(side.milliseconds(name))
    return timings


def _show(vendor: str, sides: Sequence[Side], calls: Sequence[str], warm: Timings, cold: Timings) -> None:
    small, large = (side.facts for side in sides)
    print(f"\n{vendor}: milliseconds at {SIZES['small'][0]:,} | {SIZES['large'][0]:,} documents")
    print(f"{'':36} {'matches':>14} {'queries':>8} {'p50':>14} {'p95':>16} {'ratio':>6}   after a change: p50, ratio")
    for name in calls:
        matches = f"{_count(small[name])} |{_count(large[name]):>7}"
        queries = f"{small[name]['queries']} |{large[name]['queries']:3}"
        ratio, p50, p95 = _compare(warm[name])
        late_ratio, late, _ = _compare(cold[name])
        mark = "" if ratio <= FLAT else "  not flat"
        times = f"{p50:>14} {p95:>16} {ratio:6.2f}   {late:>14} {late_ratio:6.2f}"
        print(f"{name:36} {matches:>14} {queries:>8} {times}{mark}")
    print(f"{sum(_compare(warm[name])[0] <= FLAT for name in calls)} of {len(calls)} calls are flat.")


def _compare(milliseconds: dict[str, list[float]]) -> tuple[float, str, str]:
    """The ratio of the medians, and the medians and the 95th percentiles side by side."""
    small, large = milliseconds["small"], milliseconds["large"]
    p95 = [quantiles(values, n=20)[-1] for values in (small, large)]
    return (
        median(large) / median(small),
        f"{median(small):.1f} |{median(large):6.1f}",
        f"{p95[0]:.1f} |{p95[1]:7.1f}",
    )


def _count(fact: dict[str, Any]) -> str:
    return "" if fact["matches"] is None else str(fact["matches"])


if __name__ == "__main__":
    main()

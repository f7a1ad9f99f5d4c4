"""What each process of a running product costs: its share of the memory, and the seconds it has worked."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from tests.product import Product

_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Cost:
    """Sizes in MB: what several processes share counts once in `share`, in equal parts."""

    name: str
    resident: float
    share: float
    cpu_seconds: float


def measure_costs(product: Product) -> dict[int, Cost]:
    """By process id. What ended meanwhile is left out."""
    costs = {}
    for pid, command in product.pids().items():
        try:
            resident, share = _memory(pid)
            costs[pid] = Cost(shorten_command(command), resident, share, _cpu_seconds(pid))
        except OSError:
            continue
    return costs


def shorten_command(command: str) -> str:
    """What follows the interpreter."""
    return command.partition("manage.py ")[2] or command.partition(" -m ")[2] or command.split()[0].rpartition("/")[2]


def _memory(pid: int) -> tuple[float, float]:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    sizes = {line.split(":")[0]: int(line.split()[1]) / 1024 for line in lines[1:]}
    return sizes["Rss"], sizes["Pss"]


def _cpu_seconds(pid: int) -> float:
    """Its own and, for what it started and has ended, theirs."""
    numbers = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(int(number) for number in numbers[11:15]) / _TICKS

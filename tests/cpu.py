"""Loaded by `-p tests.cpu`: says at the end what the tests took of CPU, with `--cpu` file by file.

The clock says little on a machine that does other things as well; CPU seconds can be compared.
"""

from __future__ import annotations

import os
import resource
from collections import Counter
from collections.abc import Generator, Mapping
from typing import Any

import pytest

# What is no file's own: to load the product, collect the tests and end.
AROUND = "around the tests"


class Cpu:
    """Seconds and tests by file, of this process and of the parallel workers that have reported to it."""

    def __init__(self) -> None:
        self.seconds: Counter[str] = Counter()
        self.tests: Counter[str] = Counter()

    def add(self, file: str, seconds: float) -> None:
        self.seconds[file] += seconds
        self.tests[file] += 1

    def merge(self, seconds: Mapping[str, float], tests: Mapping[str, int]) -> None:
        self.seconds.update(seconds)
        self.tests.update(tests)

    def describe_total(self) -> str:
        count, total = sum(self.tests.values()), sum(self.seconds.values())
        return f"{count} tests took {total:.1f} s of CPU: {1000 * total / max(count, 1):.0f} ms a test"

    def list_files(self) -> list[str]:
        return [
            f"{seconds:8.2f} s {1000 * seconds / max(self.tests[file], 1):8.0f} ms a test {self.tests[file]:5}  {file}"
            for file, seconds in self.seconds.most_common()
        ]


_cpu = Cpu()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--cpu", action="store_true", help="list the CPU seconds that each file of tests took")


def count_own(whose: int = resource.RUSAGE_SELF) -> float:
    usage = resource.getrusage(whose)
    return usage.ru_utime + usage.ru_stime


def count_cpu() -> float:
    """Of this process and of those that it has started and seen end."""
    return count_own() + count_own(resource.RUSAGE_CHILDREN)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """What a file or package shares is booked on its first test, and what ends late on its last."""
    before = count_cpu()
    result = yield
    _cpu.add(item.nodeid.partition("::")[0], count_cpu() - before)
    return result


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """A worker hands its figures over. The controller ran no test, and its children are the workers."""
    is_controller = bool(session.config.getoption("numprocesses", None))
    _cpu.seconds[AROUND] += count_own() if is_controller else count_cpu() - sum(_cpu.seconds.values())
    if os.environ.get("PYTEST_XDIST_WORKER"):
        session.config.workeroutput["cpu"] = (dict(_cpu.seconds), dict(_cpu.tests))  # type: ignore[attr-defined]


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """A worker that crashed has no figures."""
    _cpu.merge(*getattr(node, "workeroutput", {}).get("cpu", ({}, {})))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if config.option.cpu:
        terminalreporter.section("CPU by file")
        for line in _cpu.list_files():
            terminalreporter.write_line(line)
    terminalreporter.write_line(_cpu.describe_total())

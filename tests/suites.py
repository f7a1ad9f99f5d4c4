"""`python -m tests.suites [name …]`: what `make test` runs. Every suite runs, whatever the one before said.

`TESTS_ON_SERVERS=all` runs every test of Django on PostgreSQL and Redis in the services suite, not the marked ones alone.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from tests import needs
from tests.services.servers import real_servers

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
TESTS = ROOT / "tests"
PYTEST = (sys.executable, "-m", "pytest", "-q")
OURS = ("docrouter", "accounts", "documents", "agent", "worker", "llm", "reader", "kit", "offline_model", "printed")
APART = ("browser", "layout", "services", "clients", "chaos", "injection", "hostile")
# What `tests.flows` marks are tests of all folders, which the fast suite leaves out.
NOT_FAST = (*APART, "flows")
# Bytecode, rewritten tests included, is kept: without it each process of a suite compiles them all anew.
KEEP_BYTECODE = {"PYTHONDONTWRITEBYTECODE": ""}
# Rewriting ten thousand asserts takes each process of a fresh clone 8 s. What fails is run again with it.
UNREWRITTEN = "--assert=plain"
REWRITTEN = "--assert=rewrite"
# Others go first; that still leaves it a fifth of a core, and no reader reaches a limit of seconds by the clock.
PATIENTLY = ("nice", "-n", "5")
TESTS_FAILED = 1
"""Of pytest's exit codes: other ones are not of tests."""
Environment = Mapping[str, str]


def at_once(processes: int, by: str) -> tuple[str, ...]:
    """`worksteal` shares out single tests, `loadfile` whole files, so that they share a product.

    Three processes keep two cores busy when each waits a third of its time, for a socket or a server.
    """
    return ("-n", str(processes), "--dist", by)


def command_for(*marks: str) -> tuple[str, ...]:
    """Run the tests with one of these marks, and look for them only in the files and folders that have them."""
    files = [path for path in sorted(TESTS.rglob("test_*.py")) if has_one_of(path, marks)]
    return (*PYTEST, "-m", " or ".join(marks), *(str(path.relative_to(ROOT)) for path in files))


def has_one_of(path: Path, marks: Sequence[str]) -> bool:
    text = path.read_text(encoding="utf-8")
    return path.parent.name in marks or any(f"mark.{mark}" in text for mark in marks)


def all_but(suites: Sequence[str], *, only: str = "", processes: int = 2) -> tuple[str, ...]:
    """All tests without those of these suites. What stands in a folder of such a suite is not even looked at."""
    folders = [f"--ignore=tests/{suite}" for suite in suites if (TESTS / suite).is_dir()]
    marks = " and ".join([*([only] if only else ()), *(f"not {suite}" for suite in suites)])
    return (*PYTEST, UNREWRITTEN, *at_once(processes, "worksteal"), "-m", marks, *folders)


def command_on_servers(environment: Environment = os.environ) -> tuple[str, ...]:
    if environment.get("TESTS_ON_SERVERS") == "all":
        return all_but([suite for suite in APART if suite != "services"], processes=3)
    return (*command_for("services", "servers"), UNREWRITTEN, *at_once(2, "worksteal"))


@dataclass(frozen=True)
class Suite:
    """`budget_seconds` is what it may take on two cores; more is said, not failed.

    `cores`: how many it keeps busy when it runs alone, with its browsers; where that leaves some idle, others run
    beside it. `is_patient`: it computes and waits for nobody, so others go first, and one of these runs at a time.
    Without `cores` it takes what others leave idle, whatever runs.
    """

    name: str
    commands: tuple[tuple[str, ...], ...]
    budget_seconds: int
    needs: tuple[needs.Need, ...] = ()
    environment: Callable[[], AbstractContextManager[Environment]] = lambda: nullcontext({})
    cores: float = 0
    is_patient: bool = False


SUITES = (
    Suite(
        "style",
        (
            (f"{BIN}/ruff", "check", "."),
            (f"{BIN}/ruff", "format", "--check", "."),
            (f"{BIN}/djangofmt", "-q", "--check", "templates"),
        ),
        10,
        is_patient=True,
    ),
    Suite("types", ((f"{BIN}/mypy", *OURS, "benchmarks"),), 120, is_patient=True),
    Suite("layers", ((f"{BIN}/lint-imports", "--no-logo"),), 20, is_patient=True),
    Suite(
        "migrations",
        ((sys.executable, "manage.py", "makemigrations", "--check", "--dry-run"),),
        20,
        is_patient=True,
    ),
    # In one process: all its tests look at the same runs.
    Suite("injection", (command_for("injection"),), 250, cores=0.35),
    # One reader after the other, each begun anew. The browser leaves it a core, and goes first.
    Suite("hostile", (command_for("hostile"),), 300, cores=0.75, is_patient=True),
    # In one process: two would start each product twice.
    Suite("clients", (command_for("clients"),), 150, (needs.NODE,), cores=0.6),
    Suite("fast", (all_but(NOT_FAST),), 100, cores=1.5),
    Suite("flows", (all_but(APART, only="flows"),), 250, cores=1.5),
    # Beside nothing that has to be quick.
    Suite("browser", ((*command_for("browser"), *at_once(2, "loadfile")),), 340, (needs.CHROMIUM,), cores=1.3),
    # In one process: each would make a product and its rows, 20 s of CPU. It runs beside services.
    Suite("layout", (command_for("layout"),), 140, (needs.CHROMIUM,), cores=0.75),
    Suite(
        "services",
        (command_on_servers(),),
        200,
        (needs.POSTGRESQL, needs.REDIS),
        real_servers,
        cores=1.4,
    ),
    # Whoever is killed leaves a pause until its lease is over.
    Suite("chaos", ((*command_for("chaos"), *at_once(2, "worksteal")),), 320, cores=0.35),
)
# In place of the two where all suites run: each process loads the product and collects, 4 s of CPU, once and not twice.
FAST_AND_FLOWS = Suite("fast+flows", (all_but(APART),), 400, cores=1.5)


def main(arguments: list[str]) -> int:
    unknown = set(arguments) - {suite.name for suite in SUITES}
    if unknown:
        print(f"No such suite: {', '.join(sorted(unknown))}. There are: {', '.join(suite.name for suite in SUITES)}.")
        return 2
    chosen = [suite for suite in SUITES if suite.name in arguments] if arguments else list_all()
    began = time.monotonic()
    results = [run(chosen[0])] if len(chosen) == 1 else run_side_by_side(chosen, count_cores())
    print("\n=== all suites")
    for line in results:
        print(line.text)
    print(describe_use(time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)))
    return 0 if all(line.passed for line in results) else 1


def list_all() -> list[Suite]:
    parts = ("fast", "flows")
    return [*(suite for suite in SUITES if suite.name not in parts), FAST_AND_FLOWS]


def describe_use(seconds: float, usage: resource.struct_rusage) -> str:
    """Of all processes that have ended by now, servers too. What is missing to all of the cores was waiting."""
    cpu, cores = usage.ru_utime + usage.ru_stime, len(os.sched_getaffinity(0))
    return f"{seconds:.0f} s, {cpu:.0f} s of CPU: {cpu / (seconds * cores):.0%} of {cores} cores"


@dataclass(frozen=True)
class Line:
    passed: bool
    text: str


def count_cores() -> float:
    """A little more than there are: no suite keeps its share busy all the time."""
    return 1.1 * max(2, len(os.sched_getaffinity(0)))


def run_side_by_side(suites: Sequence[Suite], cores: float) -> list[Line]:
    """The longest first, each as soon as there is room for it."""
    waiting = sorted(suites, key=lambda suite: -suite.budget_seconds)
    running: dict[Future[Line], Suite] = {}
    lines: list[Line] = []
    with ThreadPoolExecutor(len(waiting) + 1) as pool:
        installing = pool.submit(install_needs, waiting)
        while waiting or running:
            ready = [suite for suite in waiting if not suite.needs or installing.done()]
            while suite := choose_next(ready, running.values(), cores):
                waiting.remove(suite), ready.remove(suite)
                print(f"=== {suite.name} begins", flush=True)
                running[pool.submit(run_aside, suite)] = suite
            awaited = {*running} if installing.done() else {*running, installing}
            ended = wait(awaited, return_when=FIRST_COMPLETED).done - {installing}
            lines += [each.result() for each in ended]
            running = {each: suite for each, suite in running.items() if each not in ended}
    return lines


def install_needs(suites: Iterable[Suite]) -> None:
    """Beside suites that need nothing: apt-get takes half a minute of one core."""
    for need in dict.fromkeys(need for suite in suites for need in suite.needs):
        need.explain_missing()


def choose_next(waiting: Sequence[Suite], running: Iterable[Suite], cores: float) -> Suite | None:
    """The first for which the cores suffice; one that takes more than there are runs alone. One patient one at a time."""
    busy = sum(suite.cores for suite in running)
    has_patient = any(suite.is_patient for suite in running)
    return next((suite for suite in waiting if fits(suite, busy, cores, has_patient)), None)


def fits(suite: Suite, busy: float, cores: float, has_patient: bool) -> bool:
    if suite.is_patient and has_patient:
        return False
    return not busy or not suite.cores or busy + suite.cores < cores + 0.01


def run_aside(suite: Suite) -> Line:
    """Prints what it said when it has ended: another one runs beside it."""
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as output:
        line = run(suite, output)
        output.seek(0)
        print(output.read(), end="", flush=True)
    return line


def run(suite: Suite, output: IO[str] | None = None) -> Line:
    print(f"\n=== {suite.name}", file=output, flush=True)
    began = time.monotonic()
    problem = next((sentence for need in suite.needs if (sentence := need.explain_missing())), "")
    if problem:
        print(problem, file=output)
    passed, cpu = (False, 0.0) if problem else run_commands(suite, output)
    seconds = time.monotonic() - began
    slow = f" (its budget is {suite.budget_seconds} s)" if seconds > suite.budget_seconds else ""
    word = "passed" if passed else "FAILED"
    return Line(passed, f"{word}  {suite.name:<10} {seconds:6.1f} s, {cpu:6.1f} s of CPU{slow}  {problem}".rstrip())


def run_commands(suite: Suite, output: IO[str] | None) -> tuple[bool, float]:
    """Whether all passed, and the CPU seconds of all that they started."""
    with suite.environment() as extra:
        environment = {**os.environ, **KEEP_BYTECODE, **extra}
        ends = [run_tests(suite, command, environment, output) for command in suite.commands]
    return all(code == 0 for code, _ in ends), sum(cpu for _, cpu in ends)


def run_tests(
    suite: Suite, command: Sequence[str], environment: Environment, output: IO[str] | None
) -> tuple[int, float]:
    """What failed is run once more, in one process: on a busy machine a browser or a server is late at times."""
    first = PATIENTLY if suite.is_patient else ()
    if command[: len(PYTEST)] != PYTEST:
        return run_command((*first, *command), environment, output)
    remembering = (
        *first,
        *command,
        "-o",
        f"cache_dir=.pytest_cache/{suite.name}",
    )  # of its own: two suites run at once
    code, cpu = run_command(remembering, environment, output)
    if code != TESTS_FAILED:
        return code, cpu
    print(f"\n=== {suite.name}, what failed once more", file=output, flush=True)
    code, more_cpu = run_command(
        (*remembering, "--last-failed", "--maxfail=10", "-n", "0", REWRITTEN), environment, output
    )
    return code, cpu + more_cpu


def run_command(command: Sequence[str], environment: Environment, output: IO[str] | None) -> tuple[int, float]:
    errors = subprocess.STDOUT if output else None
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=output, stderr=errors) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage.ru_utime + usage.ru_stime


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

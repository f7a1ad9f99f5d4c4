"""A process that is shut in like a reader tries each way out."""

import json
import logging
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy
import pytest

from kit.errors import Invalid
from reader import frames
from reader.pool.process import ROOT, warn_once
from reader.pool.refusals import explain_failure
from reader.sandbox.landlock import list_library_paths

pytestmark = pytest.mark.flows

REFUSED = [
    "open a file of the system",
    "open a file of the user",
    "write to the file that was handed over",
    "look into the parent",
    "list a folder",
    "write a file",
    "remove a file",
    "change who may read a file",
    "change when a file was written",
    "connect",
    "talk to a process of this machine",
    "ask a name server",
    "make two sockets",
    "go around by io_uring",
    "fork",
    "run a program",
    "start a program",
    "send a signal",
    "limit another process",
]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], cwd=ROOT, stdout=subprocess.PIPE, text=True)


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    path = tmp_path_factory.mktemp("data") / "secret_key"
    path.write_text("nobody may read this")
    outcomes: dict[str, object] = json.loads(
        run("-m", "tests.documents.sandboxed_attempts", str(os.getpid()), str(path)).stdout
    )
    assert path.read_text() == "nobody may read this"
    return outcomes


@pytest.mark.parametrize("attempt", REFUSED)
def test_a_reader_cannot(report: dict[str, object], attempt: str) -> None:
    assert report[attempt] in ("EACCES", "EPERM")


def test_a_reader_reads_what_it_was_handed_and_its_own_libraries(report: dict[str, object]) -> None:
    assert report["missing"] == []
    assert (report["the file that was handed over"], report["import a module"]) == ("txt", "done")


def test_it_says_what_this_system_lacks() -> None:
    code = (
        "from dataclasses import replace; import ctypes, os;"
        "from reader.sandbox import landlock, limits, seccomp;"
        "ctypes.CDLL(None).prctl(limits.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);"
        "kernel = replace(seccomp.MACHINES[os.uname().machine], refused=(landlock.CREATE_RULESET,));"
        "seccomp.install(list(seccomp.build_filter(kernel, os.getpid())));"
        "print(limits.enter_sandbox())"
    )
    sentence = "Landlock is missing (Operation not permitted): a reader could open every file of its user."
    assert run("-c", code).stdout.strip() == str([sentence])


def test_the_log_says_it_once(caplog: pytest.LogCaptureFixture) -> None:
    warn_once.cache_clear()
    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            warn_once(("Landlock is missing.",))
    assert len(caplog.records) == 1
    warn_once.cache_clear()


@pytest.mark.parametrize(
    ("code", "ending"),
    [
        ("import time\nwhile time.process_time() < 5: pass", signal.SIGXCPU),
        ("bytearray(150_000_000)", 1),
        ("bytearray(50_000_000)", 0),
    ],
    ids=["time", "memory", "enough-memory"],
)
def test_a_request_ends_with_its_budget(code: str, ending: int) -> None:
    limited = (
        "from reader.sandbox import limits; limits.PARSING_BYTES = 100 * limits.MEGABYTE;"
        f"limits.budget.enforce(); limits.budget.start(); limits.budget.start_page(0)\n{code}"
    )
    assert run("-c", limited).returncode in (ending, -ending)


def test_a_page_shares_the_memory_of_its_request() -> None:
    code = (
        "from reader.sandbox import limits; limits.PARSING_BYTES = 100 * limits.MEGABYTE;"
        "limits.budget.enforce(); limits.budget.start(); opened = bytearray(60_000_000);"
        "limits.budget.start_page(); page = bytearray(60_000_000)"
    )
    assert run("-c", code).returncode == 1


@pytest.mark.hostile
def test_a_file_is_charged_anew_for_each_request() -> None:
    code = (
        "from reader.sandbox import limits; limits.budget.enforce()\n"
        "import time\n"
        "for _ in range(3):\n"
        "    limits.budget.start()\n    limits.budget.start_page(1)\n"
        "    end = time.process_time() + 0.75\n"
        "    while time.process_time() < end: pass\n"
    )
    assert run("-c", code).returncode == 0


@pytest.mark.parametrize(
    ("failure", "code"),
    [
        (frames.Late(), -signal.SIGKILL),
        (frames.Closed(), -signal.SIGXCPU),
        (frames.Closed(), -signal.SIGABRT),
        (frames.Closed(), -signal.SIGTRAP),
    ],
)
def test_what_a_file_did_is_not_tried_again(failure: Exception, code: int) -> None:
    assert isinstance(explain_failure(failure, code, 10), Invalid)


def test_a_reader_gives_the_folder_of_the_product_to_nobody() -> None:
    code = "from reader.sandbox.landlock import list_library_paths; print(*list_library_paths(), sep='\\n')"
    paths = [Path(line) for line in run("-c", code).stdout.splitlines()]
    assert paths and not any(ROOT.is_relative_to(path) for path in paths)


def test_an_installed_reader_may_import_the_packages_beside_it() -> None:
    site = Path(numpy.__file__).resolve().parents[1]
    assert site in [Path(path).resolve() for path in list_library_paths(site)]

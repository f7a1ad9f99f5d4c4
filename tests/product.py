"""A real `manage.py up` on a folder of its own, for journeys, process tests and benchmarks."""

from __future__ import annotations

import http.client
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg

from kit.processes import parents
from tests import migrated
from tests.services.servers import free_port

ROOT = Path(__file__).resolve().parent.parent
# What the test run set for itself, or what a developer's shell may hold.
NOT_PASSED_ON = {
    "DATABASE_URL",
    "REDIS_URL",
    "SECRET_KEY",
    "DATA_DIR",
    "PORT",
    "PUBLIC_URL",
    "BIND",
    "STORAGE_URL",
    "STATIC_ROOT",
}
# Collected once for every product of this folder: it takes a second of CPU.
STATIC_ROOT = ROOT / "build" / "static-of-tests"
READY_SECONDS = 300.0


@dataclass
class Product:
    """`environment` is added to ours. Everything it says goes to `log`.

    `begins_empty`: it makes its database itself, which takes seconds; else it finds one without a row.
    """

    folder: Path
    environment: dict[str, str] = field(default_factory=dict)
    port: int = field(default_factory=free_port)
    begins_empty: bool = False
    # What starts it, before the name of a command, and where.
    command: tuple[str, ...] = (sys.executable, "manage.py")
    home: Path = ROOT
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://localhost:{self.port}"

    @property
    def log(self) -> str:
        path = self.folder / "up.log"
        return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""

    def variables(self) -> dict[str, str]:
        inherited = {name: value for name, value in os.environ.items() if name not in NOT_PASSED_ON}
        own = {"DATA_DIR": str(self.folder / "data"), "PORT": str(self.port)}
        return {**inherited, **own, "STATIC_ROOT": str(STATIC_ROOT), **self.environment}

    def start(self, *, wait: bool = True) -> Product:
        self.folder.mkdir(parents=True, exist_ok=True)
        if not self.begins_empty and "DATABASE_URL" not in self.environment:
            migrated.copy_sqlite(self.folder / "data" / "docrouter.sqlite3")
        with (self.folder / "up.log").open("ab") as log:
            self.process = subprocess.Popen(
                [*self.command, "up"],
                cwd=self.home,
                env=self.variables(),
                stdout=log,
                stderr=subprocess.STDOUT,
                preexec_fn=parents.die_with_parent(),
            )
        if wait:
            self.wait_until(self.answers, "the first page")
        return self

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Another `manage.py` command, or `-c code`, with the same settings."""
        command = [sys.executable, *arguments] if arguments[0] == "-c" else [*self.command, *arguments]
        return subprocess.run(command, cwd=self.home, env=self.variables(), capture_output=True, text=True, check=False)

    def query(self, sql: str) -> list[tuple[Any, ...]]:
        """Rows of its database, whether it runs or not: asking another process takes a second of CPU."""
        server = self.environment.get("DATABASE_URL")
        file = self.folder / "data" / "docrouter.sqlite3"
        with closing(psycopg.connect(server) if server else sqlite3.connect(file, timeout=30)) as connection:
            return connection.execute(sql).fetchall()

    def get(self, path: str) -> int:
        """The status code, without following redirects; 0 when nobody answers."""
        connection = http.client.HTTPConnection("localhost", self.port, timeout=30)
        try:
            connection.request("GET", path)
            return connection.getresponse().status
        except (OSError, http.client.HTTPException):
            return 0
        finally:
            connection.close()

    def answers(self) -> bool:
        return self.get("/health") == 200

    def is_ready(self) -> bool:
        return self.get("/ready") == 200

    def wait_until(self, holds: object, what: str, *, seconds: float = READY_SECONDS) -> None:
        deadline = time.monotonic() + seconds
        while not holds():  # type: ignore[operator]
            if time.monotonic() > deadline or self.process.poll() is not None:
                raise AssertionError(f"{what} did not come within {seconds:g} s:\n{self.log[-4000:]}")
            time.sleep(0.1)

    def pids(self) -> dict[int, str]:
        """Every process below `up`, itself included, with its command line."""
        commands, front = {}, [self.process.pid]
        parents = _parents()
        while front:
            pid = front.pop()
            commands[pid] = command_line(pid)
            front += [child for child, parent in parents.items() if parent == pid]
        return commands

    def pid_of(self, words: str) -> int:
        return next((pid for pid, command in self.pids().items() if words in command), 0)

    def kill(self, words: str) -> int:
        """The number of the process that is no more. Never 0, which would be the tests and all that they started."""
        pid = self.pid_of(words)
        assert pid, f"No process of it is called {words}: {self.pids()}"
        os.kill(pid, signal.SIGKILL)
        return pid

    def is_running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def stop(self, number: signal.Signals = signal.SIGTERM, *, seconds: float = 15.0) -> int:
        """Sends the signal and returns the exit code. Kills it when it does not end."""
        self.process.send_signal(number)
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise


def still_alive(pids: dict[int, str]) -> dict[int, str]:
    """Those that run on under the same command line; zombies have none."""
    return {pid: command for pid, command in pids.items() if command and command_line(pid) == command}


def wait_for_end(pids: dict[int, str], seconds: float) -> dict[int, str]:
    """What is left of them after at most so long."""
    deadline = time.monotonic() + seconds
    while still_alive(pids) and time.monotonic() < deadline:
        time.sleep(0.1)
    return still_alive(pids)


def command_line(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode().strip()
    except OSError:
        return ""


def _parents() -> dict[int, int]:
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
    return parents

"""The real web process, `manage.py web`, and clients that write on its socket what no library would."""

from __future__ import annotations

import http.client
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from django.db import connection

from kit.processes import parents
from tests.product import ROOT, STATIC_ROOT
from tests.services.servers import free_port


@dataclass
class WebProcess:
    process: subprocess.Popen[bytes]
    port: int

    def memory_kb(self) -> int:
        """Resident now."""
        lines = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))

    def disk_kb(self) -> int:
        """What its open files take on disk, files without a name included. Its database and log are not counted."""
        sizes = {}
        for link in Path(f"/proc/{self.process.pid}/fd").iterdir():
            try:
                target, status = os.readlink(link), link.stat()
            except OSError:
                continue
            if target.endswith(" (deleted)"):
                sizes[status.st_ino] = status.st_blocks // 2
        return sum(sizes.values())

    def health(self) -> tuple[int, float]:
        """The status, and how many seconds it took."""
        begun = time.monotonic()
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request("GET", "/health")
            return connection.getresponse().status, time.monotonic() - begun
        finally:
            connection.close()

    @contextmanager
    def connection(self) -> Iterator[socket.socket]:
        with socket.create_connection(("127.0.0.1", self.port), timeout=120) as client:
            yield client


def environment_of_test_database() -> dict[str, str]:
    """The environment of a process on the database of the tests, so that it knows their people."""
    database = connection.settings_dict
    address = f"sqlite:///{database['NAME']}"
    if connection.vendor != "sqlite":
        place = f"{database['HOST']}:{database['PORT']}/{database['NAME']}"
        address = f"postgres://{database['USER']}:{database['PASSWORD']}@{place}"
    return {"DATABASE_URL": address}


@contextmanager
def run_web(environment: dict[str, str], log: Path, *, root: Path = ROOT) -> Iterator[WebProcess]:
    """`environment` is added to ours."""
    port = free_port()
    statics = {"STATIC_ROOT": str(root / STATIC_ROOT.relative_to(ROOT))}
    with log.open("ab") as output:
        process = subprocess.Popen(
            [sys.executable, "manage.py", "web"],
            cwd=root,
            env={**os.environ, **statics, **environment, "PORT": str(port)},
            stdout=output,
            stderr=subprocess.STDOUT,
            preexec_fn=parents.die_with_parent(),
        )
    web = WebProcess(process, port)
    try:
        _wait_until_it_answers(web, log)
        yield web
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait_until_it_answers(web: WebProcess, log: Path, *, seconds: float = 300.0) -> None:
    deadline = time.monotonic() + seconds
    while True:
        try:
            if web.health()[0] == 200:
                return
        except OSError:
            pass
        if time.monotonic() > deadline or web.process.poll() is not None:
            raise AssertionError(f"the web process did not answer:\n{log.read_text(errors='replace')[-4000:]}")
        time.sleep(0.1)


def answer_of(client: socket.socket) -> http.client.HTTPResponse:
    """The head of the answer, and the body for who reads it."""
    response = http.client.HTTPResponse(client)
    response.begin()
    return response


def head(method: str, path: str, **headers: str) -> bytes:
    """`Content_Length="5"` is the header Content-Length."""
    lines = [
        f"{method} {path} HTTP/1.1",
        "Host: localhost",
        *(f"{k.replace('_', '-')}: {v}" for k, v in headers.items()),
    ]
    return "\r\n".join([*lines, "", ""]).encode()


def send_until_refused(client: socket.socket, piece: bytes, maximum: int) -> int:
    """How many bytes went out before the other side would take no more."""
    sent = 0
    try:
        while sent < maximum:
            client.sendall(piece)
            sent += len(piece)
    except OSError:
        pass
    return sent

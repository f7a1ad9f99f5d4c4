"""The outside, on loopback: a server that does what it is asked to, and a network whose names mean what a test says."""

from __future__ import annotations

import json
import ssl
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar
from urllib.parse import parse_qs, urlsplit

import httpcore
import pytest

from kit.errors import Upstream
from tests.loopback_server import LoopbackServer, QuietHandler

PUBLIC, OTHER_PUBLIC = "93.184.215.14", "151.101.1.6"


class OutsideHandler(QuietHandler):
    asked: ClassVar[list[tuple[str, dict[str, str]]]] = []

    def do_GET(self) -> None:
        self.asked.append((self.path, {name.lower(): text for name, text in self.headers.items()}))
        parts = urlsplit(self.path)
        answer = getattr(self, f"answer_{parts.path.strip('/')}", self.answer_json)
        answer({name: values[0] for name, values in parse_qs(parts.query).items()})

    do_POST = do_GET

    def answer_json(self, query: dict[str, str]) -> None:
        self.send(json.dumps({"path": self.path}).encode())

    def answer_redirect(self, query: dict[str, str]) -> None:
        self.send(b"", status=int(query.get("status", "302")), headers=[("Location", query["to"])])

    def answer_packed(self, query: dict[str, str]) -> None:
        self.send(b"\x1f\x8b", headers=[("Content-Encoding", "gzip")])

    def answer_page(self, query: dict[str, str]) -> None:
        self.send(b"<p>", kind="text/html", status=int(query.get("status", "200")))

    def answer_raw(self, query: dict[str, str]) -> None:
        self.wfile.write(query.get("bytes", "").encode("latin-1"))
        self.close_connection = True

    def answer_flood(self, query: dict[str, str]) -> None:
        self.send_head("application/json", 200, [("Connection", "close")])
        for _ in range(200):
            self.wfile.write(b" " * 100_000)

    def answer_drip(self, query: dict[str, str]) -> None:
        """Never idle for long, and never at its end; `in=head` before the headers are complete."""
        self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n" + b"\r\n" * (query["in"] == "body"))
        for _ in range(200):
            self.wfile.write(b"X-A: b\r\n")
            self.wfile.flush()
            time.sleep(0.02)

    def send(
        self, body: bytes, *, kind: str = "application/json", status: int = 200, headers: Sequence[tuple[str, str]] = ()
    ) -> None:
        self.send_head(kind, status, [("Content-Length", str(len(body))), *headers])
        self.wfile.write(body)

    def send_head(self, kind: str, status: int, headers: Sequence[tuple[str, str]]) -> None:
        self.send_response(status)
        for name, text in [("Content-Type", kind), *headers]:
            self.send_header(name, text)
        self.end_headers()


def run_outside(context: ssl.SSLContext | None = None) -> LoopbackServer:
    """Started; each server remembers what it was asked."""
    server = LoopbackServer(type("Handler", (OutsideHandler,), {"asked": []}))
    if context is not None:
        server.socket = context.wrap_socket(server.socket, server_side=True)
    server.start()
    return server


@pytest.fixture(scope="module")
def running_outside() -> Iterator[LoopbackServer]:
    server = run_outside()
    yield server
    server.stop()


@dataclass
class PretendedNetwork:
    """names: the addresses of a host, of the first look-up, the second, and so on. All of them are one server."""

    server: LoopbackServer
    names: dict[str, list[list[str]]] = field(default_factory=dict)
    lookups: list[str] = field(default_factory=list)
    connected: list[tuple[str, int]] = field(default_factory=list)
    dead: set[str] = field(default_factory=set)

    def resolve(self, host: str, seconds: float) -> list[str]:
        self.lookups.append(host)
        answers = self.names.get(host)
        if answers is None:
            raise Upstream(f"There is no host {host}, or its name cannot be looked up.")
        return answers.pop(0) if len(answers) > 1 else answers[0]

    def connect(self, address: str, port: int, seconds: float) -> httpcore.NetworkStream:
        self.connected.append((address, port))
        if address in self.dead:
            raise httpcore.ConnectTimeout
        return httpcore.SyncBackend().connect_tcp("127.0.0.1", self.server.server_address[1], timeout=seconds)

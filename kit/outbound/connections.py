"""Connections to the addresses that were judged, each step of which ends in time."""

from __future__ import annotations

import ssl
import time
from collections.abc import Iterable

import httpcore

from kit.errors import Upstream
from kit.outbound.network import Network
from kit.outbound.rules import Rules
from kit.outbound.targets import Target

# A server that takes what is sent by the byte would otherwise stretch one step without end.
SLICE_BYTES = 16_384
MAX_TRIES = 4


class Deadline:
    """seconds: for all of it; idle_seconds: for one step."""

    def __init__(self, host: str, seconds: float, idle_seconds: float) -> None:
        self.host, self.seconds, self.idle_seconds = host, seconds, idle_seconds
        self.ends_at = time.monotonic() + seconds

    def get_seconds(self) -> float:
        """For the next step. Raises Upstream when the time is over."""
        remaining = self.ends_at - time.monotonic()
        if remaining <= 0:
            raise Upstream(f"{self.host} did not answer in full within {self.seconds:g} seconds.", retryable=True)
        return min(remaining, self.idle_seconds)


class BoundedStream(httpcore.NetworkStream):
    def __init__(self, stream: httpcore.NetworkStream, deadline: Deadline) -> None:
        self.stream, self.deadline = stream, deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self.stream.read(max_bytes, self.deadline.get_seconds())

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        for at in range(0, len(buffer), SLICE_BYTES):
            self.stream.write(buffer[at : at + SLICE_BYTES], self.deadline.get_seconds())

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        inner = self.stream.start_tls(ssl_context, server_hostname, self.deadline.get_seconds())
        return BoundedStream(inner, self.deadline)

    def get_extra_info(self, info: str) -> object:
        return self.stream.get_extra_info(info)

    def close(self) -> None:
        self.stream.close()


class GuardedConnections(httpcore.NetworkBackend):
    """For one target: its name is looked up once, and what was judged is what is connected to."""

    def __init__(self, network: Network, rules: Rules, target: Target, first: Target, deadline: Deadline) -> None:
        self.network, self.rules, self.deadline = network, rules, deadline
        self.target, self.first = target, first
        self.address = ""

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        addresses = self.network.resolve(self.target.host, self.deadline.get_seconds())
        self.address = addresses[0]
        self.rules.require_addresses(self.target, addresses, first=self.first)
        return BoundedStream(self.connect_any(addresses[:MAX_TRIES]), self.deadline)

    def connect_any(self, addresses: list[str]) -> httpcore.NetworkStream:
        """To the first that answers."""
        for address in addresses:
            self.address = address
            try:
                return self.network.connect(address, self.target.port, self.deadline.get_seconds())
            except (httpcore.ConnectError, httpcore.ConnectTimeout):
                if address == addresses[-1]:
                    raise
        raise httpcore.ConnectError

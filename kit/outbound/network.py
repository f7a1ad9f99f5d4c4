"""Names looked up and connections made: what of the network here the guard depends on."""

from __future__ import annotations

import socket
import threading
from queue import Empty, SimpleQueue
from typing import Protocol

import httpcore

from kit.errors import Busy, Denied, Upstream
from kit.outbound.addresses import Reach, judge_address
from kit.outbound.rules import CODE

# The system looks names up without a limit of time, so each look-up has a thread that may be left behind.
MAX_LOOKUPS, MAX_ADDRESSES = 16, 16
_lookups = threading.BoundedSemaphore(MAX_LOOKUPS)


class Network(Protocol):
    def resolve(self, host: str, seconds: float) -> list[str]:
        """Its IP addresses. Raises Upstream where there are none."""

    def connect(self, address: str, port: int, seconds: float) -> httpcore.NetworkStream:
        """Raises what httpcore does where nobody answers."""


class SystemNetwork:
    def resolve(self, host: str, seconds: float) -> list[str]:
        if not _lookups.acquire(timeout=seconds):
            raise Busy("Many names are being looked up. Try again in a few seconds.")
        answers: SimpleQueue[list[str] | OSError | UnicodeError] = SimpleQueue()
        threading.Thread(target=_look_up, args=(host, answers), daemon=True).start()
        try:
            addresses = answers.get(timeout=seconds)
        except Empty:
            raise Upstream(f"The name {host} could not be looked up in time.", retryable=True) from None
        if not isinstance(addresses, list) or not addresses:
            raise Upstream(f"There is no host {host}, or its name cannot be looked up.")
        return addresses

    def connect(self, address: str, port: int, seconds: float) -> httpcore.NetworkStream:
        stream = httpcore.SyncBackend().connect_tcp(address, port, timeout=seconds)
        if judge_address(address) is Reach.PUBLIC:
            require_other_machine(stream)
        return stream


def _look_up(host: str, answers: SimpleQueue[list[str] | OSError | UnicodeError]) -> None:
    try:
        entries = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
        answers.put(list(dict.fromkeys(str(entry[4][0]) for entry in entries))[:MAX_ADDRESSES])
    except (OSError, UnicodeError) as error:
        answers.put(error)
    finally:
        _lookups.release()


def require_other_machine(stream: httpcore.NetworkStream) -> None:
    """A firewall does not guard this machine against itself under its own public address. Raises Denied."""
    if stream.get_extra_info("server_addr")[0] == stream.get_extra_info("client_addr")[0]:
        stream.close()
        raise Denied("The address leads back to this server, so it is not asked.", code=CODE)

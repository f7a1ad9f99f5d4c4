"""Messages over pipes: header length and body length (4 bytes each, big endian), the JSON header, the raw body."""

import json
import os
import select
import struct
import time
from typing import Any

LENGTHS = struct.Struct(">II")
MAX_HEADER = 64 * 1024 * 1024
MAX_BODY = 256 * 1024 * 1024

Header = dict[str, Any]


class Closed(Exception):
    """The other side is gone."""


class Late(Exception):
    """The deadline passed before the whole message came."""


def send(descriptor: int, header: Header, body: bytes = b"") -> None:
    payload = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
    message = memoryview(LENGTHS.pack(len(payload), len(body)) + payload + body)
    while message:
        try:
            message = message[os.write(descriptor, message) :]
        except BrokenPipeError as error:
            raise Closed from error


def receive(descriptor: int, deadline: float | None = None) -> tuple[Header, bytes]:
    """Header and body. deadline: on the monotonic clock. Raises Closed, Late, or ValueError for nonsense."""
    header_length, body_length = LENGTHS.unpack(receive_exactly(descriptor, LENGTHS.size, deadline))
    if header_length > MAX_HEADER or body_length > MAX_BODY:
        raise ValueError("A message is longer than messages may be.")
    header = json.loads(receive_exactly(descriptor, header_length, deadline))
    if not isinstance(header, dict):
        raise ValueError("A message header is not a JSON object.")
    return header, receive_exactly(descriptor, body_length, deadline)


def receive_exactly(descriptor: int, count: int, deadline: float | None) -> bytes:
    parts = bytearray()
    while len(parts) < count:
        if deadline is not None:
            wait_until_readable(descriptor, deadline)
        part = os.read(descriptor, min(count - len(parts), 1024 * 1024))
        if not part:
            raise Closed
        parts += part
    return bytes(parts)


def wait_until_readable(descriptor: int, deadline: float) -> None:
    poller = select.poll()
    poller.register(descriptor, select.POLLIN)
    remaining = deadline - time.monotonic()
    if remaining <= 0 or not poller.poll(remaining * 1000):
        raise Late

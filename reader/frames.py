"""Messages over a socket between two processes: header length and body length (4 bytes each, big endian), the JSON
header, the raw body. An open file goes before the message that is about it.
"""

import json
import os
import select
import socket
import struct
import time
from collections.abc import Mapping
from typing import Literal, NotRequired, TypedDict

from kit.json_types import JsonObject
from reader.gaps import Gap
from reader.words import Word

LENGTHS = struct.Struct(">II")
MAX_HEADER = 64 * 1024 * 1024
MAX_BODY = 256 * 1024 * 1024

Task = Literal["inspect", "read", "read_text", "render", "pdf", "parts", "cut"]
# Empty: nothing has read the page yet, because its text has to be recognized.
Engine = Literal["", "text-layer", "rapidocr", "text-layer+rapidocr", "plain", "layout", "layout+rapidocr"]
EngineChoice = Literal["auto", "text-layer", "rapidocr"]
Rotation = Literal[0, 90, 180, 270]
ImageFormat = Literal["webp", "jpeg", "png"]


class Request(TypedDict):
    """Every request says this of the file. `as_lines`: it is plain text, whatever it looks like.

    `encoding`: of its text, as a person has chosen it; empty to find it.
    """

    do: Task
    password: str | None
    max_pages: int
    max_bytes: int
    max_pixels: int
    encoding: NotRequired[str]
    as_lines: NotRequired[bool]


class ReadRequest(Request):
    pages: list[int]
    engine: EngineChoice


class TextRequest(ReadRequest):
    """`milliseconds`: of computing, after which no further page is begun."""

    milliseconds: int


class RenderRequest(Request):
    page: int
    width: int
    rotation: Rotation
    format: ImageFormat


class PartsRequest(Request):
    """first: how many were answered before."""

    first: int


class CutRequest(Request):
    """The pages that become a PDF of their own, both counted from 1 and in it."""

    first: int
    last: int


class Greeting(TypedDict):
    """The first message of a process: sentences about what protection it lacks."""

    missing: list[str]


class InspectReply(TypedDict):
    """`has_parts`: other files are in it."""

    kind: str
    sizes: list[tuple[float, float]]
    gaps: list[Gap]
    has_parts: bool


class PageReply(TypedDict):
    number: int
    width: float
    height: float
    rotation: Rotation
    engine: Engine
    confidence: int
    illegible: int
    fault: str
    gaps: list[Gap]
    words: list[Word]


class ReadReply(TypedDict):
    pages: list[PageReply]


class RenderReply(TypedDict):
    width: int
    height: int


class PdfReply(TypedDict):
    pages: int


class PartReply(TypedDict):
    """A file inside the file; `reason`: why it is not handed over. Else the body has its bytes, after those before."""

    name: str
    size: int
    reason: str


class PartsReply(TypedDict):
    """`is_last`: none comes after these."""

    parts: list[PartReply]
    is_last: bool


class FailureReply(TypedDict):
    """Instead of any other; `code` is what a program can do about it."""

    error: str
    kind: Literal["invalid", "too_large"]
    suspect: bool
    code: NotRequired[str]


class Closed(Exception):
    """The other side is gone."""


class Late(Exception):
    """The deadline passed before the whole message came."""


def send(channel: socket.socket, header: Mapping[str, object], body: bytes = b"") -> None:
    payload = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
    message = memoryview(LENGTHS.pack(len(payload), len(body)) + payload + body)
    while message:
        try:
            # Not `channel.send`: that is a call of the network, which a reader may not make.
            message = message[os.write(channel.fileno(), message) :]
        except (BrokenPipeError, ConnectionResetError) as error:
            raise Closed from error


def send_file(channel: socket.socket, file: int) -> None:
    try:
        socket.send_fds(channel, [b"f"], [file])
    except (BrokenPipeError, ConnectionResetError) as error:
        raise Closed from error


def receive_file(channel: socket.socket) -> int:
    """The descriptor of the file; the caller closes it. Raises Closed, or ValueError for nonsense."""
    mark, files, _, _ = socket.recv_fds(channel, 1, 1)
    if not mark:
        raise Closed
    if len(files) != 1:
        raise ValueError("A request came without its file.")
    return files[0]


def receive(channel: socket.socket, deadline: float | None = None) -> tuple[JsonObject, bytes]:
    """Header and body. deadline: on the monotonic clock. Raises Closed, Late, or ValueError for nonsense."""
    header_length, body_length = LENGTHS.unpack(receive_exactly(channel, LENGTHS.size, deadline))
    if header_length > MAX_HEADER or body_length > MAX_BODY:
        raise ValueError("A message is longer than messages may be.")
    header = json.loads(receive_exactly(channel, header_length, deadline))
    if not isinstance(header, dict):
        raise ValueError("A message header is not a JSON object.")
    return header, receive_exactly(channel, body_length, deadline)


def receive_exactly(channel: socket.socket, count: int, deadline: float | None) -> bytes:
    parts = bytearray()
    while len(parts) < count:
        if deadline is not None:
            wait_until_readable(channel.fileno(), deadline)
        try:
            part = os.read(channel.fileno(), min(count - len(parts), 1024 * 1024))
        except ConnectionResetError as error:
            raise Closed from error
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

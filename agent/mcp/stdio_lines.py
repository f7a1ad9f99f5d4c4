"""The lines that a client of MCP over stdio sends, each within the bounds of the door over HTTP."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from typing import BinaryIO, Protocol

import anyio
import mcp_types as types
from mcp.shared.message import SessionMessage

from agent.mcp.bounds import LARGE, check_message, read_id
from kit.errors import AppError


class Answers(Protocol):
    async def send(self, item: SessionMessage, /) -> None: ...


def claim_stdin() -> BinaryIO:
    """The client's own pipe. Programs that are started later get an empty one, and read nothing of what it sends."""
    pipe = os.fdopen(os.dup(0), "rb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    return pipe


class BoundedLines:
    """Stands for the stdin of the SDK, which asks only for lines. `answers` hears why one was refused."""

    def __init__(self, pipe: BinaryIO) -> None:
        self.pipe = pipe
        self.answers: Answers | None = None

    async def __aiter__(self) -> AsyncIterator[str]:
        while line := await anyio.to_thread.run_sync(self._read_line, abandon_on_cancel=True):
            try:
                await anyio.to_thread.run_sync(check_message, line)
            except AppError as error:
                await self._refuse(line, error)
            else:
                yield line.decode()

    def _read_line(self) -> bytes:
        """Of one that is longer than any may be, the rest is thrown away."""
        line = rest = self.pipe.readline(LARGE.max_bytes + 1)
        while rest and not rest.endswith(b"\n"):
            rest = self.pipe.readline(LARGE.max_bytes)
        return line

    async def _refuse(self, line: bytes, error: AppError) -> None:
        data = types.ErrorData(code=types.INVALID_REQUEST, message=error.sentence)
        if self.answers:
            await self.answers.send(SessionMessage(types.JSONRPCError(jsonrpc="2.0", id=read_id(line), error=data)))

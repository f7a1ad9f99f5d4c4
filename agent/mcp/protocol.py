"""The server of the SDK, once for the process, and a session manager for each request."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache

from mcp.server.lowlevel.server import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

from agent.mcp.bounds import check_message
from agent.mcp.requests import CALLER, IS_LARGE, Caller
from agent.mcp.server import build_server
from kit.http.bodies import Body

__all__ = ["CALLER", "IS_LARGE", "Caller", "check_message", "open_manager"]


@asynccontextmanager
async def open_manager() -> AsyncIterator[StreamableHTTPSessionManager]:
    """Without sessions: whoever takes the next request knows as much of the client as this process does."""
    manager = StreamableHTTPSessionManager(_server(), stateless=True, max_request_body_size=Body.TEXT.max_bytes)
    async with manager.run():
        yield manager


@cache
def _server() -> Server[dict[str, object]]:
    return build_server()

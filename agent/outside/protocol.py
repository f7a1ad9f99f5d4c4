"""A conversation with an MCP server of others, by the official SDK. Loaded when it is needed, since that is large.

It runs in a thread with a loop of its own and touches no rows.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import anyio
import httpx2
from mcp import StdioServerParameters
from mcp.client._probe import negotiate_auto
from mcp.client._transport import TransportStreams
from mcp.client.session import ClientSession
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    PARSE_ERROR,
    CallToolResult,
    Implementation,
    PaginatedRequestParams,
    TextContent,
)
from pydantic import ValidationError

from agent.outside.failures import NOT_MCP, explain_answer
from agent.outside.tool_texts import MAX_NAME, ListedTool
from docrouter.version import VERSION
from kit.errors import AppError, Conflict, Upstream
from kit.outbound.fetching import Fetcher, Request

log = logging.getLogger(__name__)
# It logs whole addresses, which may hold a secret.
logging.getLogger("httpx2").setLevel(logging.WARNING)
MAX_TOOLS, MAX_LISTS = 100, 20
CHANGED = "The server describes this tool otherwise than when an admin looked at it, so it was not called."
ENDS = 405


@dataclass(frozen=True)
class Question:
    """A tool to call, if it is still described as when its digest was taken."""

    name: str
    digest: str
    arguments: dict[str, object]


@dataclass(frozen=True)
class ToolAnswer:
    text: str
    structured: object
    is_error: bool
    left_out: tuple[str, ...]


@dataclass
class Conversation:
    """`listed` is what came, also of a conversation that failed later; `was_sent` that a tool's call went out.

    `answered` is the status and the content type of the last answer.
    """

    host: str
    seconds: float
    url: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    fetcher: Fetcher | None = None
    command: tuple[str, ...] = ()
    question: Question | None = None
    listed: list[ListedTool] | None = None
    was_sent: bool = False
    failure: AppError | None = None
    answered: tuple[int, str] = (0, "")
    cancel: Callable[[], object] = lambda: None

    def run(self) -> ToolAnswer | None:
        """Raises an AppError with a sentence, whatever the server does."""
        try:
            return asyncio.run(self._converse())
        except AppError:
            raise
        except TimeoutError:
            raise Upstream(f"{self.host} did not answer in full within {self.seconds:g} seconds.") from None
        except asyncio.CancelledError:
            raise Upstream("The conversation was broken off.") from None
        except (
            MCPError,
            ValidationError,
            httpx2.HTTPError,
            OSError,
            RuntimeError,
            ValueError,
            BaseExceptionGroup,
        ) as e:
            raise self.failure or self._explain(e) from None

    def _explain(self, error: BaseException) -> AppError:
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        if isinstance(error, AppError):
            return error
        if explained := explain_answer(self.host, *self.answered, self.headers):
            return explained
        if isinstance(error, MCPError):
            # The server says itself that it did not begin.
            self.was_sent = self.was_sent and error.error.code not in (INVALID_PARAMS, METHOD_NOT_FOUND)
            if self.listed is not None or error.error.code not in (PARSE_ERROR, INVALID_REQUEST):
                return Upstream(f"{self.host} answered with the error {error.error.code}.")
        log.info("%s: %s", self.host, type(error).__name__)
        return Upstream(NOT_MCP.format(host=self.host))

    async def _converse(self) -> ToolAnswer | None:
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        assert task is not None  # noqa: S101 - asyncio.run made it
        self.cancel = lambda: loop.call_soon_threadsafe(task.cancel)
        async with asyncio.timeout(self.seconds), self._open_streams() as (read, write):
            client = Implementation(name="DocRouter", version=VERSION)
            async with _Session(read, write, client_info=client) as session:
                await negotiate_auto(session)
                self.listed = await _list_tools(session)
                return await self._ask(session) if self.question else None

    async def _ask(self, session: ClientSession) -> ToolAnswer:
        question = self.question
        assert question is not None and self.listed is not None  # noqa: S101 - the caller looked
        if not any(each.name == question.name and each.digest == question.digest for each in self.listed):
            raise Conflict(CHANGED)
        # What is in doubt once it has gone out is in doubt from here on.
        self.was_sent = True
        return _read_answer(await session.call_tool(question.name, question.arguments))

    @asynccontextmanager
    async def _open_streams(self) -> AsyncIterator[TransportStreams]:
        if self.fetcher is None:
            own = StdioServerParameters(command=self.command[0], args=list(self.command[1:]))
            async with stdio_client(own) as streams:
                yield streams
            return
        async with (
            httpx2.AsyncClient(transport=_Guard(self, self.fetcher), headers=self.headers) as client,
            streamable_http_client(self.url, http_client=client) as streams,
        ):
            yield streams


class _Session(ClientSession):
    async def validate_tool_result(self, name: str, result: CallToolResult) -> None:
        """The server's own schema of its answer says nothing to us, and to check a hostile one may never end."""


class _Guard(httpx2.AsyncBaseTransport):
    """Each request goes through the guard to the outside; a stream that never ends is not opened. A tool is called
    once, whatever the SDK thinks of the answer.
    """

    def __init__(self, conversation: Conversation, fetcher: Fetcher) -> None:
        self.conversation, self.fetcher, self.calls = conversation, fetcher, 0

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        if request.method not in ("POST", "DELETE"):
            return httpx2.Response(ENDS, request=request)
        body = await request.aread()
        if _is_call(body):
            self.calls += 1
            if self.calls > 1:
                return httpx2.Response(ENDS, request=request)
        asked = Request(str(request.url), request.method, dict(request.headers), body)
        try:
            answer = await anyio.to_thread.run_sync(self.fetcher.fetch, asked, abandon_on_cancel=True)
        except AppError as error:
            self.conversation.failure = self.conversation.failure or error
            raise httpx2.ConnectError(error.sentence) from error
        if request.method == "POST":
            self.conversation.answered = answer.status, answer.headers.get("content-type", "")
        kept = {name: text for name, text in answer.headers.items() if name in ("content-type", "mcp-session-id")}
        return httpx2.Response(answer.status, headers=kept, content=answer.content, request=request)


def _is_call(body: bytes) -> bool:
    try:
        return bool(json.loads(body).get("method") == "tools/call")
    except (ValueError, AttributeError):
        return False


async def _list_tools(session: ClientSession) -> list[ListedTool]:
    """The first MAX_TOOLS, over at most MAX_LISTS answers."""
    listed: list[ListedTool] = []
    cursor: str | None = None
    for _ in range(MAX_LISTS):
        page = await session.list_tools(params=PaginatedRequestParams(cursor=cursor))
        listed += [ListedTool(tool.name, tool.description or "", tool.input_schema) for tool in page.tools]
        cursor = page.next_cursor
        if cursor is None or len(listed) > MAX_TOOLS:
            break
    names = {each.name: each for each in reversed(listed) if each.name and len(each.name) <= MAX_NAME}
    return [each for each in listed if names.get(each.name) is each][:MAX_TOOLS]


def _read_answer(result: CallToolResult) -> ToolAnswer:
    texts = [each.text for each in result.content if isinstance(each, TextContent)]
    others = tuple(each.type for each in result.content if not isinstance(each, TextContent))
    return ToolAnswer("\n".join(texts), result.structured_content, bool(result.is_error), others)

"""litellm's way to servers: no redirects, bounded answers, and no requests that nobody asked for.

Import it lazily: it imports litellm.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from typing import Any

import httpx
import litellm
from litellm.llms.custom_httpx import aiohttp_transport
from litellm.llms.custom_httpx.aiohttp_transport import LiteLLMAiohttpTransport
from litellm.llms.custom_httpx.http_handler import HTTPHandler

from llm.client.dialects.streams import repair_stream
from llm.client.failures import REDIRECTED

# Ten times what the longest answers take as server-sent events. What the words may cost is bounded by their tokens.
MAX_ANSWER_BYTES = 64 * 1024 * 1024
SIDE_REQUEST_SECONDS = 10.0
_STREAM = re.compile(rb'"stream"\s*:\s*true')


class BoundedStream(httpx.AsyncByteStream):
    """An answer up to `MAX_ANSWER_BYTES`; a longer one breaks off."""

    def __init__(self, stream: httpx.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for part in self._stream:
            size += len(part)
            if size > MAX_ANSWER_BYTES:
                raise httpx.ReadError("The answer is longer than is taken.")
            yield part

    async def aclose(self) -> None:
        await self._stream.aclose()


class RepairedStream(httpx.AsyncByteStream):
    """A streamed answer of a server that speaks OpenAI's API, with the oddities of such servers put right."""

    def __init__(self, stream: httpx.AsyncByteStream) -> None:
        self._stream = stream

    def __aiter__(self) -> AsyncIterator[bytes]:
        return repair_stream(aiter(self._stream))

    async def aclose(self) -> None:
        await self._stream.aclose()


class BoundedTransport(LiteLLMAiohttpTransport):  # type: ignore[misc]  # litellm's types are not checked
    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """A redirect is a refusal: where it leads was judged by nobody, and it takes the request along.

        Answers come as they are, not compressed, so that what they grow to is what is counted.
        """
        request.headers["Accept-Encoding"] = "identity"
        response: httpx.Response = await super().handle_async_request(request)
        stream = response.stream
        if response.is_redirect:
            await response.aclose()
            # litellm hands on the words of a refusal, whoever the provider; of other answers not always.
            return httpx.Response(400, json={"error": {"message": REDIRECTED}})
        assert isinstance(stream, httpx.AsyncByteStream)  # noqa: S101 - an async transport has no other
        response.stream = BoundedStream(stream)
        if response.is_success and _asks_for_stream(request):
            response.stream = RepairedStream(response.stream)
        return response


def _asks_for_stream(request: httpx.Request) -> bool:
    return request.url.path.endswith("/chat/completions") and _STREAM.search(request.content) is not None


class SideRequests(httpx.HTTPTransport):
    """Requests of litellm beside a call, in a thread that it shares with all calls: an own server's list of abilities.

    Ollama is asked so before each call of a model that litellm does not list, and one that says nothing would hold
    the thread for 100 minutes. litellm goes on without an answer.
    """

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("/api/show"):
            raise httpx.ConnectError("Abilities are not asked for.", request=request)
        return super().handle_request(request)


def install() -> None:
    """Makes every call of this litellm go through here; doing it again changes nothing."""
    module: Any = litellm
    # Both names are looked up when a client is made.
    aiohttp_transport.LiteLLMAiohttpTransport = BoundedTransport
    module.module_level_client = HTTPHandler(
        client=httpx.Client(transport=SideRequests(), timeout=SIDE_REQUEST_SECONDS)
    )

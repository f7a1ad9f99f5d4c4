"""MCP over HTTP, beside Django's own application: `/mcp` and `/mcp/`, a POST a request.

Each request has a session manager of its own, entered on the server's loop: nothing outlives the answer, so there is
nothing to begin with the server and nothing to end with it. The SDK is imported with the first request, since it takes
half a second and 55 MB.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import logging
from collections.abc import Mapping
from functools import cache
from io import BytesIO
from types import ModuleType

from asgiref.sync import sync_to_async
from django.core.exceptions import DisallowedHost
from django.core.handlers.asgi import ASGIRequest
from django.db import DatabaseError

from accounts.api.authentication import MCP_PATHS, read_secret
from accounts.api.wire import errors
from agent.mcp import callers
from kit.errors import AppError, Denied
from kit.http import request_ids, request_thread
from kit.http.asgi import Application, Message, Receive, Scope, Send
from kit.http.bodies import Body
from kit.http.failures import explain_failure
from kit.http.origins import socket_origins

log = logging.getLogger(__name__)
FOREIGN_PAGE = "Pages of other origins do not reach this address."
FOREIGN_HOST = "This address is not served here."
# One body is looked at at a time: threads that compute share the interpreter with the loop that serves everybody.
_checks = asyncio.Semaphore(1)


def with_mcp(application: Application) -> Application:
    """The application, with MCP at its two paths."""

    async def handle(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] in MCP_PATHS:
            await _serve(scope, receive, send)
        else:
            await application(scope, receive, send)

    return handle


async def _serve(scope: Scope, receive: Receive, send: Send) -> None:
    request = ASGIRequest({**scope, "method": scope["method"]}, BytesIO())
    request_ids.set_id(request_ids.choose_id(request.headers.get(request_ids.HEADER, "")))
    answer = _with_request_id(send)
    if scope["method"] != "POST":
        return await _refuse(answer, 405, "MCP takes POST here.", {"Allow": "POST"})
    try:
        _check_origin(request)
        await sync_to_async(callers.count)(request)
        scope[_protocol().CALLER] = await sync_to_async(_identify)(request)
        receive, scope[_protocol().IS_LARGE] = await _receive_checked(receive)
    except (AppError, DatabaseError) as error:
        if (failure := error if isinstance(error, AppError) else explain_failure(error)) is None:
            raise
        return await _refuse(answer, failure.status, failure.sentence, _headers_of(failure, request))
    try:
        async with _protocol().open_manager() as manager:
            await manager.handle_request(scope, receive, answer)
    finally:
        await request_thread.release_resources()
    return None


async def _receive_checked(receive: Receive) -> tuple[Receive, bool]:
    """What gives the SDK the body that was looked at, and then whatever comes; and whether it is a large one.

    Raises TooLarge or Invalid.
    """
    body, is_whole = bytearray(), False
    while not is_whole:
        message = await receive()
        is_whole = not message.get("more_body")
        body += message.get("body", b"")
        if len(body) > Body.TEXT.max_bytes:
            break
    async with _checks:
        is_large = await sync_to_async(_protocol().check_message)(bytes(body))
    left: list[Message] = [{"type": "http.request", "body": bytes(body), "more_body": False}]

    async def receive_checked() -> Message:
        return left.pop() if left else await receive()

    return receive_checked, is_large


def _check_origin(request: ASGIRequest) -> None:
    """Against pages that make a browser send requests here under another name of this address."""
    try:
        request.get_host()
    except DisallowedHost:
        raise Denied(FOREIGN_HOST) from None
    origin = request.headers.get("Origin", "")
    if origin and origin not in socket_origins():
        raise Denied(FOREIGN_PAGE)


def _identify(request: ASGIRequest) -> object:
    agent = request.headers.get("User-Agent", "").partition("/")[0]
    return _protocol().Caller(callers.identify(request), agent, request.GET.get("tools") == "all")


@cache
def _protocol() -> ModuleType:
    return importlib.import_module("agent.mcp.protocol")


def _headers_of(error: AppError, request: ASGIRequest) -> dict[str, str]:
    headers = errors.headers(error)
    if error.status != 401:
        return headers
    return headers | {"WWW-Authenticate": callers.challenge(has_credentials=bool(read_secret(request)))}


def _with_request_id(send: Send) -> Send:
    async def send_with_id(message: Message) -> None:
        if message["type"] == "http.response.start":
            more = [(request_ids.HEADER.lower().encode(), request_ids.current_id().encode())]
            message = {**message, "headers": [*message.get("headers", []), *more]}
        await send(message)

    return send_with_id


async def _refuse(send: Send, status: int, sentence: str, headers: Mapping[str, str]) -> None:
    """As JSON-RPC without an id, which is not known yet; the status says it to those who do not look inside."""
    body = json.dumps({"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": sentence}}).encode()
    fields = {"Content-Type": "application/json", "Cache-Control": "no-store", **headers}
    lines = [(name.lower().encode(), value.encode()) for name, value in fields.items()]
    await send({"type": "http.response.start", "status": status, "headers": lines})
    await send({"type": "http.response.body", "body": body})

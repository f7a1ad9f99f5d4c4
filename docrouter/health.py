"""`/health`: the process lives. `/ready`: what it needs answers.

Both are answered before Django sees them: for any Host, since probes name the address of a container, and without
waiting for a thread or a database connection behind other requests.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from io import BytesIO

from django.core.handlers.asgi import ASGIRequest
from django.db import Error as DatabaseError
from django.db import connections

from accounts.api.authentication import read_secret
from accounts.services import tokens
from kit.errors import AppError
from kit.http import request_ids
from kit.http.asgi import Application, Receive, Scope, Send
from kit.http.caching import NO_STORE
from kit.http.client_address import parse_address
from worker.services.readiness import PartsCheck, State

HEALTH, READY = "/health", "/ready"
# While a look is under way, the last answer is given after so long; an older one says nothing any more.
FRESH_SECONDS, PATIENCE_SECONDS, KEPT_SECONDS = 1.0, 0.7, 30.0
UNCHECKED = "The last check began {seconds:.0f} seconds ago and has not ended."
FORWARDED = ("X-Forwarded-For", "Forwarded", "X-Real-Ip")


class Readiness:
    """One look at a time, in a thread of its own, serves all who ask."""

    def __init__(
        self,
        look: Callable[[], State] | None = None,
        clock: Callable[[], float] = time.monotonic,
        *,
        patience_seconds: float = PATIENCE_SECONDS,
    ) -> None:
        self._look, self._clock, self._patience_seconds = look or PartsCheck(clock).look, clock, patience_seconds
        self._threads = ThreadPoolExecutor(1, thread_name_prefix="ready")
        self._under_way: Future[State] | None = None
        self._begun_at = self._clock()
        self._last: State | None = None

    async def find(self) -> State:
        if self._last is None or self._clock() - self._last.checked_at >= FRESH_SECONDS:
            await self._look_again()
        if self._last is None or self._clock() - self._last.checked_at >= KEPT_SECONDS:
            sentence = UNCHECKED.format(seconds=self._clock() - self._begun_at)
            return State({"check": sentence}, self._clock())
        return self._last

    async def _look_again(self) -> None:
        if self._under_way is None:
            self._begun_at = self._clock()
            self._under_way = self._threads.submit(self._look_once)
        await asyncio.wait([asyncio.wrap_future(self._under_way)], timeout=self._patience_seconds)
        if self._under_way and self._under_way.done():
            ended, self._under_way = self._under_way, None
            self._last = ended.result()

    def _look_once(self) -> State:
        """A connection that stays open would hold a lock on SQLite's file, and with it the files of closed ones."""
        try:
            return self._look()
        finally:
            connections.close_all()


def with_probes(application: Application, readiness: Readiness | None = None) -> Application:
    """The application, with `/health` and `/ready` before it."""
    readiness = readiness or Readiness()
    askers = ThreadPoolExecutor(1, thread_name_prefix="asker")

    async def handle(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] not in (HEALTH, READY):
            return await application(scope, receive, send)
        request = ASGIRequest(scope, BytesIO())
        if request.method not in ("GET", "HEAD"):
            return await _answer(send, request, 405, {"detail": "Method Not Allowed"})
        if scope["path"] == HEALTH:
            return await _answer(send, request, 200, {"status": "ok"})
        state = await readiness.find()
        body: dict[str, object] = {"status": "ok" if state.is_ready else "unavailable"}
        if _is_local(request) or await _is_admin(request, askers):
            body["parts"] = {name: sentence or "ok" for name, sentence in state.parts.items()}
        return await _answer(send, request, 200 if state.is_ready else 503, body)

    return handle


async def _answer(send: Send, request: ASGIRequest, status: int, body: dict[str, object]) -> None:
    content = json.dumps(body).encode()
    fields = {
        "Content-Type": "application/json",
        "Content-Length": str(len(content)),
        "Cache-Control": NO_STORE,
        "X-Content-Type-Options": "nosniff",
        request_ids.HEADER: request_ids.choose_id(request.headers.get(request_ids.HEADER, "")),
        **({"Allow": "GET, HEAD"} if status == 405 else {}),
    }
    headers = [(name.lower().encode(), value.encode()) for name, value in fields.items()]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": b"" if request.method == "HEAD" else content})


def _is_local(request: ASGIRequest) -> bool:
    """From this machine and not by a proxy on it, which says for whom it asks."""
    address = parse_address(str(request.META.get("REMOTE_ADDR", "")))
    return address is not None and address.is_loopback and not any(name in request.headers for name in FORWARDED)


async def _is_admin(request: ASGIRequest, askers: ThreadPoolExecutor) -> bool:
    """By an unlimited account's token of a system admin. Where the database does not say so in time, it is nobody's."""
    secret = read_secret(request)
    if secret is None:
        return False
    asked = asyncio.wrap_future(askers.submit(_belongs_to_admin, secret))
    done, _ = await asyncio.wait([asked], timeout=PATIENCE_SECONDS)
    return bool(done) and asked.result()


def _belongs_to_admin(secret: str) -> bool:
    try:
        token = tokens.find(secret)
        return token.organization_id is None and token.user.is_superuser and not token.is_limited
    except (AppError, DatabaseError):
        return False
    finally:
        connections.close_all()

"""Requests as daphne takes them, with bounds on the body.

Daphne starts the application when a body is whole, and twisted keeps it in a file until then: what must not be taken
has to be refused here, when the headers are known and while the rest comes in.
"""

from __future__ import annotations

import asyncio
import http.client
import logging
import time
from collections.abc import Iterator, Mapping
from functools import partial

import daphne.server  # before anything of twisted: it chooses the reactor
from daphne.http_protocol import HTTPFactory, WebRequest
from django.db import connections
from twisted.internet.threads import deferToThread
from twisted.python.failure import Failure
from twisted.web.http_headers import Headers

from accounts.api.wire import errors
from kit.errors import AppError, Busy
from kit.http import request_ids
from kit.http.bodies import Body
from kit.http.file_answers import ROOM
from worker.web.long_lines import refuse_long_line
from worker.web.refusals import make_refusal
from worker.web.routes import Head, Route, check_sender, head_of, route_of

log = logging.getLogger(__name__)
HEAD_SECONDS = 60.0
MIN_BYTES_A_SECOND = 16 * 1024
# A connection that is closed while the other side still sends is reset, and the answer is lost with it (RFC 9112, 9.6).
LINGER_SECONDS = 5.0
MAX_DRAINED = 1024 * 1024
STALLED_SECONDS = 300.0
TOO_SLOW = "The request did not arrive in time. Send it again."
UNCHECKED = "Who sends this could not be checked. Try again in a moment."


class BoundedRequest(WebRequest):  # type: ignore[misc]  # daphne has no types
    """Refuses a body by its length, by what has come, by who sends it, and by the time it takes."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        self.taken = self.drained = 0
        self.maximum = Body.FORM.max_bytes
        self.deadline = time.monotonic() + HEAD_SECONDS
        self.is_whole = self.is_refused = self.is_admitted = False
        self._response_started = False
        self.room = asyncio.Event()
        self.room.set()
        self.waiting: tuple[bytes, bytes, bytes] | None = None
        kwargs["parsePOSTFormSubmission"] = False  # Django does, twisted would hold it in memory besides
        super().__init__(*args, **kwargs)

    def gotLength(self, length: int | None) -> None:
        """The headers are known, and nothing of the body is read."""
        super().gotLength(length)
        channel = self.channel
        self.method, self.uri, self.clientproto = channel._command, channel._path, channel._version
        sent = self.requestHeaders.getRawHeaders(request_ids.HEADER.encode(), [b""])[0]
        self.request_id = request_ids.choose_id(sent.decode("latin-1"))
        # The application keeps a well-formed one, so both log and answer under the same.
        self.requestHeaders.setRawHeaders(request_ids.HEADER, [self.request_id])
        self.head = head_of(self.method, self.uri, list(_pairs(self.requestHeaders)), _host(channel.getPeer()))
        self.route = route_of(self.head)
        is_small = length is not None and length <= Body.FORM.max_bytes
        if is_small or self.route.body is Body.FORM:
            self.admit(length)
        else:
            self.ask(length)

    def admit(self, length: int | None) -> None:
        self.is_admitted = True
        self.maximum = self.route.body.max_bytes
        self.deadline = time.monotonic() + HEAD_SECONDS
        if length is not None and length > self.maximum:
            self.refuse(413, self.route.too_large)

    def ask(self, length: int | None) -> None:
        """Ask the database for the sender, so in a thread, while the sender waits."""
        expects = self.requestHeaders.hasHeader(b"Expect")
        self.requestHeaders.removeHeader(b"Expect")  # else twisted tells the sender to go on
        transport = self.channel.transport
        transport.pauseProducing()

        def go_on(_: object) -> None:
            if self._disconnected or self.is_refused:
                return
            self.admit(length)
            if expects and not self.is_refused:
                self.channel.write(b"HTTP/1.1 100 Continue\r\n\r\n")
            transport.resumeProducing()
            if self.waiting:
                self.requestReceived(*self.waiting)

        def turn_away(failure: Failure) -> None:
            error = failure.value
            if not isinstance(error, AppError):
                with request_ids.bind_id(self.request_id):
                    log.error("the sender of a large body could not be checked", exc_info=error)
                error = Busy(UNCHECKED)
            if self._disconnected or self.is_refused:
                return
            self.refuse(error.status, error.sentence, errors.headers(error))
            transport.resumeProducing()

        deferToThread(_check, self.head, self.route, self.request_id).addCallbacks(go_on, turn_away)

    def handleContentChunk(self, data: bytes) -> None:
        self.taken += len(data)
        if self.is_refused:
            self.drain(len(data))
            return
        # By what has come, not by what was announced, and never far ahead: who stops sending is given up all the same.
        longest = time.monotonic() + HEAD_SECONDS
        self.deadline = min(self.deadline + len(data) / MIN_BYTES_A_SECOND, longest)
        if self.is_admitted and self.taken > self.maximum:
            self.refuse(413, self.route.too_large)
        else:
            super().handleContentChunk(data)

    def drain(self, size: int) -> None:
        """Throws away so much and no more: the rest stays with its sender, who has the answer."""
        self.drained += size
        if self.drained > MAX_DRAINED:
            self.channel.transport.pauseProducing()

    def requestReceived(self, command: bytes, path: bytes, version: bytes) -> None:
        """The body is whole. Without an answer about its sender yet, it waits for that."""
        self.is_whole = True
        if self.is_refused:
            self.finish()
        elif not self.is_admitted:
            self.waiting = (command, path, version)
        else:
            if self.requestHeaders.hasHeader(b"Transfer-Encoding"):
                # Django reads no form whose length it is not told, and chunks tell none.
                self.requestHeaders.removeHeader(b"Transfer-Encoding")
                self.requestHeaders.setRawHeaders(b"Content-Length", [str(self.taken).encode()])
            super().requestReceived(command, path, version)

    def refuse(self, status: int, sentence: str, headers: Mapping[str, str] | None = None) -> None:
        """Answers at once; what still comes is thrown away, MAX_DRAINED and LINGER_SECONDS at most."""
        self.is_refused = True
        self.deadline = time.monotonic() + LINGER_SECONDS
        self.requestHeaders.removeHeader(b"Expect")
        self.channel.persistent = False
        self.answer(status, sentence, headers)
        self.channel.transport.loseWriteConnection()

    def answer(self, status: int, sentence: str, headers: Mapping[str, str] | None = None) -> None:
        response = make_refusal(self.head, self.request_id, status, sentence)
        self.setResponseCode(status)
        for name, value in {**response.headers, **(headers or {})}.items():
            self.responseHeaders.setRawHeaders(name, [value])
        self.write(response.content)

    def setResponseCode(self, code: int, message: bytes | None = None) -> None:
        """Twisted calls codes that it has no words for, such as 422, an unknown status, and clients show that."""
        super().setResponseCode(code, message or http.client.responses.get(code, "").encode() or None)

    def basic_error(self, status: int, status_text: bytes, body: str) -> None:
        """Give refusals of daphne and failures of the application the form of our other answers."""
        if self._disconnected or self.finished:
            return
        if self._response_started:
            # Ended in the usual way, half an answer would pass for a whole one.
            self.channel.transport.abortConnection()
            return
        self._response_started = True
        self.channel.persistent = False
        self.answer(status, status_text.decode() if status >= 500 else f"{body}.")
        self.finish()

    def check_timeouts(self) -> None:
        """Daphne calls it every 2 seconds."""
        if not self.room.is_set() and time.monotonic() > self.deadline:
            self.channel.transport.abortConnection()
        elif self.is_whole or self._disconnected or time.monotonic() < self.deadline:
            super().check_timeouts()
        elif self.is_refused or not hasattr(self, "head"):
            self.channel.transport.abortConnection()
        else:
            self.refuse(408, TOO_SLOW)

    def pauseProducing(self) -> None:
        """The transport calls it when so much is sent and not taken that no more should come."""
        self.room.clear()
        self.deadline = time.monotonic() + STALLED_SECONDS

    def resumeProducing(self) -> None:
        self.room.set()

    stopProducing = resumeProducing

    async def wait_for_room(self) -> None:
        """For an answer that is sent piece by piece."""
        if self.producer is None and not self._disconnected and not self.finished:
            self.registerProducer(self, True)
        await self.room.wait()

    def finish(self) -> None:
        if self.producer is not None:
            self.unregisterProducer()
        super().finish()

    def connectionLost(self, reason: object) -> None:
        self.room.set()
        super().connectionLost(reason)


class BoundedFactory(HTTPFactory):  # type: ignore[misc]  # daphne has no types
    def buildProtocol(self, address: object) -> object:
        protocol = super().buildProtocol(address)
        protocol.requestFactory = BoundedRequest
        channel = protocol._channel  # the one of HTTP/1.1, which the protocol stands before
        channel.lineLengthExceeded = partial(refuse_long_line, channel)
        return protocol


class BoundedServer(daphne.server.Server):  # type: ignore[misc]  # daphne has no types
    def run(self) -> None:
        # The server makes its factory by this name, and has no other place to say which.
        daphne.server.HTTPFactory = BoundedFactory
        super().run()

    def create_application(self, protocol: object, scope: dict[str, object]) -> object:
        if isinstance(protocol, BoundedRequest):
            scope[ROOM] = protocol.wait_for_room
        return super().create_application(protocol, scope)


def _pairs(headers: Headers) -> Iterator[tuple[bytes, bytes]]:
    return ((name, value) for name, values in headers.getAllRawHeaders() for value in values)


def _host(peer: object) -> str:
    """Name the peer's host; a socket that is a file has none."""
    return str(getattr(peer, "host", ""))


def _check(head: Head, route: Route, request_id: str) -> None:
    try:
        with request_ids.bind_id(request_id):
            check_sender(head, route)
    finally:
        connections.close_all()

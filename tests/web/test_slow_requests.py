"""When a slow request is given up. The deadlines are moved, not waited for."""

from __future__ import annotations

import time
from typing import Any

import pytest
from daphne.server import Server
from twisted.internet.testing import StringTransport

from kit.ids import is_id
from tests.web_process import head
from worker.web.requests import HEAD_SECONDS, STALLED_SECONDS, BoundedFactory, BoundedRequest


class Transport(StringTransport):
    is_half_closed = False

    def loseWriteConnection(self) -> None:
        self.is_half_closed = True


@pytest.fixture
def transport() -> Transport:
    return Transport()


@pytest.fixture
def channel(transport: Transport) -> Any:
    server = Server(application=None, endpoints=["none"])
    server.connections = {}
    protocol = BoundedFactory(server).buildProtocol(None)
    protocol.timeOut = None
    protocol.makeConnection(transport)
    return protocol


def only_request(channel: Any) -> BoundedRequest:
    (request,) = channel.factory.server.connections
    return request  # type: ignore[no-any-return]


def test_a_body_that_comes_too_slowly_is_given_up(channel: Any, transport: Transport) -> None:
    channel.dataReceived(head("POST", "/nothing", Content_Length="1000") + b"x")
    request = only_request(channel)
    request.check_timeouts()
    assert transport.value() == b""
    request.deadline = 0
    request.check_timeouts()
    assert transport.value().startswith(b"HTTP/1.1 408 ")
    assert b"did not arrive in time" in transport.value()
    assert transport.is_half_closed and not transport.disconnected
    request.deadline = 0
    request.check_timeouts()
    assert transport.disconnected


def test_a_head_that_does_not_end_is_given_up(channel: Any, transport: Transport) -> None:
    channel.dataReceived(b"POST /nothing HTTP/1.1\r\nHost: x\r\n")
    request = only_request(channel)
    request.check_timeouts()
    assert not transport.disconnected
    request.deadline = 0
    request.check_timeouts()
    assert transport.disconnected and transport.value() == b""


def test_time_is_given_for_what_has_come_and_not_for_what_was_announced(channel: Any) -> None:
    channel.dataReceived(head("POST", "/nothing", Content_Length=str(200 * 1024)))
    request = only_request(channel)
    assert request.deadline - time.monotonic() <= HEAD_SECONDS
    request.deadline = soon = time.monotonic() + 5
    channel.dataReceived(b"x" * 32 * 1024)
    assert request.deadline - soon == pytest.approx(2)  # at the least speed of 16 kB a second
    channel.dataReceived(b"x" * 150 * 1024)
    channel.dataReceived(b"x" * 10 * 1024)
    assert request.deadline - time.monotonic() <= HEAD_SECONDS


def test_a_refused_body_that_ends_closes_the_connection(channel: Any, transport: Transport) -> None:
    channel.dataReceived(head("POST", "/nothing", Content_Length=str(300 * 1024)))
    assert transport.value().startswith(b"HTTP/1.1 413 ")
    for _ in range(300):
        channel.dataReceived(b"x" * 1024)
    assert transport.disconnecting


def test_an_application_that_fails_in_the_middle_of_its_answer_ends_the_connection(
    channel: Any, transport: Transport
) -> None:
    """Finished in the usual way, half a file would pass for a whole one."""
    channel.dataReceived(head("POST", "/v0/nothing", Content_Length="10"))
    request = only_request(channel)
    request.handle_reply({"type": "http.response.start", "status": 200})
    request.handle_reply({"type": "http.response.body", "body": b"half", "more_body": True})
    request.handle_exception(ValueError())
    assert transport.disconnected and not transport.value().endswith(b"0\r\n\r\n")


def test_an_application_that_fails_before_its_answer_is_told_by_the_id(channel: Any, transport: Transport) -> None:
    channel.dataReceived(head("POST", "/v0/nothing", Content_Length="10", X_Request_Id="r-1"))
    only_request(channel).handle_exception(ValueError())
    assert transport.value().startswith(b"HTTP/1.1 500 ")
    assert transport.value().endswith(b'{"detail": "Internal Server Error", "request_id": "r-1"}')


def test_an_id_in_no_charset_is_replaced(channel: Any, transport: Transport) -> None:
    channel.dataReceived(
        b"POST /v0/nothing HTTP/1.1\r\nHost: x\r\nX-Request-Id: \xff\xfe\r\nContent-Length: 9999999\r\n\r\n"
    )
    assert transport.value().startswith(b"HTTP/1.1 413 ")
    assert is_id(only_request(channel).request_id)


def test_who_takes_nothing_of_a_file_is_given_up(channel: Any, transport: Transport) -> None:
    channel.dataReceived(head("POST", "/v0/nothing", Content_Length="10"))
    request = only_request(channel)
    request.is_whole = True
    request.handle_reply({"type": "http.response.start", "status": 200})
    request.pauseProducing()
    request.check_timeouts()
    assert not transport.disconnected
    request.resumeProducing()
    request.deadline = 0
    request.check_timeouts()
    assert not transport.disconnected
    request.pauseProducing()
    assert request.deadline > time.monotonic() + STALLED_SECONDS - 60
    request.deadline = 0
    request.check_timeouts()
    assert transport.disconnected

"""One id for each request: on its answer, in the log lines of it and of the jobs that it starts, and in a failure."""

from __future__ import annotations

import logging
import re
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

from kit.ids import new_id

HEADER, JOB_HEADER = "X-Request-Id", "request_id"
# Nothing that could end a line of the log or begin another field of it.
_WELL_FORMED = re.compile(r"[A-Za-z0-9._-]{1,64}")
_current: ContextVar[str] = ContextVar("request_id", default="")
Answer = HttpResponseBase | Awaitable[HttpResponseBase]


def current_id() -> str:
    """Empty outside of requests and their jobs."""
    return _current.get()


def choose_id(sent: str) -> str:
    """Take the sender's id, so that its log and ours can be put together; else make a new one."""
    return sent if _WELL_FORMED.fullmatch(sent) else new_id()


def set_id(request_id: str) -> None:
    """For the rest of this thread's or asyncio task's work."""
    _current.set(request_id)


@contextmanager
def bind_id(request_id: str) -> Iterator[None]:
    """Log lines inside belong to this request."""
    token = _current.set(request_id)
    try:
        yield
    finally:
        _current.reset(token)


@sync_and_async_middleware
def request_id_middleware(get_response: Callable[[HttpRequest], Answer]) -> Callable[[HttpRequest], Answer]:
    """Stands outside of all others, so that their answers have the id too.

    It is not taken back: the context is the request's own, and Django logs and streams after this has returned.
    """

    def handle(request: HttpRequest) -> HttpResponseBase:
        set_id(choose_id(request.headers.get(HEADER, "")))
        response = get_response(request)
        assert isinstance(response, HttpResponseBase)  # noqa: S101 - Django gives this chain sync views
        response[HEADER] = current_id()
        return response

    async def handle_async(request: HttpRequest) -> HttpResponseBase:
        set_id(choose_id(request.headers.get(HEADER, "")))
        response = get_response(request)
        assert not isinstance(response, HttpResponseBase)  # noqa: S101 - as above
        answer = await response
        answer[HEADER] = current_id()
        return answer

    return handle_async if iscoroutinefunction(get_response) else handle


class RequestIdFilter(logging.Filter):
    """Gives each line ` [id]` as `request`, or nothing outside of requests. Removes no line."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request = f" [{_current.get()}]" if _current.get() else ""
        return True

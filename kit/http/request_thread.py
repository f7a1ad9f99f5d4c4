"""The thread in which the sync code of a request runs, so that a stream can give it back before it waits.

asgiref keeps such a thread until the answer is sent: 50 open streams held 50. In a context with an executor of our own
it runs there instead, and ours starts a thread when there is work for one.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextvars import ContextVar
from typing import TypeVar

from asgiref.sync import ThreadSensitiveContext, sync_to_async
from django.db import connections

from kit.http.asgi import Application, Receive, Scope, Send

T = TypeVar("T")


class RequestThread(Executor):
    """One thread until it is shut down. The next work after that has a new one."""

    _pool: ThreadPoolExecutor | None = None

    def submit(self, fn: Callable[..., T], /, *args: object, **kwargs: object) -> Future[T]:
        self._pool = self._pool or ThreadPoolExecutor(max_workers=1, thread_name_prefix="request")
        return self._pool.submit(fn, *args, **kwargs)

    def shut_down(self) -> None:
        """Whatever it still does is finished first."""
        if self._pool:
            self._pool.shutdown(wait=False)
        self._pool = None


_present: ContextVar[RequestThread | None] = ContextVar("request_thread", default=None)


def with_own_thread(application: Application) -> Application:
    async def handle(scope: Scope, receive: Receive, send: Send) -> None:
        thread = RequestThread()
        _present.set(thread)
        try:
            async with ThreadSensitiveContext(executor=thread):
                await application(scope, receive, send)
        finally:
            thread.shut_down()

    return handle


def release_thread() -> None:
    """Gives back the thread of the request that is being answered. What it holds, it has to close before."""
    if thread := _present.get():
        thread.shut_down()


async def release_resources() -> None:
    """Gives back the thread of this request and its database connection, which are kept until the answer ends."""
    await sync_to_async(connections.close_all)()
    release_thread()

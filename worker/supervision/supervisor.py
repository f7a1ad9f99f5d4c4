"""The loop of `manage.py up`: starts the children, passes on what they say, starts them again, stops them."""

from __future__ import annotations

import http.client
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from types import FrameType
from typing import IO, cast

from django.conf import settings

from kit.processes import heartbeats
from worker.supervision.children import Child
from worker.supervision.output import Output

STOP_SECONDS = 7.0
REDIS_STOP_SECONDS = 2.0
# Starting everything at once would slow the page, which somebody waits for.
LATEST_OTHERS_SECONDS = 10.0
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@dataclass
class Supervisor:
    """`web` is started first and the others once its page answers. `start_redis` is None when Redis is not ours."""

    web: Child
    others: list[Child]
    address: tuple[str, int]
    on_ready: Callable[[], None]
    start_redis: Callable[[], subprocess.Popen[bytes]] | None = None
    redis: subprocess.Popen[bytes] | None = None
    output: Output = field(default_factory=Output)
    signals: list[int] = field(default_factory=list)
    ready: bool = False

    def run(self) -> None:
        """Returns after a stop signal, when no child is left."""
        self.selector = selectors.DefaultSelector()
        with self._signals_wake_us():
            began = time.monotonic()
            self.web.start_at = began
            for child in self.others:
                child.start_at = began + LATEST_OTHERS_SECONDS
                self._forget(child)  # who was killed with a supervisor before us still seems to be there
                heartbeats.note_start(child.name)
            try:
                while not self.signals:
                    self._tick()
            finally:
                self._stop()

    @property
    def children(self) -> list[Child]:
        return [self.web, *self.others]

    def _tick(self) -> None:
        self._keep_redis()
        for child in self.children:
            if (code := child.poll_exit()) is not None:
                delay = child.plan_restart()
                self._forget(child)
                self.output.say("up", f"{child.name} ended ({describe_exit(code)}); started again in {delay:g} s.")
            if child.start_at is not None and child.start_at <= time.monotonic():
                self._start(child)
        self._pump(0.05 if not self.ready else 0.5)
        if not self.ready and self.web.process and page_answers(*self.address):
            self._greet()

    def _start(self, child: Child) -> None:
        # A signal to stop that comes while it still has our handlers waits until it has its own.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
        try:
            output = child.start(partial(self._forget_in_child, before))
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        self.selector.register(output, selectors.EVENT_READ, child.name)
        heartbeats.note_start(child.name)

    def _forget(self, child: Child) -> None:
        if settings.EMBEDDED_REDIS:  # With one from outside there may be workers elsewhere.
            heartbeats.forget(child.name)

    def _forget_in_child(self, mask: Iterable[int]) -> None:
        """In a child just forked: it takes no part in our signals, nor in what its siblings say."""
        os.close(signal.set_wakeup_fd(-1))
        for number in _SIGNALS:
            # Also of Ctrl-C, which would be said in a traceback before there is anything to put back.
            signal.signal(number, signal.SIG_DFL)
        for key in list(self.selector.get_map().values()):
            cast(IO[bytes], key.fileobj).close()
        self.selector.close()
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)

    def _greet(self) -> None:
        self.ready = True
        for child in self.others:
            if child.process is None:
                child.start_at = time.monotonic()
        self.on_ready()

    def _keep_redis(self) -> None:
        if self.redis and self.start_redis and self.redis.poll() is not None:
            self.output.say("up", "Redis ended; starting it again.")
            self.redis = self.start_redis()

    def _pump(self, seconds: float) -> None:
        for key, _ in self.selector.select(seconds):
            if key.data is None:
                with suppress(BlockingIOError):
                    os.read(key.fd, 64)
                continue
            with suppress(BlockingIOError):
                data = os.read(key.fd, 65536)
                self.output.feed(key.data, data)
                if not data:
                    self.selector.unregister(key.fileobj)
                    cast(IO[bytes], key.fileobj).close()

    def _stop(self) -> None:
        self.output.say("up", "Stopping. Work under way is put back and goes on at the next start.")
        for child in self.children:
            child.send(signal.SIGTERM)
        self._wait_for_children(STOP_SECONDS)
        for child in self.children:
            child.send(signal.SIGKILL)
        self._wait_for_children(1.0)
        if self.redis:
            stop_process(self.redis, REDIS_STOP_SECONDS)
        self.output.say("up", "Stopped.")

    def _wait_for_children(self, seconds: float) -> None:
        """A second signal cuts the wait short."""
        deadline, number_before = time.monotonic() + seconds, len(self.signals)
        while any(child.is_running() for child in self.children):
            if time.monotonic() > deadline or len(self.signals) > number_before:
                return
            self._pump(0.1)

    @contextmanager
    def _signals_wake_us(self) -> Iterator[None]:
        def remember(number: int, frame: FrameType | None) -> None:
            self.signals.append(number)

        reading, writing = os.pipe()
        os.set_blocking(reading, False)
        os.set_blocking(writing, False)
        self.selector.register(os.fdopen(reading, "rb", buffering=0), selectors.EVENT_READ, None)
        wakeup = signal.set_wakeup_fd(writing)
        before = {number: signal.signal(number, remember) for number in _SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
            signal.set_wakeup_fd(wakeup)


def describe_exit(code: int) -> str:
    return f"killed by {signal.Signals(-code).name}" if code < 0 else f"code {code}"


def stop_process(process: subprocess.Popen[bytes], seconds: float) -> None:
    process.terminate()
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def page_answers(host: str, port: int) -> bool:
    """True when the first page comes, be it as a redirect to the sign-in."""
    connection = http.client.HTTPConnection(host, port, timeout=5)
    try:
        connection.request("GET", "/", headers={"Host": "localhost"})
        return connection.getresponse().status < 500
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()

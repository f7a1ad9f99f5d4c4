"""Reads server-sent events through the real ASGI door, as a client does that sees every byte."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from asgiref.testing import ApplicationCommunicator

from docrouter.asgi import application

Event = dict[str, Any]
PATIENCE = 120


class Reader:
    """One open answer. `last_id` is the id of the newest event that was read."""

    def __init__(self, connection: ApplicationCommunicator) -> None:
        self.connection = connection
        self.status, self.headers = 0, {}
        self.last_id = ""
        self.ids: list[str] = []
        self.comments: list[str] = []
        self.is_over = False
        self._held = b""

    async def begin(self) -> None:
        start = await self.connection.receive_output(PATIENCE)
        self.status = start["status"]
        self.headers = {name.decode().lower(): value.decode() for name, value in start["headers"]}

    async def next(self) -> Event | None:
        """The next event; None at the end of the stream."""
        while True:
            block = await self._block()
            if block is None:
                return None
            lines = block.decode().split("\n")
            self.comments += [line for line in lines if line.startswith(":")]
            data = [line.removeprefix("data: ") for line in lines if line.startswith("data: ")]
            for line in lines:
                if line.startswith("id: "):
                    self.last_id = line.removeprefix("id: ")
                    self.ids.append(self.last_id)
            if data:
                return dict(json.loads("\n".join(data)))

    async def rest(self) -> list[Event]:
        events = []
        while (event := await self.next()) is not None:
            events.append(event)
        return events

    async def whole(self) -> Any:
        """The JSON of an answer that is no stream."""
        while not self.is_over:
            await self._more()
        return json.loads(self._held) if self._held else None

    async def _block(self) -> bytes | None:
        while b"\n\n" not in self._held:
            if self.is_over:
                return None
            await self._more()
        block, _, self._held = self._held.partition(b"\n\n")
        return block

    async def _more(self) -> None:
        part = await self.connection.receive_output(PATIENCE)
        self._held += part.get("body", b"")
        self.is_over = not part.get("more_body", False)


@asynccontextmanager
async def open_stream(
    path: str,
    secret: str = "",
    *,
    send: Any = None,
    last_id: str = "",
    accept: str = "text/event-stream",
    cookie: str = "",
) -> AsyncIterator[Reader]:
    """POST with a body, GET without one. Leaving it is what a client does that goes away."""
    body = b"" if send is None else json.dumps(send).encode()
    named = {"host": "localhost", "accept": accept, "last-event-id": last_id, "cookie": cookie}
    named |= {"authorization": f"Bearer {secret}"} if secret else {}
    named |= {"content-type": "application/json", "content-length": str(len(body))} if body else {}
    address, _, query = path.partition("?")
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST" if body else "GET",
        "scheme": "http",
        "path": address,
        "raw_path": address.encode(),
        "query_string": query.encode(),
        "headers": [(name.encode(), value.encode()) for name, value in named.items() if value],
        "client": ("127.0.0.1", 1),
        "server": ("localhost", 80),
    }
    connection = ApplicationCommunicator(application, scope)
    await connection.send_input({"type": "http.request", "body": body, "more_body": False})
    reader = Reader(connection)
    await reader.begin()
    try:
        yield reader
    finally:
        await connection.send_input({"type": "http.disconnect"})
        async with asyncio.timeout(PATIENCE):
            await connection.wait(PATIENCE)

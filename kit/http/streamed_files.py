"""A file that is made while it is sent: never in memory as a whole, and no faster than it is taken."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from asgiref.sync import sync_to_async
from django.db import connections
from django.http import HttpRequest, StreamingHttpResponse
from django.utils.http import content_disposition_header

from kit.http import request_thread
from kit.http.caching import NO_STORE
from kit.http.file_answers import ROOM, OpenedFile, UnchangedFile, WholeFile, answer_file

BLOCK_BYTES = 256 * 1024


class WrittenParts(io.RawIOBase):
    """Bytes that were written and not taken yet. It cannot be sought in, so a ZIP is written front to back."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        part = bytes(data)
        self.parts.append(part)
        return len(part)

    def take(self) -> bytes:
        block, self.parts = b"".join(self.parts), []
        return block


@dataclass(frozen=True)
class StreamedBlocks:
    """A file that is still to be made."""

    name: str
    media_type: str
    blocks: Iterator[bytes]


class StreamedFile(StreamingHttpResponse):
    """For saving. Its length is not known before its end."""

    media_type: ClassVar[str] = "*/*"

    def __init__(self, request: HttpRequest, blocks: Iterator[bytes], *, name: str, media_type: str) -> None:
        self.blocks, self.wait = blocks, getattr(request, "scope", {}).get(ROOM)
        super().__init__(blocks, content_type=media_type)
        self["Content-Disposition"] = content_disposition_header(True, name)
        self["X-Content-Type-Options"] = "nosniff"
        self["Content-Security-Policy"] = "default-src 'none'; sandbox"
        self["Cache-Control"] = NO_STORE

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Django would make all of the file before it sends the first byte."""
        await request_thread.release_resources()
        make_next = sync_to_async(self._make_next, thread_sensitive=False)
        while (block := await make_next()) is not None:
            yield block
            if self.wait:
                await self.wait()

    def _make_next(self) -> bytes | None:
        """In any thread, each of which would keep a connection."""
        try:
            return next(self.blocks, None)
        finally:
            connections.close_all()


def answer_download(
    request: HttpRequest, file: StreamedBlocks | OpenedFile
) -> StreamedFile | WholeFile | UnchangedFile:
    """A part of a file that is there can be asked for. Raises PreconditionFailed or UnsatisfiableRange."""
    if isinstance(file, OpenedFile):
        return answer_file(request, file)
    return StreamedFile(request, file.blocks, name=file.name, media_type=file.media_type)

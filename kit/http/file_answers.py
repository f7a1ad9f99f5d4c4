"""A file as an answer: whole, or the part that is asked for (RFC 9110, 13 and 14), never in memory as a whole.

Of several parts asked for at once the whole is sent, which is allowed and what no client of ours needs otherwise.
"""

from __future__ import annotations

import os
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import IO, ClassVar

from asgiref.sync import sync_to_async
from django.http import FileResponse, HttpRequest
from django.http.response import HttpResponseNotModified
from django.utils.cache import get_conditional_response

from kit.errors import AppError, PreconditionFailed, UnsatisfiableRange
from kit.http import request_thread
from kit.http.caching import NO_STORE

# Where the web server puts, into the scope of a request, what waits until the other side has taken what was sent.
ROOM = "docrouter.wait_for_room"
_ONE_RANGE = re.compile(r"bytes=([0-9]{0,18})-([0-9]{0,18})", re.IGNORECASE)


@dataclass(frozen=True)
class OpenedFile:
    """`etag` is another one as soon as a byte is."""

    content: IO[bytes]
    name: str
    media_type: str
    etag: str


@dataclass(frozen=True)
class Span:
    """From the byte `start` up to, and without, the byte `stop`."""

    start: int
    stop: int


class WholeFile(FileResponse):
    """The file, with its own media type."""

    media_type: ClassVar[str] = "*/*"
    block_size = 64 * 1024

    def __init__(self, file: OpenedFile, span: Span, *, wait: Callable[[], Awaitable[None]] | None = None) -> None:
        self.wait = wait
        self.part = _FilePart(file.content, span)
        super().__init__(self.part, as_attachment=True, filename=file.name, content_type=file.media_type)
        self["Content-Length"] = str(span.stop - span.start)
        self["Accept-Ranges"] = "bytes"
        self["ETag"] = file.etag
        # Uploads are never active content of this site.
        self["X-Content-Type-Options"] = "nosniff"
        self["Content-Security-Policy"] = "default-src 'none'; sandbox"
        self["Cache-Control"] = NO_STORE

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Django would read all of the file before it sends the first byte, and the server keep what nobody takes."""
        await request_thread.release_resources()
        read = sync_to_async(self.part.read, thread_sensitive=False)
        while block := await read(self.block_size):
            yield block
            if self.wait:
                await self.wait()


class PartOfFile(WholeFile):
    """The part of the file that `Range` asks for."""

    status_code = 206


class UnchangedFile(HttpResponseNotModified):
    """The file is that of `If-None-Match`."""

    media_type: ClassVar[str] = ""


def answer_file(request: HttpRequest, file: OpenedFile) -> WholeFile | UnchangedFile:
    """Raises PreconditionFailed or UnsatisfiableRange. Closes the file, at the latest at the end of the answer."""
    size = file.content.seek(0, os.SEEK_END)
    wait = getattr(request, "scope", {}).get(ROOM)
    try:
        if is_known(request, file.etag):
            file.content.close()
            return UnchangedFile(headers={"ETag": file.etag, "Cache-Control": NO_STORE})
        span = read_span(request, size, file.etag)
    except AppError:
        file.content.close()
        raise
    if span:
        answer = PartOfFile(file, span, wait=wait)
        answer["Content-Range"] = f"bytes {span.start}-{span.stop - 1}/{size}"
        return answer
    whole = WholeFile(file, Span(0, 0 if request.method == "HEAD" else size), wait=wait)
    whole["Content-Length"] = str(size)
    return whole


def is_known(request: HttpRequest, etag: str) -> bool:
    """Whether If-None-Match names it. Raises PreconditionFailed when If-Match does not."""
    early = get_conditional_response(request, etag=etag)
    if early is not None and early.status_code == 412 and "If-Match" in request.headers:
        raise PreconditionFailed("The file is not the one that If-Match names.", etag=etag)
    return isinstance(early, HttpResponseNotModified)


def read_span(request: HttpRequest, size: int, etag: str) -> Span | None:
    """None for the whole: of what is no range of bytes, or of a file that has changed since its first part."""
    header = _ONE_RANGE.fullmatch(request.headers.get("Range", "").strip())
    if request.method != "GET" or header is None or not any(header.groups()) or not size:
        return None
    if request.headers.get("If-Range", etag).strip() != etag:
        return None
    first, last = header.groups()
    if not first:
        span = Span(max(0, size - int(last)), size)
    else:
        if last and int(last) < int(first):
            return None
        span = Span(int(first), min(int(last) + 1, size) if last else size)
    if span.start >= size:
        raise UnsatisfiableRange(f"The file has {size:,} bytes, and none of those that were asked for.", size=size)
    return span


class _FilePart:
    """As much of a file as FileResponse needs: without a length that it would find out itself."""

    def __init__(self, content: IO[bytes], span: Span) -> None:
        content.seek(span.start)
        self.content, self.left = content, span.stop - span.start

    def read(self, size: int) -> bytes:
        block = self.content.read(min(size, self.left))
        self.left -= len(block)
        return block

    def close(self) -> None:
        self.content.close()

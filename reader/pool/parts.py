"""The parent's side of taking files, or some of its pages, out of a file."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

from kit.errors import Invalid
from kit.json_types import JsonObject
from reader import frames
from reader.pool.process import FileSource
from reader.pool.readers import PDF_SECONDS, ReaderPool, make_request
from reader.pool.refusals import LATE

PARTS_SECONDS = 60.0


@dataclass(frozen=True)
class UnpackedPart:
    """`reason`: why there are no bytes."""

    name: str
    data: bytes
    reason: str


def unpack_parts(
    pool: ReaderPool, file: FileSource, *, maximum: int, max_bytes: int, group: str, password: str | None = None
) -> Iterator[UnpackedPart]:
    """At most so many of them, in the order of the file. Raises Invalid, TooLarge or Upstream like the pool."""
    count, is_last = 0, False
    while not is_last and count < maximum:
        request: frames.PartsRequest = {**make_request("parts", password, 1, max_bytes), "first": count}
        header, body = _ask_for_parts(pool, request, file, group)
        reply = cast(frames.PartsReply, header)
        is_last = reply["is_last"]
        start = 0
        for part in reply["parts"][: maximum - count]:
            yield UnpackedPart(part["name"], body[start : start + part["size"]], part["reason"])
            start += part["size"]
            count += 1


def _ask_for_parts(
    pool: ReaderPool, request: frames.PartsRequest, file: FileSource, group: str
) -> tuple[JsonObject, bytes]:
    """Once more where the reader was late: unpacking is not tried again later."""
    try:
        return pool.ask(request, file, pages=1, seconds=PARTS_SECONDS, group=group)
    except Invalid as refusal:
        if refusal.code != LATE:
            raise
    return pool.ask(request, file, pages=1, seconds=PARTS_SECONDS, group=group, fresh=True)


def cut_pages(
    pool: ReaderPool,
    file: FileSource,
    first: int,
    last: int,
    *,
    password: str | None,
    max_pages: int,
    max_bytes: int,
    group: str,
) -> bytes:
    """The pages from `first` to `last`, counted from 1, as a PDF. Raises what the pool raises."""
    general = make_request("cut", password, max_pages, max_bytes)
    request: frames.CutRequest = {**general, "first": first, "last": last}
    _, data = pool.ask(request, file, pages=last - first + 1, seconds=PDF_SECONDS, group=group)
    return data

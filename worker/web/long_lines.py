"""A line of a request that is too long is answered: the connection would only be closed, without a word."""

from __future__ import annotations

import json
import re
from http import HTTPStatus
from typing import Any

from kit.http import request_ids
from kit.ids import new_id

# A header has a colon behind its name.
_REQUEST_LINE = re.compile(rb"[A-Z]+ ")
TOO_LONG = "The {what} is longer than the {maximum:,} bytes that are taken."


def refuse_long_line(channel: Any, line: bytes) -> None:
    """`line` is what came of it, and may have more behind it."""
    if channel.transport.disconnecting:
        return
    is_address = _REQUEST_LINE.match(line)
    status = HTTPStatus.REQUEST_URI_TOO_LONG if is_address else HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
    what = "address with its query" if is_address else "header"
    body = json.dumps({"detail": TOO_LONG.format(what=what, maximum=channel.MAX_LENGTH)})
    lines = [
        f"HTTP/1.1 {status.value} {status.phrase}",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
        f"{request_ids.HEADER}: {new_id()}",
        "Connection: close",
        "",
        body,
    ]
    channel.transport.write("\r\n".join(lines).encode())
    channel.loseConnection()

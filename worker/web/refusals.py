"""The answer to a request whose body is not read: JSON under /v0, else a page that needs nothing."""

from __future__ import annotations

import json
from http import HTTPStatus

from django.template.loader import render_to_string

from docrouter.kit.caching import NO_STORE

Headers = list[tuple[bytes, bytes]]


def refusal(status: int, sentence: str, *, as_json: bool) -> tuple[Headers, bytes]:
    """The headers and the body. The connection ends with it, since the rest of the request is never looked at."""
    if as_json:
        kind, body = "application/json", json.dumps({"detail": sentence})
    else:
        kind, body = "text/html; charset=utf-8", render_to_string("refused.html", {"sentence": sentence})
    content = body.encode()
    headers = {
        "Content-Type": kind,
        "Content-Length": str(len(content)),
        "Connection": "close",
        "Cache-Control": NO_STORE,
        "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
        "X-Content-Type-Options": "nosniff",
    }
    if status == HTTPStatus.UNAUTHORIZED:
        headers["WWW-Authenticate"] = "Bearer"
    return [(name.encode(), value.encode()) for name, value in headers.items()], content

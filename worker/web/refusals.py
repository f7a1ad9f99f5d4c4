"""The answer to a request whose body is not read: JSON under /v0, else a page that needs nothing."""

from __future__ import annotations

from http import HTTPStatus

from corsheaders.middleware import CorsMiddleware
from django.http import HttpResponse, JsonResponse
from django.template.loader import render_to_string

from kit.http.caching import NO_STORE
from kit.http.request_ids import HEADER
from worker.web.routes import Head

_cors = CorsMiddleware(lambda request: HttpResponse())


def make_refusal(head: Head, request_id: str, status: int, sentence: str) -> HttpResponse:
    """The connection ends with it, since the rest of the request is never looked at."""
    response = HttpResponse(render_to_string("refused.html", {"sentence": sentence}), status=status)
    if head.is_api:
        failure = {"request_id": request_id} if status >= HTTPStatus.INTERNAL_SERVER_ERROR else {}
        response = JsonResponse({"detail": sentence, **failure}, status=status)
    headers = {
        "Content-Length": str(len(response.content)),
        "Connection": "close",
        "Cache-Control": NO_STORE,
        "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
        "X-Content-Type-Options": "nosniff",
        HEADER: request_id,
    }
    for name, value in headers.items():
        response[name] = value
    if status == HTTPStatus.UNAUTHORIZED:
        response["WWW-Authenticate"] = "Bearer"
    _cors.add_response_headers(head.as_request(), response)
    return response

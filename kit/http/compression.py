"""Pages go out compressed; what is streamed, a file or an answer of /v0 goes out as it is.

A page that repeats what an attacker chose beside a secret would give the secret away by its length (BREACH). The only
secret in a page that can be asked for again is the CSRF token, and Django masks it anew for each page.
"""

from __future__ import annotations

import re

import brotli
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils.cache import patch_vary_headers

# Out of 11: compressing one answer must not take longer than it saves. A page of 200 KB takes 2 ms.
BROTLI_QUALITY = 4
# Smaller ones fit into one packet anyway.
MIN_BYTES = 1024
_COMPRESSIBLE = re.compile(r"(?:text/|application/json\b)")
# One with the quality 0 is refused (RFC 9110, 12.4.2).
_TAKES_BROTLI = re.compile(r"\bbr\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))")


class PageCompressionMiddleware(GZipMiddleware):
    """Brotli for browsers that take it, else Django's own gzip."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if not isinstance(response, HttpResponse) or not _is_page(request, response):
            return response
        if not _TAKES_BROTLI.search(request.headers.get("Accept-Encoding", "")):
            return super().process_response(request, response)
        patch_vary_headers(response, ("Accept-Encoding",))
        response.content = brotli.compress(response.content, quality=BROTLI_QUALITY)
        response["Content-Length"] = str(len(response.content))
        response["Content-Encoding"] = "br"
        if response.get("ETag", "").startswith('"'):
            response["ETag"] = f"W/{response['ETag']}"  # the same page in other bytes
        return response


def _is_page(request: HttpRequest, response: HttpResponse) -> bool:
    return (
        not request.path.startswith("/v0/")
        and not response.has_header("Content-Encoding")
        and "no-transform" not in response.get("Cache-Control", "")
        and _COMPRESSIBLE.match(response.get("Content-Type", "")) is not None
        and len(response.content) >= MIN_BYTES
    )

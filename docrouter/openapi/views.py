"""`/v0/openapi.json`, and `/v0/docs`, a page that can try every route."""

from __future__ import annotations

import gzip
import json
import re
from dataclasses import dataclass
from functools import cache
from hashlib import sha256

from csp.constants import SELF, UNSAFE_INLINE
from csp.decorators import csp_update
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag
from django.views.decorators.http import require_GET
from rest_framework.request import Request

from accounts.api.access import OpenView
from kit.http.caching import REVALIDATE
from kit.json_types import JsonObject

# One with the quality 0 is refused (RFC 9110, 12.4.2).
_TAKES_GZIP = re.compile(r"\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))")


class OpenApiDocument(OpenView):
    def get(self, request: Request) -> HttpResponseBase:
        is_gzipped = bool(_TAKES_GZIP.search(request.headers.get("Accept-Encoding", "")))
        form = render_document(is_gzipped=is_gzipped)
        headers = {"ETag": form.etag, "Cache-Control": REVALIDATE, "Vary": "Accept-Encoding"}
        answer = HttpResponse(form.content, content_type="application/json", headers=headers)
        if is_gzipped:
            answer["Content-Encoding"] = "gzip"
        return get_conditional_response(request, etag=form.etag, response=answer) or answer


@dataclass(frozen=True)
class WrittenDocument:
    """Its bytes. Those of the gzipped form are others, so they have another (strong) ETag."""

    content: bytes
    etag: str


@cache
def render_document(*, is_gzipped: bool) -> WrittenDocument:
    plain = json.dumps(document(), ensure_ascii=False, separators=(",", ":")).encode()
    content = gzip.compress(plain, mtime=0) if is_gzipped else plain
    return WrittenDocument(content, quote_etag(sha256(content).hexdigest()[:32]))


@cache
def document() -> JsonObject:
    """Made once: everybody gets it as it is."""
    from drf_spectacular.generators import SchemaGenerator  # noqa: PLC0415 - it brings Django's test client

    description: JsonObject = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return description


@require_GET
@login_not_required
# Swagger UI writes style elements of its own; nothing else of the policy is loosened, and no other page's is.
@csp_update({"style-src": [SELF, UNSAFE_INLINE]})  # type: ignore[untyped-decorator]
def docs(request: HttpRequest) -> HttpResponse:
    return render(request, "api_docs.html")

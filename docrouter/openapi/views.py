"""`/v0/openapi.json`, and `/v0/docs`, a page that can try every route."""

from __future__ import annotations

from functools import cache
from typing import Any

from csp.constants import SELF, UNSAFE_INLINE
from csp.decorators import csp_update
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET
from drf_spectacular.generators import SchemaGenerator
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.access import OpenView


class OpenApiDocument(OpenView):
    def get(self, request: Request) -> Response:
        return Response(document())


@cache
def document() -> dict[str, Any]:
    """The same for everybody, made once."""
    made: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return made


@require_GET
@login_not_required
# Swagger UI writes style elements of its own; nothing else of the policy is loosened, and no other page's is.
@csp_update({"style-src": [SELF, UNSAFE_INLINE]})  # type: ignore[untyped-decorator]
def docs(request: HttpRequest) -> HttpResponse:
    return render(request, "api_docs.html")

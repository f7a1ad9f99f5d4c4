"""Shapes AppErrors for pages: a sentence in the page's own frame, or a fragment for htmx."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from docrouter.kit.errors import AppError


class AppErrorMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not isinstance(error, AppError):
            return None
        template = "components/error_fragment.html" if getattr(request, "htmx", False) else "error.html"
        return render(request, template, {"error": error}, status=error.status)

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views import defaults


def server_error(request: HttpRequest) -> HttpResponse:
    """An unexpected failure: JSON for the API's clients, the plain page for people."""
    if request.path.startswith("/v0/"):
        return JsonResponse({"detail": "Internal Server Error"}, status=500)
    return HttpResponse(defaults.server_error(request).content, status=500)

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string

from kit.http.request_ids import current_id


def server_error(request: HttpRequest) -> HttpResponse:
    """An unexpected failure: JSON for the API's clients, the plain page for people. Both name the lines of the log."""
    if request.path.startswith("/v0/"):
        return JsonResponse({"detail": "Internal Server Error", "request_id": current_id()}, status=500)
    return HttpResponse(render_to_string("500.html", {"request_id": current_id()}), status=500)

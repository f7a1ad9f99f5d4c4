from __future__ import annotations

import sys

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.views.defaults import bad_request as default_bad_request

from kit.errors import AppError
from kit.http.failures import explain_failure, find_failure
from kit.http.request_ids import current_id


def server_error(request: HttpRequest) -> HttpResponse:
    """An unexpected failure: JSON for the API's clients, the plain page for people. Both name the lines of the log.

    What fails outside of views, such as the session that is stored behind them, may have a sentence all the same.
    """
    if failure := explain_failure(sys.exc_info()[1]):
        return _refuse(request, failure)
    if request.path.startswith("/v0/"):
        return JsonResponse({"detail": "Internal Server Error", "request_id": current_id()}, status=500)
    return HttpResponse(render_to_string("500.html", {"request_id": current_id()}), status=500)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """A session that could not be stored behind the view comes here too, as one that somebody has ended."""
    failure = find_failure(exception)
    return _refuse(request, failure) if failure else default_bad_request(request, exception)


def _refuse(request: HttpRequest, failure: AppError) -> HttpResponse:
    if request.path.startswith("/v0/"):
        return JsonResponse({"detail": failure.sentence}, status=failure.status)
    page = render_to_string("refused.html", {"sentence": failure.sentence})
    return HttpResponse(page, status=failure.status)

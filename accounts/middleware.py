"""Shapes AppErrors and missing locks: a sentence in the page's own frame, a fragment for htmx, JSON under /v0."""

from __future__ import annotations

import codecs
import logging
from collections.abc import Callable
from urllib.parse import urlencode

from django.contrib.auth.models import AnonymousUser
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.deprecation import MiddlewareMixin

from accounts.api.wire import errors
from kit import formats
from kit.errors import AppError, NotFound
from kit.http.failures import explain_failure
from kit.sanitize import NO_NUL

FORM_ADDRESS = "There is no page at this address: it only takes what a form sends."
NOT_UTF8 = "The body has to be in UTF-8."
PACKED = "A packed body is not read: send it as it is, without Content-Encoding."
FORM = "application/x-www-form-urlencoded"
log = logging.getLogger(__name__)


class ReadableRequestMiddleware(MiddlewareMixin):
    """No view meets a body in another charset than UTF-8, a packed one, or NUL in a query or form."""

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        if not _is_utf8((request.content_params or {}).get("charset", "utf-8")):
            return _refuse_body(request, NOT_UTF8)
        if (request.headers.get("Content-Encoding", "").strip().lower() or "identity") != "identity":
            return _refuse_body(request, PACKED)
        if name := _find_nul(request.GET):
            return _refuse_query(request, name)
        if request.content_type == FORM and _find_nul(request.POST):
            return HttpResponse(NO_NUL, status=400, content_type="text/plain")
        return None


def _refuse_body(request: HttpRequest, sentence: str) -> HttpResponse:
    headers = {"Accept-Encoding": "identity"}
    if request.path.startswith("/v0/"):
        return JsonResponse({"detail": sentence}, status=415, headers=headers)
    return HttpResponse(sentence, status=415, content_type="text/plain", headers=headers)


def _find_nul(sent: QueryDict) -> str:
    """The name of a part that holds one, on which PostgreSQL fails; empty without."""
    pairs = [(name, value) for name, values in sent.lists() for value in values]
    return next((name for name, value in pairs if "\0" in name + value), "")


def _refuse_query(request: HttpRequest, name: str) -> HttpResponse:
    if request.path.startswith("/v0/"):
        return JsonResponse({"detail": [errors.make_fault("query", name, NO_NUL)]}, status=422)
    return HttpResponse(NO_NUL, status=400, content_type="text/plain")


def _is_utf8(charset: str) -> bool:
    """The sender names the charset, and some codecs of Python take the square of the length: punycode for one."""
    try:
        return codecs.lookup(charset).name in ("utf-8", "ascii")
    except LookupError:
        return False


class AskerMiddleware(MiddlewareMixin):
    """Reads who asks, before the view does: a failure outside of views would be a 500."""

    def process_view(self, request: HttpRequest, view: Callable[..., object], *_: object) -> HttpResponse | None:
        try:
            bool(getattr(view, "login_required", True) and request.user.is_authenticated)
        except DatabaseError as error:
            if (failure := explain_failure(error)) is None:
                raise
            log.warning("%s %s: who asks was not read: %s", request.method, request.path, error)
            request.user = AnonymousUser()  # the page of the answer asks again
            return render_error(request, failure)
        return None


class FormatMiddleware(MiddlewareMixin):
    """Pages write dates and numbers as their reader does. After AskerMiddleware, which has read who that is."""

    def process_view(self, request: HttpRequest, view: Callable[..., object], *_: object) -> None:
        if request.path.startswith("/v0/"):
            return
        own = getattr(request.user, "format_locale", "") if getattr(view, "login_required", True) else ""
        formats.activate(formats.choose_locale(own, request.headers.get("Accept-Language", "")))

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        formats.activate(formats.PLAIN)
        return response


class AppErrorMiddleware(MiddlewareMixin):
    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """For the views of the API as well: what its own handler does not know comes here."""
        if failure := explain_failure(error):
            log.warning("%s %s failed: %s", request.method, request.path, error)
            return render_error(request, failure)
        return render_error(request, error) if isinstance(error, AppError) else None

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """A fragment must not hold the sign-in page: the whole page goes there instead."""
        if response.status_code == 405 and request.method == "GET":
            return _explain_form_address(request, response)
        if not getattr(request, "htmx", False) or not isinstance(response, HttpResponseRedirect):
            return response
        if response.url.partition("?")[0] != reverse("sign-in"):
            return response
        return HttpResponse(status=204, headers={"HX-Redirect": _make_sign_in_address(request)})


def render_error(request: HttpRequest, error: AppError) -> HttpResponse:
    """The error's sentence with its status. Fragments go into the page's `#notice`, wherever they were aimed.

    What a page fetches again by itself (static/js/refresh.js) may be in the trash by then, which the page's own events
    have told: nobody asked, so nothing is said.
    """
    if isinstance(error, NotFound) and "X-Refresh" in request.headers:
        return HttpResponse(status=204)
    headers = errors.headers(error)
    if request.path.startswith("/v0/"):
        return JsonResponse(errors.body(error), status=error.status, headers=headers)
    template = "error.html"
    if getattr(request, "htmx", False):
        template = "components/error_fragment.html"
        headers |= {"HX-Retarget": "#notice", "HX-Reswap": "innerHTML"}
    response = render(request, template, {"error": error}, status=error.status)
    for name, value in headers.items():
        response[name] = value
    return response


def _explain_form_address(request: HttpRequest, refused: HttpResponse) -> HttpResponse:
    """Such an address stays in the bar after a refused form, and a restored session or a second tab asks for it."""
    if request.path.startswith("/v0/"):
        return refused
    page = render(request, "error.html", {"error": AppError(FORM_ADDRESS)}, status=refused.status_code)
    page["Allow"] = refused["Allow"]
    return page


def _make_sign_in_address(request: HttpRequest) -> str:
    """Sign-in that comes back to the page, not to the fragment."""
    page: str = request.htmx.current_url_abs_path or "/"  # type: ignore[attr-defined]
    return f"{reverse('sign-in')}?{urlencode({'next': page})}"

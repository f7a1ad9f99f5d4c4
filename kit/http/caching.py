"""Browsers and proxies keep nothing of our answers, unless the view says what."""

from __future__ import annotations

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers
from django.utils.deprecation import MiddlewareMixin

NO_STORE = "private, no-store"
# May be kept, but is asked for again each time: on a machine that others use it does not come back after a sign-out.
REVALIDATE = "private, no-cache"
# For content that never changes. After a sign-out browsers ask for it anew: their cookies are others (`Vary`, below).
UNCHANGING = "private, max-age=3600, immutable"


class PrivateAnswersMiddleware(MiddlewareMixin):
    """Stands inside of whitenoise, so static files keep their own rules."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        response.headers.setdefault("Cache-Control", NO_STORE)
        if request.path.startswith("/v0/"):
            patch_vary_headers(response, ["Cookie", "Authorization", "X-Api-Key"])
        else:
            patch_vary_headers(response, ["Cookie", "HX-Request"])
        return response

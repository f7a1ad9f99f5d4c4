"""The limits of /v0: for each token or session, and for each address.

The headers are those of draft-ietf-httpapi-ratelimit-headers-06, which clients know: later drafts put the same into
`RateLimit` and `RateLimit-Policy`, and are not final.
"""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.utils.deprecation import MiddlewareMixin

from accounts.api.authentication import read_secret
from accounts.api.wire import errors
from accounts.services.tokens import digest
from kit.errors import TooMany
from kit.http.caching import NO_STORE
from kit.http.client_address import client_address, network_of
from kit.http.rate_limits import Limit, Quota, count_request, read_quotas


class RateLimitMiddleware(MiddlewareMixin):
    """Counts a request before anything is read of it, whether its credentials are good or not."""

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        if not request.path.startswith("/v0/"):
            return None
        quotas = count_request(list_limits(request))
        request.quotas = quotas  # type: ignore[attr-defined]
        try:
            check_quotas(quotas)
        except TooMany as error:
            headers = errors.headers(error) | {"Cache-Control": NO_STORE}
            return JsonResponse(errors.body(error), status=error.status, headers=headers)
        return None

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        for name, value in make_headers(getattr(request, "quotas", [])).items():
            response[name] = value
        return response


def list_limits(request: HttpRequest) -> list[Limit]:
    """By what the request says of itself, without a look at the database: who invents tokens meets the second limit."""
    limits = [Limit("address", network_of(client_address(request)), settings.API_ADDRESS_RATE_LIMIT)]
    if secret := read_secret(request):
        limits.append(Limit("token", digest(secret), settings.API_RATE_LIMIT))
    elif session_key := request.COOKIES.get(settings.SESSION_COOKIE_NAME):
        limits.append(Limit("session", digest(session_key), settings.API_RATE_LIMIT))
    return [limit for limit in limits if limit.requests]


def check_sender(request: HttpRequest) -> None:
    """Raises TooMany for who has nothing left. For the check before a body is read: the request is counted later."""
    check_quotas(read_quotas(list_limits(request)))


def check_quotas(quotas: list[Quota]) -> None:
    exceeded = [quota for quota in quotas if quota.is_exceeded]
    if not exceeded:
        return
    quota = max(exceeded, key=lambda quota: quota.reset_seconds)
    raise TooMany(
        f"{quota.limit.requests:,} requests a minute are taken from one {quota.limit.sender}. "
        f"Try again in {quota.reset_seconds} seconds.",
        retry_after=quota.reset_seconds,
        headers=make_headers(quotas),
    )


def make_headers(quotas: list[Quota]) -> dict[str, str]:
    """Tell the limit that will be reached first."""
    if not quotas:
        return {}
    quota = min(quotas, key=lambda quota: (quota.remaining, -quota.reset_seconds))
    return {
        "RateLimit-Limit": str(quota.limit.requests),
        "RateLimit-Remaining": str(quota.remaining),
        "RateLimit-Reset": str(quota.reset_seconds),
    }

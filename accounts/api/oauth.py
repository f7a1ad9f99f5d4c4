"""Requests of programs without a person: registration, keys, and the end of a connection."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST
from oauth2_provider.models import Application, Grant
from oauth2_provider.oauth2_backends import get_oauthlib_core

from accounts.api.rate_limits import check_quotas
from accounts.services.connections import clients, connecting
from kit import sanitize
from kit.errors import AppError, Invalid, TooMany
from kit.http.client_address import client_address, network_of
from kit.http.rate_limits import Limit, count_request

GRANT_TYPES = ("authorization_code", "refresh_token")
Endpoint = Callable[[HttpRequest], HttpResponse]


def _endpoint(requests_a_minute: Callable[[], int]) -> Callable[[Endpoint], Endpoint]:
    """Without session and CSRF check, so many times a minute from one address; refusals as RFC 6749 shapes them."""

    def decorate(view: Endpoint) -> Endpoint:
        @csrf_exempt
        @login_not_required
        @require_POST
        @never_cache
        @sensitive_post_parameters()
        @wraps(view)
        def answer(request: HttpRequest) -> HttpResponse:
            try:
                key = f"{view.__name__}:{network_of(client_address(request))}"
                limit = Limit("address", key, requests_a_minute())
                check_quotas(count_request([limit] if limit.requests else []))
                return view(request)
            except TooMany as error:
                headers = {"Retry-After": str(error.retry_after or 60)}
                return _refuse("temporarily_unavailable", error, headers=headers)
            except AppError as error:
                return _refuse("invalid_request", error)

        return answer

    return decorate


@_endpoint(lambda: settings.OAUTH_PER_MINUTE)
def register(request: HttpRequest) -> HttpResponse:
    """RFC 7591. Whatever way of authentication a client names, it is registered as a public one."""
    try:
        client = clients.register(clients.read_metadata(_read_json(request)))
    except Invalid as error:
        return _refuse("invalid_client_metadata", error)
    return JsonResponse(_describe(client), status=201)


def _read_json(request: HttpRequest) -> object:
    try:
        return sanitize.parse(request.body.decode())
    except ValueError as error:
        raise Invalid(f"The body is no JSON that can be read: {error}") from None


def _describe(client: Application) -> dict[str, object]:
    return {
        "client_id": client.client_id,
        "client_id_issued_at": int(client.created.timestamp()),
        "client_name": client.name,
        "redirect_uris": client.redirect_uris.split(),
        "grant_types": list(GRANT_TYPES),
        "response_types": ["code"],
        "token_endpoint_auth_method": "none",
    }


@_endpoint(lambda: settings.API_ADDRESS_RATE_LIMIT)
def give_keys(request: HttpRequest) -> HttpResponse:
    """For a code, or for a refresh token. The library knows other ways, some of which it cannot go here."""
    named = request.POST.getlist("grant_type")
    if len(named) != 1:
        raise Invalid("grant_type has to be given, once.")
    if named[0] not in GRANT_TYPES:
        return _refuse("unsupported_grant_type", Invalid(f"grant_type is one of {', '.join(GRANT_TYPES)} here."))
    try:
        _, headers, body, status = get_oauthlib_core().create_token_response(request)
    except Grant.DoesNotExist:
        # The library reads the code several times, and another request exchanged it in between.
        connecting.end_replayed(request.POST.get("code", ""), request.POST.get("client_id", ""))
        return _refuse("invalid_grant", Invalid("The code was exchanged already."))
    return HttpResponse(body, status=status, headers={"Content-Type": "application/json", **headers})


@_endpoint(lambda: settings.API_ADDRESS_RATE_LIMIT)
def revoke(request: HttpRequest) -> HttpResponse:
    """RFC 7009: by a key or a refresh token, and the whole connection ends."""
    _, headers, body, status = get_oauthlib_core().create_revocation_response(request)
    return HttpResponse(body or "", status=status, headers=headers)


def _refuse(code: str, error: AppError, *, headers: dict[str, str] | None = None) -> JsonResponse:
    body = {"error": code, "error_description": error.sentence}
    return JsonResponse(body, status=error.status, headers=headers)

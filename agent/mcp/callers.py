"""Who calls over MCP: by an access token, or by a key to a connection (OAuth), in the organization and with the role
ceiling that it has.
"""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest

from accounts.access import enter
from accounts.actor import Actor
from accounts.api.access import UPLOADS_ONLY
from accounts.api.authentication import NO_CREDENTIALS, read_secret
from accounts.api.rate_limits import check_quotas, list_limits
from accounts.services import tokens
from accounts.services.connections import keys
from kit.errors import Denied, Unauthenticated
from kit.http.client_address import client_address
from kit.http.rate_limits import count_request

NO_ORGANIZATION = (
    "Over MCP the token says which organization is meant, and this one opens the whole account. Make a token of one "
    "organization, under its settings."
)


def count(request: HttpRequest) -> None:
    """Against the limits of /v0. Raises TooMany."""
    check_quotas(count_request(list_limits(request)))


def identify(request: HttpRequest) -> Actor:
    """Raises Unauthenticated, or Denied for a token that is no key to an organization."""
    secret = read_secret(request)
    return enter_by_secret(secret or "", address=client_address(request))


def enter_by_secret(secret: str, *, address: str = "") -> Actor:
    """address: where the request came from, empty over stdio."""
    if not secret:
        raise Unauthenticated(NO_CREDENTIALS)
    token = keys.find(secret) if secret.startswith(keys.KEY_PREFIX) else tokens.find(secret)
    if token.upload_only:
        raise Denied(UPLOADS_ONLY)
    if token.organization_id is None:
        raise Denied(NO_ORGANIZATION)
    tokens.record_use(token, address=address)
    return enter(token.user, token.organization_id, token=token)


def challenge(*, has_credentials: bool) -> str:
    """Where a client learns how to be let in (RFC 9728)."""
    metadata = f'resource_metadata="{settings.PUBLIC_URL}/.well-known/oauth-protected-resource/mcp"'
    return f'Bearer error="invalid_token", {metadata}' if has_credentials else f"Bearer {metadata}"

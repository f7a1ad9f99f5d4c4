"""Keys of connections: for an hour, kept as SHA-256, good for MCP here and nothing else."""

from __future__ import annotations

import secrets

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone
from oauthlib.common import Request

from accounts.models import AccessToken, ConnectionKey
from accounts.services import tokens
from accounts.services.connections import refreshing
from kit.errors import Unauthenticated
from kit.rows.fixed_select import FixedSelect

KEY_PREFIX = "mcp_"
FOREIGN = "This key is for another server."


def make_key(request: object) -> str:
    return KEY_PREFIX + secrets.token_urlsafe(32)


def make_refresh_token(request: Request) -> str:
    """Continue the family of the token that was used, or begin a new one."""
    request.family = getattr(request, "family", None) or refreshing.make_family()
    return refreshing.make_secret(request.family)


def get_resource() -> str:
    """The resource that every key is for (RFC 8707)."""
    return f"{settings.PUBLIC_URL}/mcp"


def is_ours(resource: str) -> bool:
    """Some clients name the origin, some the address that their person typed."""
    return resource.rstrip("/") in (get_resource(), settings.PUBLIC_URL)


def find(secret: str) -> AccessToken:
    """The access token of the connection that this key opens. Raises Unauthenticated."""
    key = _select_by_checksum.first(tokens.digest(secret))
    if key is None:
        raise Unauthenticated(tokens.UNKNOWN)
    if key.access_token.expires <= timezone.now():
        raise Unauthenticated(tokens.EXPIRED)
    if key.access_token.resource != [get_resource()]:
        raise Unauthenticated(FOREIGN)
    return tokens.renew(key.connection.token)


@FixedSelect
def _select_by_checksum(checksum: str) -> QuerySet[ConnectionKey]:
    rows = ConnectionKey.objects.select_related("access_token", "connection__token")
    return rows.filter(access_token__token_checksum=checksum)

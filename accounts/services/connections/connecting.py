"""A consent becomes a connection, its code becomes keys, and a connection ends."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from oauth2_provider.models import AccessToken as KeyRow
from oauth2_provider.models import Application, RefreshToken

from accounts.models import Connection, ConnectionKey, Organization, Role, User
from accounts.services import audit, tokens
from accounts.services.connections import clients

MAX_OF_ONE_CLIENT, MAX_KEYS = 10, 10


@dataclass(frozen=True)
class Consent:
    """What a person allows: to act in this organization, with at most this role."""

    organization: Organization
    ceiling: Role


@transaction.atomic
def connect(user: User, client: Application, *, consent: Consent, code: str) -> Connection:
    """Raises Denied for who is no member, Invalid for too many tokens."""
    _end_oldest(user, client)
    token, _ = tokens.create(
        user,
        name=clients.get_name(client),
        organization=consent.organization,
        lifetime_days=settings.OAUTH_IDLE_DAYS,
        role_ceiling=consent.ceiling,
    )
    connection = Connection.objects.create(token=token, client=client, code_digest=tokens.digest(code))
    audit.record_outside(
        user,
        "connected",
        token,
        organization=consent.organization,
        client=client.client_id,
        role_ceiling=consent.ceiling.value,
    )
    clients.record_use(client)
    return connection


def _end_oldest(user: User, client: Application) -> None:
    """A program that asks again each time it starts takes the place of its own earlier connections."""
    own = Connection.objects.filter(token__user=user, client=client).order_by("-created_at")
    for connection in own.select_related("token__organization")[MAX_OF_ONE_CLIENT - 1 :]:
        tokens.revoke(user, token=connection.token)


def find_by_code(code: str, client: Application) -> Connection | None:
    rows = Connection.objects.filter(code_digest=tokens.digest(code), client=client)
    return rows.select_related("token").first()


def find_by_refresh_token(refresh_token: RefreshToken) -> Connection | None:
    return Connection.objects.filter(refresh_token=refresh_token).select_related("token").first()


def complete(connection: Connection, refresh_token: RefreshToken) -> bool:
    """In a transaction. Whether this was the first exchange of its code."""
    rows = Connection.objects.filter(pk=connection.pk, refresh_token=None)
    return rows.update(refresh_token=refresh_token) == 1


def add_key(connection: Connection, key: KeyRow) -> None:
    """In a transaction. The newest few are kept, and the connection lives on for as long as it is used."""
    ConnectionKey.objects.create(connection=connection, access_token=key)
    older = connection.keys.order_by("-created_at").values_list("access_token", flat=True)[MAX_KEYS:]
    KeyRow.objects.filter(pk__in=list(older)).delete()
    token = connection.token
    token.expires_at = timezone.now() + timedelta(days=settings.OAUTH_IDLE_DAYS)
    token.save(update_fields=["expires_at"])
    clients.record_use(connection.client)


@transaction.atomic
def end_replayed(code: str, client: Application) -> None:
    """A code that comes a second time was seen by somebody else: what it opened is closed (OAuth 2.1, 4.1.3)."""
    connection = find_by_code(code, client)
    if connection is not None:
        _end(connection)


@transaction.atomic
def end_by_client(secret: str, client: Application) -> None:
    """By one of its keys or its refresh token, as RFC 7009 has it. One that is unknown changes nothing."""
    own, checksum = Connection.objects.filter(client=client).select_related("token"), tokens.digest(secret)
    connection = own.filter(refresh_token__token_checksum=checksum).first()
    connection = connection or own.filter(keys__access_token__token_checksum=checksum).first()
    if connection is not None:
        _end(connection)


def _end(connection: Connection) -> None:
    tokens.revoke(connection.token.user, token=connection.token)

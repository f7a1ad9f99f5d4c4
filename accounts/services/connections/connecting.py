"""A consent becomes a connection, its code becomes keys, and a connection ends."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from oauth2_provider.models import AccessToken as KeyRow
from oauth2_provider.models import Application, RefreshToken

from accounts.models import Connection, ConnectionKey, Organization, OutgoingMail, Role, User
from accounts.services import audit, tokens
from accounts.services.connections import clients, refreshing
from accounts.services.mail import outbox

MAX_OF_ONE_CLIENT, MAX_KEYS = 10, 10
PROGRAM_ENDED = OutgoingMail.Kind.PROGRAM_ENDED


@dataclass(frozen=True)
class Consent:
    """A person's consent that a program acts in this organization, with at most this role."""

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
        lifetime_days=min(settings.OAUTH_IDLE_DAYS, settings.OAUTH_MAX_DAYS),
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


def find_by_code(code: str, client_id: str) -> Connection | None:
    rows = Connection.objects.filter(code_digest=tokens.digest(code), client__client_id=client_id)
    return rows.select_related("token").first()


def lock(connection: Connection) -> bool:
    """In a transaction: whether it has not ended. Until the end of that it does not, and its keys are given in turn."""
    return tokens.lock(connection.token) and Connection.objects.filter(pk=connection.pk, ended_for="").exists()


def complete(connection: Connection, refresh_token: RefreshToken, *, family: str) -> bool:
    """In a transaction that has locked it. Whether this was the first exchange of its code."""
    rows = Connection.objects.filter(pk=connection.pk, refresh_token=None)
    return rows.update(refresh_token=refresh_token, family_digest=tokens.digest(family)) == 1


def add_key(connection: Connection, key: KeyRow) -> None:
    """In a transaction that has locked it. The newest few are kept, and the connection lives on while it is used, for
    OAUTH_MAX_DAYS at most.
    """
    ConnectionKey.objects.create(connection=connection, access_token=key)
    older = connection.keys.order_by("-created_at").values_list("access_token", flat=True)[MAX_KEYS:]
    KeyRow.objects.filter(pk__in=list(older)).delete()
    token = connection.token
    token.expires_at = min(timezone.now() + timedelta(days=settings.OAUTH_IDLE_DAYS), connection.last_moment)
    token.save(update_fields=["expires_at"])
    clients.record_use(connection.client)


def end_replayed(code: str, client_id: str) -> None:
    """A code that comes a second time was seen by somebody else. One that came too late was exchanged by nobody."""
    connection = find_by_code(code, client_id)
    if connection and connection.refresh_token_id:
        end(connection, Connection.EndedFor.CODE_REPLAYED)


@transaction.atomic
def end(connection: Connection, reason: Connection.EndedFor) -> None:
    """Somebody else has what only this program should: whatever it opens is closed (OAuth 2.1, 4.1.3 and 4.3.1).

    The row stays for a while, so that its person reads of it.
    """
    if not lock(connection):
        return
    token = connection.token
    Connection.objects.filter(pk=connection.pk).update(ended_for=reason)
    families = RefreshToken.objects.filter(connection=connection).values_list("token_family", flat=True)
    RefreshToken.objects.filter(token_family__in=list(families)).delete()
    KeyRow.objects.filter(connection_key__connection=connection).delete()
    token.expires_at = timezone.now()
    token.save(update_fields=["expires_at"])
    detail = {"name": token.name, "owner_id": token.user_id, "reason": reason.value}
    audit.record_outside(None, "ended", token, organization=token.organization, **detail)
    if outbox.has_server() and not outbox.was_queued_lately(PROGRAM_ENDED, token.user.email):
        outbox.queue_mail(PROGRAM_ENDED, token.user.email)


@transaction.atomic
def end_by_client(secret: str, client: Application) -> None:
    """By one of its keys or its refresh token, as RFC 7009 has it. One that is unknown changes nothing."""
    keys = ConnectionKey.objects.filter(access_token__token_checksum=tokens.digest(secret))
    by_key = Connection.objects.filter(client=client, keys__in=keys).select_related("token").first()
    connection = by_key or refreshing.find_connection(secret, client)
    if connection is not None:
        tokens.revoke(connection.token.user, token=connection.token)

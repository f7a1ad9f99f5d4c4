"""Refresh tokens: each is good once, and for a grace, since programs ask in several processes at once.

The library has such a grace too, but then keeps every token as it is (its check E001). Ours name the family that they
descend from, in letters that only their holders know: so one that was used before is known for what it is however long
ago that was, and no row of it has to be kept.
"""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta

from django.db.models import F, Q
from django.utils import timezone
from oauth2_provider.models import Application, RefreshToken

from accounts.models import Connection
from accounts.services import tokens

PREFIX = "mcr_"
GRACE = timedelta(seconds=60)
# Keys of one connection at once. More come only from processes that asked within the same minute.
MAX_LIVE = 20


def make_family() -> str:
    return secrets.token_urlsafe(16)


def make_secret(family: str) -> str:
    return f"{PREFIX}{family}.{secrets.token_urlsafe(32)}"


def read_family(secret: str) -> str:
    """Derive the family of a token that does not name its own, so that the tokens after it can name it."""
    family, dot, _ = secret.removeprefix(PREFIX).partition(".")
    return family if dot else hashlib.sha256(secret.encode()).hexdigest()[:22]


def find_connection(secret: str, client: Application) -> Connection | None:
    """Find the connection that has or had this token."""
    checksum, family = tokens.digest(secret), tokens.digest(read_family(secret))
    own = Connection.objects.filter(client=client).select_related("token__user", "token__organization")
    return own.filter(Q(family_digest=family) | Q(refresh_token__token_checksum=checksum)).first()


def find_usable(secret: str, client: Application) -> RefreshToken | None:
    """None for one that was used longer than the grace ago, and for what only looks like one."""
    rows = RefreshToken.objects.filter(token_checksum=tokens.digest(secret), application=client)
    usable = rows.filter(Q(revoked=None) | Q(revoked__gt=timezone.now() - GRACE))
    return usable.order_by(F("revoked").desc(nulls_first=True)).first()


def replace(connection: Connection, used: RefreshToken, following: RefreshToken, *, family: str) -> None:
    """In a transaction that has locked the connection. `used` stays good for the grace."""
    now = timezone.now()
    rows = RefreshToken.objects.filter(token_family=used.token_family)
    rows.filter(pk=used.pk, revoked=None).update(revoked=now)
    Connection.objects.filter(pk=connection.pk).update(refresh_token=following, family_digest=tokens.digest(family))
    surplus = rows.filter(revoked=None).order_by("-created", "-pk").values_list("pk", flat=True)[MAX_LIVE:]
    rows.filter(Q(revoked__lte=now - GRACE) | Q(pk__in=list(surplus))).delete()

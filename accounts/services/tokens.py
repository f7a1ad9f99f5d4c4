"""Access tokens: shown once, kept as SHA-256. The secrets are random, so a slow hash would only cost time."""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.models import AccessToken, Member, Organization, User
from accounts.services import audit
from docrouter.kit.errors import Denied, Invalid, NotFound, Unauthenticated

ORGANIZATION_PREFIX, ACCOUNT_PREFIX = "org_", "acc_"
UNKNOWN = "Invalid authentication credentials: invalid token"
EXPIRED = "API token expired"
LONGEST_LIFETIME_DAYS = 3650
_RECORD_USE_EVERY = timedelta(minutes=1)


def create(
    user: User, *, name: str, organization: Organization | None = None, lifetime_days: int = 0
) -> tuple[AccessToken, str]:
    """The row and its secret, which is not kept. A lifetime of 0 days never ends.

    Raises Invalid, NotFound for a closed organization, or Denied when the user does not belong to the organization and
    is no system admin. A token opens what its user may enter at the time of the call.
    """
    name = name.strip()
    if not name or len(name) > 200:
        raise Invalid("A token needs a name of 1 to 200 characters.")
    if not 0 <= lifetime_days <= LONGEST_LIFETIME_DAYS:
        raise Invalid(f"A token lives 1 to {LONGEST_LIFETIME_DAYS} days, or 0 for no end.")
    if organization and organization.closed_at:
        raise NotFound("Organization not found")
    is_member = Member.objects.filter(user=user, organization=organization).exists()
    if organization and not is_member and not user.is_superuser:
        raise Denied("You are not a member of this organization")
    return _create(user, name, organization, lifetime_days)


@transaction.atomic
def _create(user: User, name: str, organization: Organization | None, lifetime_days: int) -> tuple[AccessToken, str]:
    secret = (ORGANIZATION_PREFIX if organization else ACCOUNT_PREFIX) + secrets.token_urlsafe(32)
    now = timezone.now()
    token = AccessToken.objects.create(
        user=user,
        organization=organization,
        name=name,
        start=secret[:10],
        digest=digest(secret),
        created_at=now,
        lifetime_days=lifetime_days,
        expires_at=now + timedelta(days=lifetime_days) if lifetime_days else None,
    )
    audit.record_outside(user, "created", token, organization=organization, name=name, lifetime_days=lifetime_days)
    return token, secret


def find(secret: str) -> AccessToken:
    """The token of this secret, with its user and organization. Raises Unauthenticated."""
    return _living(digest=digest(secret))


def renew(token: AccessToken) -> AccessToken:
    """The token as it is now. Raises Unauthenticated once it was revoked or has expired."""
    return _living(pk=token.pk)


def _living(**which: object) -> AccessToken:
    rows = AccessToken.objects.select_related("user", "organization")
    token = rows.filter(user__is_active=True, organization__closed_at=None, **which).first()
    if token is None:
        raise Unauthenticated(UNKNOWN)
    if token.expires_at and token.expires_at <= timezone.now():
        raise Unauthenticated(EXPIRED)
    return token


def record_use(token: AccessToken, *, now: datetime | None = None) -> None:
    """Notes the use, at most once a minute: a token that is used a lot must not cost a write each time."""
    now = now or timezone.now()
    if token.last_used_at and token.last_used_at > now - _RECORD_USE_EVERY:
        return
    stale = Q(last_used_at=None) | Q(last_used_at__lte=now - _RECORD_USE_EVERY)
    AccessToken.objects.filter(stale, pk=token.pk).update(last_used_at=now)


def own(user: User, organization: Organization | None) -> QuerySet[AccessToken]:
    """The user's tokens for the organization, or with None those for the whole account. Newest first."""
    return AccessToken.objects.filter(user=user, organization=organization).order_by("-created_at")


@transaction.atomic
def revoke(revoker: User, *, token: AccessToken) -> None:
    """Ends the token at once. Who may do it is checked at the door: one's own, or the system admin."""
    detail = {"name": token.name, "owner_id": token.user_id}
    audit.record_outside(revoker, "revoked", token, organization=token.organization, **detail)
    token.delete()


def digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()

"""Access tokens: shown once, kept as SHA-256. The secrets are random, so a slow hash would only cost time."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.models import AccessToken, Member, Organization, User
from accounts.services import audit
from kit.errors import Denied, Invalid, NotFound, Unauthenticated
from kit.rows.fixed_select import FixedSelect

ORGANIZATION_PREFIX, ACCOUNT_PREFIX = "org_", "acc_"
UNKNOWN = "Invalid authentication credentials: invalid token"
EXPIRED = "API token expired"
OWN_ONLY = "A token ends itself and the tokens that it made. Sign in to end another."
LIMITED = "This token has a role ceiling or is for uploads only, so it makes no tokens."
# The database keeps no larger whole number; the end itself is bounded by the last day that every time zone can show.
MAX_LIFETIME_DAYS = 2**31 - 1
_LAST_DAY = datetime(9999, 12, 30, tzinfo=UTC)
MAX_FOR_ONE_USER, MAX_GENERATIONS = 1000, 5
_RECORD_USE_EVERY = timedelta(minutes=1)


def create(
    user: User,
    *,
    name: str,
    organization: Organization | None = None,
    lifetime_days: int = 0,
    role_ceiling: str = "",
    upload_only: bool = False,
    made_by: AccessToken | None = None,
) -> tuple[AccessToken, str]:
    """The row and its secret, which is not kept. A lifetime of 0 days never ends.

    A token opens what its user may enter at the time of the call, with at most the role of `role_ceiling`; `made_by` is
    the token that asked for it. Raises Invalid, NotFound for a closed organization, or Denied when the user does not
    belong to the organization and is no system admin, and for more than the maker has.
    """
    token = AccessToken(
        user=user,
        organization=organization,
        name=name.strip(),
        lifetime_days=lifetime_days,
        role_ceiling=role_ceiling,
        upload_only=upload_only,
        made_by=made_by,
        created_at=timezone.now(),
    )
    _check(token)
    token.expires_at = _end_of(token)
    if made_by:
        _check_maker(token, made_by)
    if organization:
        _check_entry(user, organization)
    return token, _store(token)


def _check(token: AccessToken) -> None:
    if not token.name or len(token.name) > 200:
        raise Invalid("A token needs a name of 1 to 200 characters.")
    if not 0 <= token.lifetime_days <= MAX_LIFETIME_DAYS:
        raise Invalid(f"A token lives 1 to {MAX_LIFETIME_DAYS} days, or 0 for no end.")
    if token.user.access_tokens.count() >= MAX_FOR_ONE_USER:
        raise Invalid(f"You have {MAX_FOR_ONE_USER} tokens, the most for one person. Revoke one first.")
    if token.role_ceiling and token.upload_only:
        raise Invalid("A token has a role ceiling or is for uploads only, not both.")


def _end_of(token: AccessToken) -> datetime | None:
    if not token.lifetime_days:
        return None
    days_left = (_LAST_DAY - token.created_at).days
    return token.created_at + timedelta(days=min(token.lifetime_days, days_left))


def _check_maker(token: AccessToken, maker: AccessToken) -> None:
    if maker.is_limited:
        raise Denied(LIMITED)
    if maker.user_id != token.user_id or maker.organization_id not in (None, token.organization_id):
        raise Denied("A token makes tokens of its own user and reach only.")
    if len(list(_with_makers(maker))) >= MAX_GENERATIONS:
        raise Denied("This token was made by one that was made by a token, and so on. Sign in to make another.")
    if maker.expires_at and (token.expires_at is None or token.expires_at > maker.expires_at):
        days = (maker.expires_at - token.created_at).days
        can = f"It can make one of at most {days} days." if days else "It makes none any more."
        raise Denied(f"A token cannot make one that outlives it: this one ends on {maker.expires_at:%Y-%m-%d}. {can}")


def _check_entry(user: User, organization: Organization) -> None:
    if organization.closed_at:
        raise NotFound("Organization not found")
    if not user.is_superuser and not Member.objects.filter(user=user, organization=organization).exists():
        raise Denied("You are not a member of this organization")


@transaction.atomic
def _store(token: AccessToken) -> str:
    if token.made_by and not lock(token.made_by):
        raise Unauthenticated(UNKNOWN)
    secret = (ORGANIZATION_PREFIX if token.organization_id else ACCOUNT_PREFIX) + secrets.token_urlsafe(32)
    token.start, token.digest = secret[:10], digest(secret)
    token.save(force_insert=True)
    audit.record_outside(
        token.user,
        "created",
        token,
        organization=token.organization,
        name=token.name,
        lifetime_days=token.lifetime_days,
        role_ceiling=token.role_ceiling,
        upload_only=token.upload_only,
        made_by=token.made_by_id,
    )
    return secret


def find(secret: str) -> AccessToken:
    """The token of this secret, with its user and organization. Raises Unauthenticated."""
    return _require_valid(_select_by_digest.first(digest(secret)))


def renew(token: AccessToken) -> AccessToken:
    """The token as it is now. Raises Unauthenticated once it was revoked or has expired."""
    return _require_valid(_select_by_id.first(token.pk))


def _select_open() -> QuerySet[AccessToken]:
    rows = AccessToken.objects.select_related("user", "organization", "made_by")
    return rows.filter(user__is_active=True, organization__closed_at=None)


@FixedSelect
def _select_by_digest(digest: str) -> QuerySet[AccessToken]:
    return _select_open().filter(digest=digest)


@FixedSelect
def _select_by_id(token: str) -> QuerySet[AccessToken]:
    return _select_open().filter(pk=token)


def _require_valid(token: AccessToken | None) -> AccessToken:
    if token is None:
        raise Unauthenticated(UNKNOWN)
    if any(_has_ended(each) for each in _with_makers(token)):
        raise Unauthenticated(EXPIRED)
    return token


def _with_makers(token: AccessToken) -> Iterator[AccessToken]:
    """The token, the one that made it, and so on: none outlives its maker, even if that one's end was moved."""
    link: AccessToken | None = token
    while link:
        yield link
        link = link.made_by


def _has_ended(token: AccessToken) -> bool:
    return token.expires_at is not None and token.expires_at <= timezone.now()


def record_use(token: AccessToken, *, address: str = "", now: datetime | None = None) -> None:
    """Notes the use, at most once a minute: a token that is used a lot must not cost a write each time.

    address: where it came from, empty for a process on this machine.
    """
    now = now or timezone.now()
    if token.last_used_at and token.last_used_at > now - _RECORD_USE_EVERY:
        return
    stale = Q(last_used_at=None) | Q(last_used_at__lte=now - _RECORD_USE_EVERY)
    AccessToken.objects.filter(stale, pk=token.pk).update(last_used_at=now, last_used_from=address)


def list_own(user: User, organization: Organization | None) -> QuerySet[AccessToken]:
    """The user's tokens for the organization, or with None those for the whole account. Newest first."""
    return AccessToken.objects.filter(user=user, organization=organization).order_by("-created_at")


@transaction.atomic
def revoke(revoker: User, *, token: AccessToken) -> None:
    """Ends the token at once, and those that it made. Who may do it is checked by the view: one's own, or an admin.

    Raises NotFound when it was revoked already.
    """
    if not lock(token):
        raise NotFound("Token not found")
    for each in token.created_tokens.select_related("organization"):
        with suppress(NotFound):
            revoke(revoker, token=each)
    detail = {"name": token.name, "owner_id": token.user_id}
    audit.record_outside(revoker, "revoked", token, organization=token.organization, **detail)
    token.delete()


@transaction.atomic
def revoke_all(revoker: User, *, user: User) -> int:
    """Ends every token of the user, and says how many."""
    count = user.access_tokens.count()
    while token := user.access_tokens.select_related("organization").first():
        with suppress(NotFound):
            revoke(revoker, token=token)
    return count


def delete_all(rows: QuerySet[AccessToken]) -> None:
    """In a transaction, with the account or the organization that they were for: its own end is what is recorded."""
    list(rows.select_for_update())
    rows.delete()


def lock(token: AccessToken) -> bool:
    """In a transaction: whether the token is there. Who makes something with it and who revokes it wait for each other,
    so neither is lost.
    """
    return AccessToken.objects.select_for_update().filter(pk=token.pk).exists()


def check_reach(maker: AccessToken, token: AccessToken) -> None:
    """Raises Denied unless a request with `maker` may end `token`: itself, and what it made."""
    if not any(each.pk == maker.pk for each in _with_makers(token)):
        raise Denied(OWN_ONLY)


def digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()

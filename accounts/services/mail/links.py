"""Addresses that open something for whoever has them: a new password, an invitation, the proof of an address.

They are signed and stored nowhere. One to a new password ends with its first use, with the next sign-in and after an
hour; one to an invitation with the invitation.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.contrib.auth.tokens import default_token_generator
from django.core import signing
from django.urls import reverse

from accounts.models import Invitation, User
from kit.errors import NotFound
from kit.ids import is_id

RESET_ENDED = "This link has been used, or it is too old. Ask for another one."
INVITATION_ENDED = "This invitation is not there any more. Ask an admin of the organization for another."
CHECK_ENDED = "This link is too old, or the account has another address by now. Ask for another one."
CHECK_LIFETIME = timedelta(days=3)
_INVITATION, _CHECK = "accounts.invitation", "accounts.address_check"


def make_reset_link(user: User) -> str:
    token = default_token_generator.make_token(user)
    return _to_address(reverse("password-reset", args=[user.pk, token]))


def find_reset_user(user_id: str, token: str) -> User:
    """Find the user whose password the link sets. Raises NotFound once it has ended."""
    user = User.objects.filter(pk=user_id, is_active=True).first() if is_id(user_id) else None
    if not default_token_generator.check_token(user, token):
        raise NotFound(RESET_ENDED)
    assert user is not None  # noqa: S101 - there is no token of nobody
    return user


@dataclass(frozen=True)
class OpenedInvitation:
    """`by_mail`: the link went to the address itself, so who has it reads the mail of that address."""

    invitation: Invitation
    by_mail: bool


def make_invitation_token(invitation: Invitation, *, by_mail: bool) -> str:
    return signing.Signer(salt=_INVITATION).sign_object([invitation.pk, by_mail])


def make_invitation_link(invitation: Invitation, *, by_mail: bool) -> str:
    return _to_address(reverse("join", args=[make_invitation_token(invitation, by_mail=by_mail)]))


def find_invitation(token: str) -> OpenedInvitation:
    """Raises NotFound once it was answered or withdrawn, or has ended by itself."""
    try:
        invitation_id, by_mail = signing.Signer(salt=_INVITATION).unsign_object(token)
    except signing.BadSignature:
        raise NotFound(INVITATION_ENDED) from None
    rows = Invitation.objects.open().select_related("organization", "invited_by")
    invitation = rows.filter(pk=invitation_id).first()
    if invitation is None:
        raise NotFound(INVITATION_ENDED)
    return OpenedInvitation(invitation, by_mail)


def make_check_token(user: User) -> str:
    return signing.dumps([user.pk, user.email], salt=_CHECK)


def make_check_link(user: User) -> str:
    return _to_address(reverse("address-check", args=[make_check_token(user)]))


def find_checked_user(token: str) -> User:
    """Find the user whose address the link proves. Raises NotFound once it has ended."""
    try:
        user_id, email = signing.loads(token, salt=_CHECK, max_age=CHECK_LIFETIME)
    except signing.BadSignature:
        raise NotFound(CHECK_ENDED) from None
    user = User.objects.filter(pk=user_id, email=email, is_active=True).first()
    if user is None:
        raise NotFound(CHECK_ENDED)
    return user


def _to_address(path: str) -> str:
    return f"{settings.PUBLIC_URL}{path}"

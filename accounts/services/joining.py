"""A person who opens an invitation's link makes an account and joins, or joins with the one they have."""

from __future__ import annotations

from django.db import transaction

from accounts.models import Member, User
from accounts.services import invitations, users
from accounts.services.mail.links import OpenedInvitation
from accounts.services.sign_in import hashing
from kit.errors import Conflict, Denied, Invalid

HAS_ACCOUNT = "{email} has an account already. Sign in with it, and accept the invitation there."
OF_ANOTHER = "This invitation is for {email}, and you are signed in as {user}. Sign out, and open the link again."


def join(opened: OpenedInvitation, *, name: str, password: str) -> Member:
    """A new account with the invitation's address. Raises Invalid for a taken address or a weak password, NotFound."""
    email = opened.invitation.email
    if User.objects.filter(email=email).exists():
        raise Invalid(HAS_ACCOUNT.format(email=email), code="has_account")
    with hashing.take_place(email):
        password_hash = users.hash_first_password(email, name, password)
    proof = {"email_verified": opened.by_mail, "address_unproven": not opened.by_mail}
    try:
        with transaction.atomic():
            user = users.store(None, email, password_hash, name, **proof)
            return invitations.accept(user, invitation=opened.invitation, has_link=True)
    except Conflict:
        raise Invalid(HAS_ACCOUNT.format(email=email), code="has_account") from None


def accept(user: User, opened: OpenedInvitation) -> Member:
    """Raises Denied for somebody else than was invited, NotFound when it is gone."""
    if user.email != opened.invitation.email:
        raise Denied(OF_ANOTHER.format(email=opened.invitation.email, user=user.email))
    return invitations.accept(user, invitation=opened.invitation, has_link=True)

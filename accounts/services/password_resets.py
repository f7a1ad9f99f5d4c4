"""A new password for who has forgotten theirs: by a link that goes to the address, or that a system admin hands over.

Nothing here tells whether an address has an account: the same row is written for each, and the job that sends it looks.
"""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db import transaction

from accounts.models import OutgoingMail, User
from accounts.services import audit, tokens, users
from accounts.services.mail import links, outbox
from accounts.services.sign_in import hashing, throttle
from accounts.services.sign_in.passwords import check_password
from kit.errors import Denied

RESET = OutgoingMail.Kind.PASSWORD_RESET
MAX_NAMED = 3


def request_link(email: str, *, address: str) -> None:
    """Sends a link to this e-mail address if it has an account. `address` is where the request came from.

    Raises Invalid for what is no e-mail address or without a mail server, TooMany, or Busy.
    """
    outbox.require_server()
    email = users.clean_email(email)
    # Each counts, since none is ever right or wrong.
    throttle.begin_attempt("password-reset", address=address, account=email)
    with transaction.atomic():
        if not outbox.was_queued_lately(RESET, email):
            outbox.queue_mail(RESET, email)


@transaction.atomic
def make_link(maker: User, *, user: User) -> str:
    """For a system admin to hand over. Raises Denied."""
    if not maker.is_superuser:
        raise Denied("Admin access required")
    if not user.is_active:
        raise Denied("This account is switched off, so its password opens nothing.")
    audit.record_outside(maker, "made a link to a new password", user)
    return links.make_reset_link(user)


def set_password(user_id: str, token: str, *, new: str, end_tokens: bool = False) -> User:
    """Uses the link up. Every session of the user ends, and with `end_tokens` or an unproven address every token.

    Raises NotFound for a link that has ended, Invalid for a weak password.
    """
    user = links.find_reset_user(user_id, token)
    with hashing.take_place(user.pk):
        check_password(new, user)
        password_hash = make_password(new)
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        # When two use the link at the same moment, one finds another password there.
        user = links.find_reset_user(user_id, token)
        user.password = password_hash
        user.save(update_fields=["password"])
        # Somebody else may have made an account with an unproven address, and tokens of theirs would stay.
        ended = tokens.revoke_all(user, user=user) if end_tokens or user.address_unproven else 0
        audit.record_outside(user, "reset password", user, tokens_ended=ended)
    return user


def find_contact() -> str:
    """Whom to ask for a link where no mail is sent: HELP_CONTACT, or the names of system admins; empty for neither.

    A visitor reads it, so it holds no address that nobody chose to publish.
    """
    if settings.HELP_CONTACT:
        return str(settings.HELP_CONTACT)
    admins = User.objects.filter(is_superuser=True, is_active=True).exclude(name="").order_by("created_at")
    return " or ".join(admins.values_list("name", flat=True)[:MAX_NAMED])

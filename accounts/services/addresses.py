"""The proof that an address is its user's own: a link that goes there."""

from __future__ import annotations

from django.db import transaction

from accounts.models import OutgoingMail, User
from accounts.services import audit
from accounts.services.mail import links, outbox
from kit.errors import Denied, Invalid

CHECK = OutgoingMail.Kind.ADDRESS_CHECK
IS_PROVEN = "{email} is proven already."


@transaction.atomic
def send_check(sender: User, *, user: User) -> None:
    """To the user's address. Raises Denied for another's, Invalid without a mail server or when it is proven, Busy."""
    if not sender.is_superuser and sender.pk != user.pk:
        raise Denied("Admin access required")
    outbox.require_server()
    if user.email_verified:
        raise Invalid(IS_PROVEN.format(email=user.email))
    if not outbox.was_queued_lately(CHECK, user.email):
        outbox.queue_mail(CHECK, user.email)


@transaction.atomic
def prove(token: str) -> User:
    """Raises NotFound for a link that has ended. Twice is as good as once."""
    user = links.find_checked_user(token)
    if not user.email_verified:
        user.email_verified, user.address_unproven = True, False
        user.save(update_fields=["email_verified", "address_unproven"])
        audit.record_outside(user, "proved the address of", user)
    return user

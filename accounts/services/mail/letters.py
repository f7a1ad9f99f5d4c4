"""The texts of mails. Their links are made at this moment and stand nowhere else."""

from __future__ import annotations

from django.conf import settings
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from accounts.models import Connection, OutgoingMail, Role, User
from accounts.services.mail import links

Kind = OutgoingMail.Kind


def compose(mail: OutgoingMail) -> EmailMessage | None:
    """None when there is nobody to write to any more, or nothing to write about."""
    if mail.kind == Kind.INVITATION:
        return _invite(mail)
    user = User.objects.filter(email=mail.email, is_active=True).first()
    if user is None:
        return None
    if mail.kind == Kind.PROGRAM_ENDED:
        return _tell_ended(mail, user)
    if mail.kind == Kind.BUDGET_SPENT:
        return _tell_spent(mail, user)
    return _reset(mail, user) if mail.kind == Kind.PASSWORD_RESET else _check(mail, user)


def _invite(mail: OutgoingMail) -> EmailMessage | None:
    invitation = mail.invitation
    if invitation is None or invitation.expires_at <= timezone.now():
        return None
    subject = f"{invitation.organization} invites you to DocRouter"
    link = links.make_invitation_link(invitation, by_mail=True)
    return _write(mail, subject, {"invitation": invitation, "link": link})


def _reset(mail: OutgoingMail, user: User) -> EmailMessage:
    return _write(mail, "A new password for DocRouter", {"user": user, "link": links.make_reset_link(user)})


def _check(mail: OutgoingMail, user: User) -> EmailMessage:
    return _write(mail, "Is this your address?", {"user": user, "link": links.make_check_link(user)})


def _tell_ended(mail: OutgoingMail, user: User) -> EmailMessage | None:
    ended = Connection.objects.exclude(ended_for="").filter(token__user=user).order_by("-token__expires_at")
    connection = ended.select_related("token__organization").first()
    if connection is None:
        return None
    address = f"{settings.PUBLIC_URL}{reverse('account')}#tokens"
    return _write(mail, "A connected program was ended", {"connection": connection, "link": address})


def _tell_spent(mail: OutgoingMail, user: User) -> EmailMessage | None:
    """Nothing to whoever is no admin of it any more."""
    organization = mail.organization
    if organization is None or not user.memberships.filter(organization=organization, role=Role.ADMIN).exists():
        return None
    subject = f"{mail.facts['percent']} % of the budget of {organization} is spent"
    link = f"{settings.PUBLIC_URL}{reverse('usage', args=[organization.pk])}"
    return _write(mail, subject, {"organization": organization, "link": link, **mail.facts})


def _write(mail: OutgoingMail, subject: str, context: dict[str, object]) -> EmailMessage:
    body = render_to_string(f"accounts/mail/{mail.kind}.txt", context).strip() + "\n"
    # Out-of-office robots leave such mails unanswered (RFC 3834).
    headers = {"Auto-Submitted": "auto-generated"}
    return EmailMessage(" ".join(subject.split()), body, to=[mail.email], headers=headers)

"""Invitations: how somebody joins an organization by their address, and with their consent.

Nothing here asks whether an address has an account, so an organization's admin cannot learn it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import AuditEntry, Invitation, Member, OutgoingMail, Role, User
from accounts.services import audit, members
from accounts.services.mail import links, outbox
from accounts.services.users import clean_email
from kit import events
from kit.errors import AppError, Conflict, Invalid, NotFound

INVITATION = OutgoingMail.Kind.INVITATION
LIFETIME = timedelta(days=30)
MAX_OPEN = 200
# Each may be a mail to somebody who knows nothing of it.
MAX_A_DAY = 500


@transaction.atomic
def invite(actor: Actor, *, email: str, role: Role) -> Invitation:
    """Invites the address, or once more with this role, by mail where there is a server.

    Raises Invalid, or Conflict for one who is a member.
    """
    actor.require(Role.ADMIN)
    email = clean_email(email)
    members.lock(actor.organization)
    if actor.organization.memberships.filter(user__email=email).exists():
        raise Conflict(f"{email} is a member of {actor.organization} already.")
    rows = actor.organization.invitations
    rows.filter(expires_at__lte=timezone.now()).delete()
    if rows.exclude(email=email).count() >= MAX_OPEN:
        raise Invalid(f"{MAX_OPEN} invitations are open, the most for one organization. Withdraw one first.")
    _refuse_too_many_today(actor)
    invitation, _ = rows.update_or_create(
        email=email, defaults={"role": role, "invited_by": actor.user, "expires_at": timezone.now() + LIFETIME}
    )
    audit.record(actor, "invited", invitation, email=email, role=role.value)
    if outbox.has_server() and not outbox.was_queued_lately(INVITATION, email, invitation=invitation):
        outbox.queue_mail(INVITATION, email, invitation=invitation)
    return invitation


def invite_each(actor: Actor, *, emails: list[str], role: Role) -> tuple[list[Invitation], list[str]]:
    """Invite each address, and answer why some could not be: one refusal does not keep back the others."""
    invited, refused = [], []
    for email in emails:
        try:
            invited.append(invite(actor, email=email, role=role))
        except AppError as error:
            refused.append(error.sentence)
    return invited, list(dict.fromkeys(refused))


def _refuse_too_many_today(actor: Actor) -> None:
    entries = AuditEntry.objects.filter(organization=actor.organization, action="invited")
    if entries.filter(created_at__gt=timezone.now() - timedelta(days=1))[:MAX_A_DAY].count() >= MAX_A_DAY:
        raise Invalid(f"{actor.organization} has invited {MAX_A_DAY} times in a day, the most. Go on tomorrow.")


@transaction.atomic
def withdraw(actor: Actor, *, invitation: Invitation) -> None:
    actor.require(Role.ADMIN)
    invitation = _take(invitation, actor.organization.invitations.all())
    audit.record(actor, "withdrew", invitation, email=invitation.email)


@dataclass(frozen=True)
class SentInvitation:
    """An open invitation, its newest mail, and the link for an admin to hand over; empty while the mail brings it."""

    invitation: Invitation
    mail: OutgoingMail | None
    link: str


def list_sent(rows: QuerySet[Invitation]) -> list[SentInvitation]:
    return [describe_sent(row) for row in rows.order_by("created_at").prefetch_related("mails")]


def describe_sent(invitation: Invitation) -> SentInvitation:
    mail = max(invitation.mails.all(), key=lambda mail: mail.created_at, default=None)
    has_failed = mail is None or mail.status == OutgoingMail.Status.FAILED
    link = links.make_invitation_link(invitation, by_mail=False) if has_failed else ""
    return SentInvitation(invitation, mail, link)


def list_waiting(user: User) -> QuerySet[Invitation]:
    """List invitations that wait for the user's answer. An address that is not proven has none: links serve it."""
    rows = _list_addressed(user).select_related("organization", "invited_by").order_by("created_at")
    return rows.none() if user.address_unproven else rows


def _list_addressed(user: User) -> QuerySet[Invitation]:
    return Invitation.objects.open().filter(email=user.email)


@transaction.atomic
def accept(user: User, *, invitation: Invitation, has_link: bool = False) -> Member:
    """Makes the user a member. Raises NotFound when it was withdrawn or answered meanwhile, or is of another."""
    members.lock(invitation.organization)
    invitation = _take(invitation, _list_addressed(user) if has_link else list_waiting(user))
    member, is_new = Member.objects.get_or_create(
        organization=invitation.organization, user=user, defaults={"role": invitation.role}
    )
    if is_new:
        audit.record_outside(user, "joined", member, organization=invitation.organization, role=member.role)
        group = events.organization_group(invitation.organization_id)
        events.publish(group, "members.changed", user_id=user.pk)
    return member


@transaction.atomic
def decline(user: User, *, invitation: Invitation) -> None:
    """Raises NotFound as `accept` does."""
    invitation = _take(invitation, list_waiting(user))
    audit.record_outside(user, "declined", invitation, organization=invitation.organization, email=invitation.email)


def _take(invitation: Invitation, rows: QuerySet[Invitation]) -> Invitation:
    """The row as it is now, which is deleted. Of two who answer at the same moment one is told that it is gone."""
    current = rows.select_for_update(of=("self",)).filter(pk=invitation.pk).first()
    if current is None:
        raise NotFound(links.INVITATION_ENDED)
    Invitation.objects.filter(pk=current.pk).delete()
    return current

"""Invitations: how somebody joins an organization by their address, and with their consent.

Nothing here asks whether an address has an account, so an organization's admin cannot learn it.
"""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Invitation, Member, Role, User
from accounts.services import audit, members
from accounts.services.users import clean_email
from kit import events
from kit.errors import Conflict, Invalid, NotFound

LIFETIME = timedelta(days=30)
MAX_OPEN = 200
GONE = "This invitation is not there any more. Ask an admin of the organization for another."


@transaction.atomic
def invite(actor: Actor, *, email: str, role: Role) -> Invitation:
    """Invites the address, or once more with this role. Raises Invalid, or Conflict for one who is a member."""
    actor.require(Role.ADMIN)
    email = clean_email(email)
    members.lock(actor.organization)
    if actor.organization.memberships.filter(user__email=email).exists():
        raise Conflict(f"{email} is a member of {actor.organization} already.")
    rows = actor.organization.invitations
    rows.filter(expires_at__lte=timezone.now()).delete()
    if rows.exclude(email=email).count() >= MAX_OPEN:
        raise Invalid(f"{MAX_OPEN} invitations are open, the most for one organization. Withdraw one first.")
    invitation, _ = rows.update_or_create(
        email=email, defaults={"role": role, "invited_by": actor.user, "expires_at": timezone.now() + LIFETIME}
    )
    audit.record(actor, "invited", invitation, email=email, role=role.value)
    return invitation


@transaction.atomic
def withdraw(actor: Actor, *, invitation: Invitation) -> None:
    actor.require(Role.ADMIN)
    invitation = _take(invitation, actor.organization.invitations.all())
    audit.record(actor, "withdrew", invitation, email=invitation.email)


def list_waiting(user: User) -> QuerySet[Invitation]:
    """Those that wait for the user's answer."""
    rows = Invitation.objects.open().filter(email=user.email)
    return rows.select_related("organization", "invited_by").order_by("created_at")


@transaction.atomic
def accept(user: User, *, invitation: Invitation) -> Member:
    """Makes the user a member. Raises NotFound when it was withdrawn or answered meanwhile, or is of another."""
    members.lock(invitation.organization)
    invitation = _take(invitation, list_waiting(user))
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
        raise NotFound(GONE)
    Invitation.objects.filter(pk=current.pk).delete()
    return current

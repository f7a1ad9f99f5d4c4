"""The members of an organization and their roles. There is always an admin left."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from accounts.actor import Actor
from accounts.models import Member, Organization, Role, User
from accounts.services import audit, departures
from kit import events
from kit.errors import Conflict, Invalid, NotFound


def add(actor: Actor, *, user: User, role: Role = Role.BUILDER) -> Member:
    """Makes the user a member. Raises Conflict when they are one already, NotFound when the organization is closed."""
    actor.require(Role.ADMIN)
    try:
        with transaction.atomic():
            lock(actor.organization)
            member = Member.objects.create(organization=actor.organization, user=user, role=role)
            audit.record(actor, "added", member, role=role.value)
            _publish_change(actor, member)
    except IntegrityError:
        raise Conflict(f"{user.shown_name} is a member of {actor.organization} already.") from None
    return member


@transaction.atomic
def change_role(actor: Actor, *, member: Member, role: Role) -> Member:
    """Raises Invalid when no admin would be left."""
    actor.require(Role.ADMIN)
    member = _lock_member(actor, member)
    if role != Role.ADMIN:
        _refuse_last_admin(actor.organization, member)
    before, member.role = member.role, role
    member.save(update_fields=["role"])
    audit.record(actor, "changed role", member, before=before, after=role.value)
    _publish_change(actor, member)
    return member


@transaction.atomic
def replace(actor: Actor, *, roles: Mapping[str, Role]) -> None:
    """Makes these users (id to role) the members, and nobody else.

    Raises Invalid when no admin would be left, or for ids of whom the actor does not know.
    """
    actor.require(Role.ADMIN)
    if Role.ADMIN not in roles.values():
        raise Invalid(f"{actor.organization} needs an admin. Make somebody else admin first.")
    lock(actor.organization)
    members = {member.user_id: member for member in actor.organization.memberships.select_related("user")}
    new = _list_addable_users(actor.user).filter(pk__in=roles.keys() - members.keys())
    if unknown := roles.keys() - members.keys() - {user.pk for user in new}:
        raise Invalid(f"Invalid user IDs: {sorted(unknown)}")
    for user in new:
        add(actor, user=user, role=roles[user.pk])
    # Admins first, so that there is one at every moment.
    for user_id in sorted(members.keys() & roles.keys(), key=lambda user_id: roles[user_id] != Role.ADMIN):
        if members[user_id].role != roles[user_id]:
            change_role(actor, member=members[user_id], role=roles[user_id])
    for user_id in members.keys() - roles.keys():
        remove(actor, member=members[user_id])


@transaction.atomic
def remove(actor: Actor, *, member: Member, heir_id: str = "") -> None:
    """Everyone may leave; only an admin removes others. The heir, a member, takes over what `departures` says.

    Raises Invalid when no admin would be left or the heir cannot take over, NotFound.
    """
    if member.user_id != actor.user.pk:
        actor.require(Role.ADMIN)
    member = _lock_member(actor, member)
    _refuse_last_admin(actor.organization, member)
    heir = departures.find_heir(member, heir_id)
    counts = departures.hand_over(actor, member, heir)
    audit.record(actor, "removed", member, user_id=member.user_id, heir_id=heir.pk if heir else None, **counts)
    # Their own pages hear of it first, by the row's end, and close; only then do the others.
    member.delete()
    _publish_change(actor, member)


def _list_addable_users(user: User) -> QuerySet[User]:
    """Whom one may add by id: for a system admin everybody, else those of one's organizations.

    The others are not there, so that nobody tries ids to see whether they exist; they are invited by their address.
    """
    people = User.objects.filter(deleted_at=None)
    if user.is_superuser:
        return people
    own = Member.objects.filter(user=user).values("organization_id")
    return people.filter(pk__in=Member.objects.filter(organization__in=own).values("user_id"))


def lock(organization: Organization) -> None:
    """Until the commit nobody else changes who belongs to it, or closes it. Raises NotFound when it is closed."""
    rows = Organization.objects.select_for_update(no_key=True).filter(pk=organization.pk, closed_at=None)
    if rows.first() is None:
        raise NotFound("Organization not found")


def _lock_member(actor: Actor, member: Member) -> Member:
    """The membership, under the organization's row lock: two admins cannot step down at the same moment."""
    lock(actor.organization)
    row = Member.objects.select_related("user").filter(pk=member.pk, organization=actor.organization).first()
    if row is None:
        raise NotFound("Member not found")
    return row


def _refuse_last_admin(organization: Organization, member: Member) -> None:
    others = Member.objects.filter(organization=organization, role=Role.ADMIN).exclude(pk=member.pk)
    if member.role == Role.ADMIN and not others.exists():
        raise Invalid(f"{organization} needs an admin. Make somebody else admin first.")


def _publish_change(actor: Actor, member: Member) -> None:
    events.publish(events.organization_group(actor.organization.pk), "members.changed", user_id=member.user_id)

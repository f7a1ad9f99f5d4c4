from __future__ import annotations

from collections.abc import Callable

import pytest

from accounts.access import enter
from accounts.actor import Actor
from accounts.models import AuditEntry, Member, Organization, Role, User
from accounts.services import members, organizations, users
from kit.errors import Conflict, Denied, Invalid, NotFound

pytestmark = pytest.mark.servers

MakeMember = Callable[[Role], Actor]


def membership(actor: Actor) -> Member:
    return Member.objects.get(organization=actor.organization, user=actor.user)


def test_it_makes_the_founder_the_admin_and_leaves_an_audit_row(user: User) -> None:
    organization = organizations.create(user, name=" Delmar ", type="team")
    assert (organization.name, organization.type) == ("Delmar", "team")
    assert enter(user, organization.pk).role == Role.ADMIN
    assert AuditEntry.objects.get(organization=organization).action == "created"


def test_it_takes_a_name_once_whatever_its_case(user: User, organization: Organization) -> None:
    with pytest.raises(Invalid, match="exists already"):
        organizations.create(user, name="ACME")
    with pytest.raises(Invalid, match="needs a name"):
        organizations.create(user, name="  ")


def test_it_limits_how_many_one_person_makes(user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(organizations, "MAX_ORGANIZATIONS_PER_USER", 1)
    organizations.create(user, name="One")
    with pytest.raises(Denied):
        organizations.create(user, name="Two")
    with pytest.raises(Denied):
        organizations.create(user, name="Big", type="enterprise")
    root = users.create(None, email="root@acme.example", password=None, is_superuser=True)
    assert organizations.create(root, name="Big", type="enterprise")


def test_it_adds_a_member_once(actor: Actor, stranger: Actor) -> None:
    assert members.add(actor, user=stranger.user).role == Role.BUILDER
    with pytest.raises(Conflict, match="is a member of Acme already"):
        members.add(actor, user=stranger.user)
    assert AuditEntry.objects.filter(action="added").count() == 1


def test_it_is_for_admins_only(member: MakeMember, stranger: Actor) -> None:
    builder = member(Role.BUILDER)
    for attempt in (
        lambda: members.add(builder, user=stranger.user),
        lambda: members.change_role(builder, member=membership(builder), role=Role.ADMIN),
        lambda: members.remove(builder, member=membership(member(Role.VIEWER))),
    ):
        with pytest.raises(Denied):
            attempt()


def test_it_never_leaves_an_organization_without_an_admin(actor: Actor, member: MakeMember) -> None:
    own = membership(actor)
    for attempt in (
        lambda: members.change_role(actor, member=own, role=Role.BUILDER),
        lambda: members.remove(actor, member=own),
    ):
        with pytest.raises(Invalid, match="needs an admin"):
            attempt()
    member(Role.ADMIN)
    members.change_role(actor, member=own, role=Role.VIEWER)
    assert enter(actor.user, actor.organization.pk).role == Role.VIEWER


def test_it_lets_everyone_leave(member: MakeMember) -> None:
    viewer = member(Role.VIEWER)
    members.remove(viewer, member=membership(viewer))
    with pytest.raises(NotFound):
        enter(viewer.user, viewer.organization.pk)


def test_it_touches_members_of_its_own_organization_only(actor: Actor, stranger: Actor) -> None:
    with pytest.raises(NotFound):
        members.change_role(actor, member=membership(stranger), role=Role.VIEWER)

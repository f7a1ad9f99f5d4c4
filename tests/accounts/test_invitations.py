"""Joining by invitation: with consent, and without telling an admin which addresses have an account."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import AuditEntry, Invitation, Member, Organization, Role, User
from accounts.services import invitations, members, organizations, tokens, users
from kit.errors import Conflict, Denied, Invalid, NotFound

pytestmark = pytest.mark.servers

KNOWN, UNKNOWN = "bea@acme.example", "nia@acme.example"


@pytest.fixture
def bea(db: None) -> User:
    return users.create(None, email=KNOWN, password=None, name="Bea")


@pytest.fixture
def page(client: Client, actor: Actor) -> Client:
    client.force_login(actor.user)
    return client


def at(actor: Actor, rest: str = "") -> str:
    return f"/orgs/{actor.organization.pk}/settings{rest}"


def browser_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_an_unknown_address_and_one_with_an_account_look_alike(page: Client, actor: Actor, bea: User) -> None:
    """The answer, the page that it leads to, and the questions to the database."""
    answers, statements = [], []
    page.get(at(actor))
    for email in (KNOWN, UNKNOWN):
        with CaptureQueriesContext(connection) as queries:
            answer = page.post(at(actor, "/members/invite"), {"email": email, "role": "viewer"}, follow=True)
        answers.append(_without_what_differs(answer.text, email))
        statements.append([re.sub(r"'[^']*'|s\d+_x\d+", "?", query["sql"]) for query in queries])
        Invitation.objects.all().delete()
    assert "is invited" in answers[0] and answers[0] == answers[1]
    assert statements[0] == statements[1]
    assert Member.objects.filter(organization=actor.organization).count() == 1


def _without_what_differs(text: str, email: str) -> str:
    return re.sub(r"[0-9a-f]{24}|[A-Za-z0-9]{64}|/join/[^<]+", "", text.replace(email, "somebody"))


def test_who_is_invited_sees_it_after_signing_in_and_accepts(page: Client, actor: Actor, bea: User) -> None:
    page.post(at(actor, "/members/invite"), {"email": " BEA@acme.example ", "role": "reviewer"})
    assert f"{KNOWN}</span> <span" in page.get(at(actor, "/members")).text
    theirs, invitation = browser_of(bea), Invitation.objects.get()
    for where in ("/", "/account"):
        text = theirs.get(where).text
        assert "Acme" in text and "Admin invites you as reviewer" in re.sub(r"\s+", " ", text)
    joined = theirs.post(f"/account/invitations/{invitation.pk}/accept", follow=True)
    assert "Your role in Acme is reviewer now." in joined.text
    assert Member.objects.get(user=bea).role == Role.REVIEWER
    assert not Invitation.objects.exists()
    assert theirs.post(f"/account/invitations/{invitation.pk}/accept").status_code == 404
    actions = AuditEntry.objects.filter(organization=actor.organization).values_list("action", flat=True)
    assert {"invited", "joined"} <= set(actions)


def test_whoever_is_in_an_organization_already_hears_of_it_at_home(actor: Actor, stranger: Actor) -> None:
    invitations.invite(actor, email=stranger.user.email, role=Role.VIEWER)
    text = browser_of(stranger.user).get("/", follow=True).text
    assert "You are invited to another organization." in text


def test_it_can_be_declined_and_withdrawn(page: Client, actor: Actor, bea: User) -> None:
    invitation = invitations.invite(actor, email=KNOWN, role=Role.VIEWER)
    assert browser_of(bea).post(f"/account/invitations/{invitation.pk}/decline").status_code == 302
    assert not Invitation.objects.exists()
    invitation = invitations.invite(actor, email=KNOWN, role=Role.VIEWER)
    page.post(at(actor, f"/invitations/{invitation.pk}/withdraw"))
    with pytest.raises(NotFound, match="not there any more"):
        invitations.accept(bea, invitation=invitation)
    assert not Member.objects.filter(user=bea).exists()


def test_nobody_else_accepts_it_and_nobody_too_late(actor: Actor, stranger: Actor, bea: User) -> None:
    invitation = invitations.invite(actor, email=KNOWN, role=Role.ADMIN)
    for act in ("accept", "decline"):
        path = f"/account/invitations/{invitation.pk}/{act}"
        assert browser_of(stranger.user).post(path).status_code == 404
    with pytest.raises(NotFound):
        invitations.accept(stranger.user, invitation=invitation)
    invitation.expires_at = timezone.now() - timedelta(seconds=1)
    invitation.save()
    with pytest.raises(NotFound):
        invitations.accept(bea, invitation=invitation)
    assert browser_of(bea).post(f"/account/invitations/{invitation.pk}/accept").status_code == 404
    assert Member.objects.filter(organization=actor.organization).count() == 1


def test_nobody_joins_a_closed_organization(actor: Actor, bea: User) -> None:
    invitation = invitations.invite(actor, email=KNOWN, role=Role.ADMIN)
    organizations.close(actor)
    assert not invitations.list_waiting(bea).exists()
    with pytest.raises(NotFound):
        invitations.accept(bea, invitation=invitation)


def test_inviting_again_changes_the_role_and_a_member_is_not_invited(actor: Actor, member: Callable) -> None:
    invitations.invite(actor, email=UNKNOWN, role=Role.VIEWER)
    assert invitations.invite(actor, email=UNKNOWN.upper(), role=Role.BUILDER).role == Role.BUILDER
    assert Invitation.objects.count() == 1
    with pytest.raises(Conflict, match="is a member of Acme already"):
        invitations.invite(actor, email=member(Role.VIEWER, KNOWN).user.email, role=Role.ADMIN)
    with pytest.raises(Denied):
        invitations.invite(member(Role.BUILDER), email=UNKNOWN, role=Role.VIEWER)


def test_one_gets_the_role_that_holds_when_one_accepts(actor: Actor, bea: User) -> None:
    page_shown_before = invitations.invite(actor, email=KNOWN, role=Role.ADMIN)
    invitations.invite(actor, email=KNOWN, role=Role.VIEWER)
    assert invitations.accept(bea, invitation=page_shown_before).role == Role.VIEWER


def test_a_role_that_one_has_already_stays(actor: Actor, bea: User) -> None:
    invitation = invitations.invite(actor, email=KNOWN, role=Role.ADMIN)
    members.add(actor, user=bea, role=Role.VIEWER)
    assert invitations.accept(bea, invitation=invitation).role == Role.VIEWER


def test_an_organization_has_a_bounded_number(actor: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(invitations, "MAX_OPEN", 1)
    old = invitations.invite(actor, email=KNOWN, role=Role.VIEWER)
    invitations.invite(actor, email=KNOWN, role=Role.BUILDER)
    with pytest.raises(Invalid, match="the most for one organization"):
        invitations.invite(actor, email=UNKNOWN, role=Role.VIEWER)
    Invitation.objects.filter(pk=old.pk).update(expires_at=timezone.now())
    assert invitations.invite(actor, email=UNKNOWN, role=Role.VIEWER)


class TestOverTheApi:
    """Members are named by their ids, which one knows of those one works with."""

    def put(self, api: Callable, user: User, organization: Organization, *added: str) -> tuple[int, object]:
        sent = [{"user_id": user.pk, "role": "admin"}, *({"user_id": pk, "role": "user"} for pk in added)]
        client = api(tokens.create(user, name="k")[1])
        answer = client.put(f"/v0/account/organizations/{organization.pk}", {"members": sent})
        return answer.status_code, answer.json().get("detail")

    def test_an_id_of_a_stranger_and_one_of_nobody_look_alike(self, actor: Actor, bea: User, api: Callable) -> None:
        unknown = "0123456789abcdef01234567"
        for wrong in (bea.pk, unknown):
            refused = (400, f"Invalid user IDs: ['{wrong}']")
            assert self.put(api, actor.user, actor.organization, wrong) == refused
        assert actor.organization.memberships.count() == 1

    def test_those_of_another_organization_of_ones_own_are_added(
        self, actor: Actor, member: Callable, api: Callable
    ) -> None:
        other = organizations.create(actor.user, name="Second")
        assert self.put(api, actor.user, other, member(Role.VIEWER).user.pk)[0] == 200
        assert other.memberships.count() == 2

    def test_a_system_admin_adds_anybody(self, actor: Actor, bea: User, api: Callable) -> None:
        User.objects.filter(pk=actor.user.pk).update(is_superuser=True)
        assert self.put(api, actor.user, actor.organization, bea.pk)[0] == 200

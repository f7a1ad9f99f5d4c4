"""Who leaves an organization, and what becomes of what they owned there."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import AccessToken, AuditEntry, Member, Role
from accounts.services import members, tokens
from accounts.services.activity import record_activity
from agent.models import Rule, Thread, Turn
from documents.models import Document
from kit.errors import Invalid, NotFound

pytestmark = pytest.mark.servers

MakeMember = Callable[[Role], Actor]


@pytest.fixture
def leaver(member: MakeMember) -> Actor:
    return member(Role.REVIEWER)


def leave(actor: Actor, heir: Actor | None = None, *, by: Actor | None = None) -> AuditEntry:
    row = Member.objects.select_related("user").get(organization=actor.organization, user=actor.user)
    members.remove(by or actor, member=row, heir_id=heir.user.pk if heir else "")
    return AuditEntry.objects.get(action="removed")


def begin_thread(actor: Actor, *, private: bool = False) -> Thread:
    about = {"size": 1, "sha256": "0", "media_type": "", "file": "a", "name": "a.txt"}
    document = Document.objects.create(organization=actor.organization, **about) if not private else None
    return Thread.objects.create(
        organization=actor.organization, document=document, owner=actor.user, mode="auto", private=private
    )


def allow(actor: Actor, scope: str, thread: Thread | None = None) -> Rule:
    user = actor.user if scope == "user" else None
    about = {"tool": "run_extraction", "verdict": "allow", "created_by": actor.user}
    return Rule.objects.create(organization=actor.organization, scope=scope, thread=thread, user=user, **about)


def test_tokens_of_the_organization_end_and_others_stay(leaver: Actor) -> None:
    maker, _ = tokens.create(leaver.user, name="here", organization=leaver.organization)
    tokens.create(leaver.user, name="made", organization=leaver.organization, lifetime_days=1, made_by=maker)
    tokens.create(leaver.user, name="everywhere")
    entry = leave(leaver)
    assert [token.name for token in AccessToken.objects.all()] == ["everywhere"]
    assert (entry.detail["tokens"], entry.detail["heir_id"]) == (2, None)


def test_open_threads_go_to_the_heir_and_ask_there(actor: Actor, leaver: Actor) -> None:
    """The heir's rights are more than those with which the turn was begun."""
    thread, private = begin_thread(leaver), begin_thread(leaver, private=True)
    turn = Turn.objects.create(
        thread=thread, number=1, model="m", max_rounds=1, limit_micros=1, code_version="0", auto_approved=["*"]
    )
    entry = leave(leaver, actor, by=actor)
    thread.refresh_from_db()
    private.refresh_from_db()
    turn.refresh_from_db()
    assert (thread.owner, thread.mode) == (actor.user, "ask")
    assert (turn.role_ceiling, turn.auto_approved) == ("reviewer", [])
    assert private.owner == leaver.user
    assert entry.detail["threads"] == 1


def test_what_they_allowed_ends(actor: Actor, leaver: Actor) -> None:
    thread, others = begin_thread(leaver), begin_thread(actor)
    ended = [allow(leaver, "user"), allow(leaver, "thread", thread), allow(actor, "thread", thread)]
    kept = [allow(actor, "organization"), allow(actor, "user"), allow(actor, "thread", others)]
    assert leave(leaver, actor).detail["rules"] == 3
    assert set(Rule.objects.filter(revoked_at=None)) == set(kept)
    assert {rule.revoked_by for rule in Rule.objects.exclude(revoked_at=None)} == {leaver.user}
    assert len(ended) == 3


def test_without_an_heir_the_threads_stay_closed(actor: Actor, leaver: Actor) -> None:
    thread = begin_thread(leaver)
    assert leave(leaver, by=actor).detail["threads"] == 0
    assert Thread.objects.get(pk=thread.pk).owner == leaver.user


def test_the_heir_is_another_member_who_talks_to_the_agent(leaver: Actor, stranger: Actor, member: MakeMember) -> None:
    for heir, error in ((stranger, NotFound), (leaver, NotFound), (member(Role.VIEWER), Invalid)):
        with pytest.raises(error):
            leave(leaver, heir)
    assert Member.objects.filter(user=leaver.user).exists()


def test_one_leaves_on_the_settings_page(client: Client, actor: Actor, leaver: Actor) -> None:
    thread = begin_thread(leaver)
    client.force_login(leaver.user)
    path = f"/orgs/{actor.organization.pk}/settings/members"
    row = Member.objects.get(user=leaver.user)
    assert f'name="heir"><option value="{actor.user.pk}">' in client.get(f"{path}/{row.pk}/remove").text
    client.post(f"{path}/{row.pk}/remove", {"heir": actor.user.pk})
    assert Thread.objects.get(pk=thread.pk).owner == actor.user
    assert client.get(path).status_code == 404


def test_one_leaves_over_the_api(actor: Actor, leaver: Actor, signed_in: Callable, api: Callable) -> None:
    thread = begin_thread(leaver)
    theirs = signed_in(api(""), leaver)
    at = f"/v0/orgs/{actor.organization.pk}/members"
    assert theirs.delete(f"{at}/{actor.user.pk}").status_code == 403
    assert theirs.delete(f"{at}/{leaver.user.pk}?heir_id={actor.user.pk}").status_code == 200
    assert Thread.objects.get(pk=thread.pk).owner == actor.user
    assert signed_in(api(""), actor).delete(f"{at}/{leaver.user.pk}").status_code == 404


class TestActivity:
    def find(self, actor: Actor) -> Member:
        return Member.objects.get(organization=actor.organization, user=actor.user)

    def test_a_page_notes_it_and_not_each_time(self, client: Client, actor: Actor) -> None:
        client.force_login(actor.user)
        path, began = f"/orgs/{actor.organization.pk}/settings/members", timezone.now()
        assert "never" in client.get(path).text or self.find(actor).last_active_at
        first = self.find(actor).last_active_at
        assert first and first >= began
        assert ">today<" in client.get(path).text
        assert self.find(actor).last_active_at == first
        Member.objects.update(last_active_at=began - timedelta(minutes=6))
        client.get(path)
        assert self.find(actor).last_active_at > first

    def test_of_two_requests_at_once_one_writes(self, actor: Actor) -> None:
        record_activity(actor)
        first = self.find(actor).last_active_at
        record_activity(actor)  # as it was when both of them began
        assert first and self.find(actor).last_active_at == first

    def test_a_script_is_not_its_owner(self, actor: Actor, api_as: Callable) -> None:
        assert api_as(actor).get(f"/v0/orgs/{actor.organization.pk}/tags").status_code == 200
        assert self.find(actor).last_active_at is None

    def test_only_admins_see_it(self, actor: Actor, leaver: Actor, signed_in: Callable, api: Callable) -> None:
        path = f"/orgs/{actor.organization.pk}"
        for who, sees in ((actor, True), (leaver, False)):
            client = signed_in(api(""), who)
            client.get(f"/v0{path}/tags")
            assert ("Last active" in client.get(f"{path}/settings/members").content.decode()) == sees
            (organization,) = client.get("/v0/account/organizations").json()["organizations"]
            assert all(("last_active_at" in row) == sees for row in organization["members"])
            assert self.find(who).last_active_at

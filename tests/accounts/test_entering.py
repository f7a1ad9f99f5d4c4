"""Who enters an organization: its members who are switched on, and nobody one that is closed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from accounts.access import enter
from accounts.actor import Actor
from accounts.models import AccessToken, Member, Organization, Role, User
from accounts.services import members, organizations, tokens
from agent.conversation import threads
from agent.models import Thread
from agent.policy import policy_context
from documents.autosetup import auto_setup
from documents.models import AutoSetup, Document
from kit.errors import Conflict, NotFound, Unauthenticated
from tests.conftest import ApiClient
from tests.rows import one_of_each

MakeClient = Callable[[str], ApiClient]
GONE = (404, {"detail": "Organization not found"})


def switch_off(user: User) -> User:
    User.objects.filter(pk=user.pk).update(is_active=False)
    return User.objects.get(pk=user.pk)


def test_a_user_who_is_switched_off_enters_nothing(actor: Actor) -> None:
    with pytest.raises(NotFound):
        enter(switch_off(actor.user), actor.organization.pk)


def test_the_agent_works_for_nobody_who_is_switched_off(actor: Actor) -> None:
    thread = threads.create(actor)
    switch_off(actor.user)
    with pytest.raises(NotFound, match="so nothing in it runs"):
        policy_context.owner_of(Thread.objects.get(pk=thread.pk))


def test_automatic_setup_works_for_nobody_who_is_switched_off(actor: Actor) -> None:
    auto = one_of_each(actor)[AutoSetup]
    switch_off(actor.user)
    with pytest.raises(Conflict):
        auto_setup.enter_as_requester(AutoSetup.objects.get(pk=auto.pk))


def test_tokens_of_a_user_who_is_switched_off_open_nothing(actor: Actor, api: MakeClient) -> None:
    of_organization = tokens.create(actor.user, name="k", organization=actor.organization)[1]
    of_account = tokens.create(actor.user, name="k")[1]
    switch_off(actor.user)
    for secret in (of_organization, of_account):
        assert api(secret).get(f"/v0/orgs/{actor.organization.pk}/documents").status_code == 401


@pytest.fixture
def closed(actor: Actor) -> Organization:
    """A closed organization with a membership and a token that were not ended with it."""
    organizations.close(actor)
    Member.objects.create(organization=actor.organization, user=actor.user, role=Role.ADMIN)
    return Organization.objects.get(pk=actor.organization.pk)


def test_nobody_enters_a_closed_organization(actor: Actor, closed: Organization, api: MakeClient, client) -> None:
    with pytest.raises(NotFound):
        enter(actor.user, closed.pk)
    client.force_login(actor.user)
    assert client.get(f"/orgs/{closed.pk}/documents").status_code == 404
    assert closed.name not in client.get("/").text
    answer = api(tokens.create(actor.user, name="k")[1]).put(f"/v0/account/organizations/{closed.pk}", {"name": "x"})
    assert answer.status_code == 403


def test_no_token_is_made_for_a_closed_organization_and_none_opens_it(closed: Organization, actor: Actor) -> None:
    with pytest.raises(NotFound):
        tokens.create(actor.user, name="k", organization=closed)
    secret = tokens.create(actor.user, name="k")[1]
    AccessToken.objects.update(organization=closed)
    with pytest.raises(Unauthenticated):
        tokens.find(secret)


def test_nobody_is_added_to_a_closed_organization(closed: Organization, actor: Actor, stranger: Actor) -> None:
    with pytest.raises(NotFound):
        members.add(actor, user=stranger.user)


def test_not_even_a_system_admin_opens_a_closed_organization(
    closed: Organization, stranger: Actor, api: MakeClient
) -> None:
    User.objects.filter(pk=stranger.user.pk).update(is_superuser=True)
    root, tokens_here = api(tokens.create(stranger.user, name="k")[1]), f"/v0/orgs/{closed.pk}/access_tokens"
    own = f"/v0/account/organizations/{closed.pk}"
    for answer in (
        root.get(tokens_here),
        root.post(tokens_here, {"name": "x", "lifetime": 1}),
        root.delete(f"{tokens_here}/x"),
        root.put(own, {"name": "x"}),
        root.delete(own),
    ):
        assert (answer.status_code, answer.json()) == GONE
    assert closed.pk not in root.get("/v0/account/organizations").content.decode()


def test_what_a_closed_organization_had_asked_for_ends(actor: Actor) -> None:
    auto = one_of_each(actor)[AutoSetup]
    organizations.close(actor)
    thread = Thread.objects.get(document=Document.objects.get(pk=auto.document_id))
    with pytest.raises(Conflict):
        auto_setup.enter_as_requester(AutoSetup.objects.get(pk=auto.pk))
    with pytest.raises(NotFound):
        policy_context.owner_of(thread)

"""What a token may make and end, and that it never does more than its maker, its user or its limits."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core.files.base import ContentFile
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import AccessToken, AuditEntry, Member, Role, User
from accounts.services import invitations, tokens
from agent.conversation import threads
from agent.policy.policy_context import Policy
from agent.toolkit.registry import Reach, registry
from agent.turns import turns
from kit.errors import Denied
from tests.conftest import ApiClient

MakeClient = Callable[[str], ApiClient]
ACCOUNT = "/v0/account/access_tokens"
NEW = {"name": "n", "lifetime": 0}


@pytest.fixture
def path(actor: Actor) -> str:
    return f"/v0/orgs/{actor.organization.pk}/access_tokens"


@pytest.mark.parametrize("limits", [{"role_ceiling": role} for role in Role] + [{"upload_only": True}])
def test_a_limited_token_makes_none(actor: Actor, api: MakeClient, path: str, limits: dict[str, object]) -> None:
    for organization, where in ((None, ACCOUNT), (None, path), (actor.organization, path)):
        client = api(tokens.create(actor.user, name="k", organization=organization, **limits)[1])
        assert client.post(where, NEW).status_code == 403
    assert AccessToken.objects.count() == 3


def test_a_token_makes_none_that_outlives_it(actor: Actor, api: MakeClient, path: str) -> None:
    maker, secret = tokens.create(actor.user, name="k", lifetime_days=10)
    client = api(secret)
    for where in (ACCOUNT, path):
        for lifetime in (0, 10, 86_400):
            answer = client.post(where, {"name": "n", "lifetime": lifetime})
            assert (answer.status_code, "at most 9 days" in answer.json()["detail"]) == (403, True), lifetime
        answer = client.post(where, {"name": "n", "lifetime": 9})
        assert (answer.status_code, answer.json()["made_by"]) == (200, maker.pk)
    AccessToken.objects.filter(pk=maker.pk).update(expires_at=timezone.now() + timedelta(hours=2))
    assert "It makes none any more." in client.post(ACCOUNT, {"name": "n", "lifetime": 1}).json()["detail"]


def test_what_a_token_made_ends_with_it(actor: Actor, api: MakeClient) -> None:
    maker, secret = tokens.create(actor.user, name="k")
    child = api(secret).post(ACCOUNT, NEW).json()
    grandchild = api(child["token"]).post(ACCOUNT, NEW).json()
    AccessToken.objects.filter(pk=maker.pk).update(expires_at=timezone.now())
    answer = api(grandchild["token"]).get(ACCOUNT)
    assert (answer.status_code, answer.json()["detail"]) == (401, tokens.EXPIRED)
    tokens.revoke(actor.user, token=maker)
    assert api(grandchild["token"]).get(ACCOUNT).json()["detail"] == tokens.UNKNOWN
    assert not AccessToken.objects.exists()
    assert AuditEntry.objects.filter(action="revoked").count() == 3


def test_a_token_ends_itself_and_what_it_made_alone(actor: Actor, api: MakeClient, path: str) -> None:
    other, _ = tokens.create(actor.user, name="other", organization=actor.organization)
    other_of_account, _ = tokens.create(actor.user, name="other")
    maker, secret = tokens.create(actor.user, name="k")
    client = api(secret)
    child_id = client.post(path, NEW).json()["id"]
    for where, row in ((path, other), (ACCOUNT, other_of_account)):
        answer = client.delete(f"{where}/{row.pk}")
        assert (answer.status_code, "Sign in to end another" in answer.json()["detail"]) == (403, True)
    assert client.delete(f"{path}/{child_id}").status_code == 200
    assert client.delete(f"{ACCOUNT}/{maker.pk}").status_code == 200
    assert set(AccessToken.objects.all()) == {other, other_of_account}


def test_tokens_do_not_make_each_other_for_ever(actor: Actor, api: MakeClient) -> None:
    secret, answers = tokens.create(actor.user, name="k")[1], []
    for _ in range(tokens.MAX_GENERATIONS):
        answers.append(api(secret).post(ACCOUNT, NEW))
        secret = answers[-1].json().get("token", "")
    assert [answer.status_code for answer in answers] == [200] * (tokens.MAX_GENERATIONS - 1) + [403]


def test_a_token_makes_none_of_a_wider_reach_or_of_another(actor: Actor, stranger: Actor) -> None:
    narrow, _ = tokens.create(actor.user, name="k", organization=actor.organization)
    wide, _ = tokens.create(actor.user, name="k")
    with pytest.raises(Denied):
        tokens.create(actor.user, name="n", made_by=narrow)
    with pytest.raises(Denied):
        tokens.create(stranger.user, name="n", made_by=wide)


def test_it_acts_with_the_smaller_of_ceiling_and_role_at_each_call(actor: Actor, api: MakeClient) -> None:
    tags = f"/v0/orgs/{actor.organization.pk}/tags"
    client = api(tokens.create(actor.user, name="k", role_ceiling=Role.BUILDER)[1])
    assert client.post(tags, {"name": "a"}).status_code == 200
    Member.objects.filter(user=actor.user).update(role=Role.VIEWER)
    assert (client.post(tags, {"name": "b"}).status_code, client.get(tags).status_code) == (403, 200)


def test_a_ceiling_takes_the_rights_of_a_system_admin(actor: Actor, stranger: Actor, api: MakeClient) -> None:
    User.objects.filter(pk=actor.user.pk).update(is_superuser=True)
    client = api(tokens.create(actor.user, name="k", role_ceiling=Role.ADMIN)[1])
    assert client.get("/v0/account/llm/providers").status_code == 403
    assert client.get(f"/v0/orgs/{stranger.organization.pk}/access_tokens").status_code == 403
    assert client.get("/v0/account/organizations").json()["total_count"] == 1
    assert client.get("/v0/account/users").json()["total_count"] == 1


@pytest.mark.parametrize(("ceiling", "seen"), [("", 1), ("admin", 1), ("builder", 0), ("viewer", 0)])
def test_a_limited_token_gets_no_link_by_which_an_admin_would_join(
    actor: Actor, api: MakeClient, ceiling: str, seen: int
) -> None:
    invitations.invite(actor, email="nia@acme.example", role=Role.ADMIN)
    client = api(tokens.create(actor.user, name="k", role_ceiling=ceiling)[1])
    sent = client.get("/v0/account/email/invitations").json()["invitations"]
    assert [bool(row["link"]) for row in sent] == [not ceiling] * seen


def test_the_agent_of_a_limited_token_does_no_more_than_the_token(actor: Actor) -> None:
    thread, tool = threads.create(actor), registry.find("create_schema")
    for ceiling, outcome in (("reviewer", "deny"), ("builder", "ask"), ("", "ask")):
        token, _ = tokens.create(actor.user, name="k", organization=actor.organization, role_ceiling=ceiling)
        by_token = Actor(actor.user, actor.organization, token.limit(actor.role), token)
        turn = turns.start(by_token, thread=thread, text="Hello")
        assert Policy(thread).judge(tool, turn, reach=Reach.DOCUMENT, actor=actor, arguments={}).outcome == outcome


def test_a_token_for_uploads_acts_as_a_reviewer_at_most(actor: Actor) -> None:
    token, _ = tokens.create(actor.user, name="Scanner", organization=actor.organization, upload_only=True)
    assert [token.limit(role) for role in Role] == [Role.VIEWER, Role.REVIEWER, Role.REVIEWER, Role.REVIEWER]


def test_a_token_for_uploads_uploads(actor: Actor, api: MakeClient) -> None:
    client = api(tokens.create(actor.user, name="Scanner", organization=actor.organization, upload_only=True)[1])
    where = f"/v0/orgs/{actor.organization.pk}/documents"
    sent = {"documents": [{"name": "a.txt", "content": "VG90YWwgMQ=="}]}
    assert client.post(where, sent).status_code == 200
    form = {"file": ContentFile(b"Total 2", name="b.txt")}
    assert client.post(f"{where}/multipart", form, format="multipart").status_code == 200
    refused = client.get(where)
    assert (refused.status_code, refused.json()) == (403, {"detail": "This token is for uploads only."})


def test_a_limited_token_is_asked_for_by_name(actor: Actor, api: MakeClient) -> None:
    client = api(tokens.create(actor.user, name="k")[1])
    token = client.post(ACCOUNT, {**NEW, "role_ceiling": "viewer"}).json()
    assert (token["role_ceiling"], token["upload_only"]) == ("viewer", False)
    token = client.post(ACCOUNT, {**NEW, "upload_only": True, "role_ceiling": None}).json()
    assert (token["role_ceiling"], token["upload_only"]) == (None, True)
    assert client.post(ACCOUNT, {**NEW, "role_ceiling": "king"}).status_code == 422
    assert client.post(ACCOUNT, {**NEW, "role_ceiling": "viewer", "upload_only": True}).status_code == 400
    listed = client.get(ACCOUNT).json()["access_tokens"]
    assert [(row["role_ceiling"], row["upload_only"]) for row in listed] == [
        (None, True),
        ("viewer", False),
        (None, False),
    ]


@pytest.mark.parametrize("days", [3651, 86_400, 2**31 - 1])
def test_a_lifetime_may_be_as_long_as_a_client_likes(actor: Actor, api: MakeClient, days: int) -> None:
    client = api(tokens.create(actor.user, name="k")[1])
    answer = client.post(ACCOUNT, {"name": "n", "lifetime": days})
    assert (answer.status_code, answer.json()["lifetime"]) == (200, days)
    assert answer.json()["expires_at"] <= "9999-12-31"
    assert api(answer.json()["token"]).get(ACCOUNT).status_code == 200
    assert client.post(ACCOUNT, {"name": "n", "lifetime": days + 2**31}).status_code == 422


def test_one_person_has_a_bounded_number(actor: Actor, api: MakeClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "MAX_FOR_ONE_USER", 2)
    client = api(tokens.create(actor.user, name="k")[1])
    assert client.post(ACCOUNT, NEW).status_code == 200
    full = client.post(ACCOUNT, NEW)
    assert (full.status_code, "the most for one person" in full.json()["detail"]) == (400, True)

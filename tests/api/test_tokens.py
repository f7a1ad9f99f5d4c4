from __future__ import annotations

from collections.abc import Callable

import pytest

from accounts.actor import Actor
from accounts.models import Role, User
from accounts.services import tokens
from tests.conftest import ApiClient

MakeClient = Callable[[str], ApiClient]


@pytest.fixture
def viewer(member: Callable[[Role], Actor]) -> Actor:
    return member(Role.VIEWER)


@pytest.mark.parametrize(("of_account", "prefix"), [(False, "org_"), (True, "acc_")])
def test_it_makes_lists_and_ends_ones_own_tokens(api: MakeClient, viewer: Actor, of_account: bool, prefix: str) -> None:
    path = "/v0/account/access_tokens" if of_account else f"/v0/orgs/{viewer.organization.pk}/access_tokens"
    client = api(tokens.create(viewer.user, name="first")[1])
    creation = client.post(path, {"name": "Scanner", "lifetime": 30})
    assert creation.status_code == 200
    secret = creation.json()["token"]
    assert (secret[:4], len(secret)) == (prefix, 47)
    assert creation.json()["organization_id"] == (None if of_account else viewer.organization.pk)
    listed = client.get(path).json()["access_tokens"][0]
    assert (listed["id"], listed["token"], listed["lifetime"]) == (creation.json()["id"], secret[:10], 30)
    assert secret not in client.get(path).content.decode()
    assert api(secret).get(path).status_code == 200
    ended = client.delete(f"{path}/{creation.json()['id']}")
    assert (ended.status_code, ended.json()) == (200, {"message": "Token deleted successfully"})
    assert api(secret).get(path).status_code == 401


def test_it_shows_and_ends_nobody_elses_tokens(api: MakeClient, viewer: Actor, actor: Actor) -> None:
    path = f"/v0/orgs/{viewer.organization.pk}/access_tokens"
    token, secret = tokens.create(viewer.user, name="theirs", organization=viewer.organization)
    admin = api(tokens.create(actor.user, name="k")[1])
    assert admin.get(path).json() == {"access_tokens": []}
    for unknown in (token.pk, "nonsense"):
        answer = admin.delete(f"{path}/{unknown}")
        assert (answer.status_code, answer.json()) == (404, {"detail": "Token not found"})
    assert api(secret).get(path).status_code == 200


def test_it_wants_a_name_and_a_lifetime(api: MakeClient, viewer: Actor) -> None:
    client = api(tokens.create(viewer.user, name="first")[1])
    answer = client.post("/v0/account/access_tokens", {"lifetime": -1})
    assert answer.status_code == 422
    assert {fault["loc"][1] for fault in answer.json()["detail"]} == {"name", "lifetime"}


def test_a_system_admin_keeps_tokens_of_an_organization_without_being_in_it(
    api: MakeClient, actor: Actor, stranger: Actor
) -> None:
    path = f"/v0/orgs/{stranger.organization.pk}/access_tokens"
    client = api(tokens.create(actor.user, name="k")[1])
    refused = (403, {"detail": "You are not a member of this organization"})
    for answer in (client.get(path), client.post(path, {"name": "x", "lifetime": 0}), client.delete(f"{path}/x")):
        assert (answer.status_code, answer.json()) == refused
    User.objects.filter(pk=actor.user.pk).update(is_superuser=True)
    token = client.post(path, {"name": "Operator", "lifetime": 1}).json()
    assert (token["token"][:4], token["organization_id"]) == ("org_", stranger.organization.pk)
    assert [row["id"] for row in client.get(path).json()["access_tokens"]] == [token["id"]]
    # The token opens what its user may enter: not the documents.
    own = api(token["token"])
    assert own.get(path).status_code == 200
    documents = own.get(f"/v0/orgs/{stranger.organization.pk}/documents")
    assert (documents.status_code, documents.json()) == refused
    assert client.delete(f"{path}/{token['id']}").status_code == 200
    unknown = client.get("/v0/orgs/0123456789abcdef01234567/access_tokens")
    assert (unknown.status_code, unknown.json()) == (404, {"detail": "Organization not found"})

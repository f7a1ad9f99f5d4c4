from __future__ import annotations

from collections.abc import Callable

import pytest

from accounts.actor import Actor
from accounts.models import Organization, Role, User
from accounts.services import tokens
from tests.conftest import ApiClient

pytestmark = pytest.mark.servers

PATH = "/v0/account/organizations"
MakeClient = Callable[[str], ApiClient]


@pytest.fixture
def client(api: MakeClient, actor: Actor) -> ApiClient:
    return api(tokens.create(actor.user, name="k")[1])


def test_it_lists_ones_own_with_the_true_role_beside_the_published_one(
    client: ApiClient, actor: Actor, member: Callable[[Role], Actor], stranger: Actor
) -> None:
    viewer = member(Role.VIEWER)
    answer = client.get(PATH)
    assert answer.status_code == 200
    assert (answer.json()["total_count"], answer.json()["skip"]) == (1, 0)
    (row,) = answer.json()["organizations"]
    assert row["id"] == actor.organization.pk
    assert row["members"] == [
        {"user_id": actor.user.pk, "role": "admin", "docrouter_role": "admin", "last_active_at": None},
        {"user_id": viewer.user.pk, "role": "user", "docrouter_role": "viewer", "last_active_at": None},
    ]
    assert (row["type"], row["created_at"][-1]) == ("team", "Z")


def test_it_asks_the_database_the_same_for_few_and_for_many(
    client: ApiClient, actor: Actor, member: Callable[[Role], Actor], django_assert_max_num_queries
) -> None:
    client.get(PATH)
    for number in range(4):
        client.post(PATH, {"name": f"Org {number}"})
        member(Role.VIEWER)
    with django_assert_max_num_queries(4):  # token, rows, members, count
        assert client.get(PATH).json()["total_count"] == 5


def test_it_makes_an_organization_of_which_one_is_the_admin(client: ApiClient, actor: Actor) -> None:
    answer = client.post(PATH, {"name": "New"})
    assert answer.status_code == 200
    assert (answer.json()["name"], answer.json()["type"], answer.json()["default_prompt_enabled"]) == (
        "New",
        "individual",
        True,
    )
    assert answer.json()["members"][0]["role"] == "admin"
    again = client.post(PATH, {"name": "NEW"})
    assert (again.status_code, again.json()["detail"]) == (400, "An organization named NEW exists already.")
    assert client.post(PATH, {"name": "Big", "type": "enterprise"}).status_code == 403
    wrong = client.post(PATH, {"type": "huge"})
    assert wrong.status_code == 422
    assert {tuple(fault["loc"]): fault["type"] for fault in wrong.json()["detail"]} == {
        ("body", "name"): "missing",
        ("body", "type"): "enum",
    }


def test_it_narrows_the_list_and_refuses_the_lists_of_others(client: ApiClient, actor: Actor, stranger: Actor) -> None:
    def total(query: str) -> int:
        answer = client.get(f"{PATH}?{query}")
        assert answer.status_code == 200, answer.content
        return answer.json()["total_count"]

    assert total(f"user_id={actor.user.pk}") == 1
    assert total(f"organization_id={actor.organization.pk}") == 1
    assert total("name_search=ACM") == 1
    assert total("name_search=x") == 0
    assert total("member_search=ADMIN@acme") == 1
    both = client.get(f"{PATH}?user_id={actor.user.pk}&organization_id={actor.organization.pk}")
    assert both.status_code == 400
    assert client.get(f"{PATH}?member_search={'x' * 201}").status_code == 400
    assert client.get(f"{PATH}?user_id={stranger.user.pk}").status_code == 403
    for unknown in (stranger.organization.pk, "nonsense"):
        answer = client.get(f"{PATH}?organization_id={unknown}")
        assert (answer.status_code, answer.json()) == (404, {"detail": "Organization not found"})


@pytest.mark.parametrize(
    ("members", "place"), [([None], ["body", "members", 0]), ([[]], ["body", "members", 0]), ({}, ["body", "members"])]
)
def test_it_names_the_member_that_is_none(
    client: ApiClient, actor: Actor, members: object, place: list[object]
) -> None:
    answer = client.put(f"{PATH}/{actor.organization.pk}", {"members": members})
    assert (answer.status_code, answer.json()["detail"][0]["loc"]) == (422, place)


def test_it_repeats_little_of_what_it_refuses(client: ApiClient) -> None:
    (fault,) = client.post(PATH, {"name": "Big", "type": "x" * 100_000}).json()["detail"]
    assert fault["type"] == "enum" and len(fault["msg"]) < 600 and len(fault["input"]) == 200


def test_it_shows_a_system_admin_all(client: ApiClient, actor: Actor, stranger: Actor) -> None:
    User.objects.filter(pk=actor.user.pk).update(is_superuser=True)
    assert client.get(PATH).json()["total_count"] == 2
    assert client.get(f"{PATH}?user_id={stranger.user.pk}").json()["total_count"] == 1
    assert client.get(f"{PATH}?user_id=0123456789abcdef01234567").status_code == 404


def test_it_tells_which_organization_a_token_opens(api: MakeClient, actor: Actor) -> None:
    path = "/v0/account/token/organization"
    organization: Organization = actor.organization
    _, secret = tokens.create(actor.user, name="k", organization=organization)
    assert api("").get(path, {"token": secret}).json() == {
        "organization_id": organization.pk,
        "organization_name": "Acme",
        "organization_type": "team",
    }
    _, account = tokens.create(actor.user, name="k")
    assert set(api("").get(path, {"token": account}).json().values()) == {None}
    wrong = api("").get(path, {"token": "org_x"})
    assert (wrong.status_code, wrong.json()) == (401, {"detail": "Invalid token"})
    missing = api("").get(path)
    assert missing.status_code == 422
    assert missing.json()["detail"][0]["loc"] == ["query", "token"]

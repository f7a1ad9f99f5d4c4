"""One organization over /v0: changed, its members, closed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from accounts.actor import Actor
from accounts.models import AccessToken, AuditEntry, Member, Organization, Role, User
from accounts.services import organizations, tokens
from tests.conftest import ApiClient

pytestmark = pytest.mark.servers

MakeClient = Callable[[str], ApiClient]
UNKNOWN = "0123456789abcdef01234567"


@pytest.fixture
def client(api: MakeClient, actor: Actor) -> ApiClient:
    return api(tokens.create(actor.user, name="k")[1])


@pytest.fixture
def path(organization: Organization) -> str:
    return f"/v0/account/organizations/{organization.pk}"


def roles(organization: Organization) -> dict[str, str]:
    return dict(organization.memberships.values_list("user_id", "role"))


def test_it_changes_what_is_given_and_leaves_the_rest(client: ApiClient, path: str, actor: Actor) -> None:
    answer = client.put(
        path, {"name": "Acme Ltd", "default_prompt_enabled": True, "people_in_usage": True, "flow_log_level": "INFO"}
    )
    assert answer.status_code == 200, answer.content
    body = answer.json()
    assert (body["name"], body["type"], body["default_prompt_enabled"], body["experimental_features"]) == (
        "Acme Ltd",
        "team",
        True,
        False,
    )
    assert (body["flow_log_level"], body["people_in_usage"], len(body["members"])) == ("INFO", True, 1)
    entry = AuditEntry.objects.get(action="changed")
    assert entry.detail == {"fields": ["default_prompt_enabled", "flow_log_level", "name", "people_in_usage"]}
    assert client.put(path, {}).json() == {**body, "updated_at": client.put(path, {}).json()["updated_at"]}


def test_it_lets_the_type_grow_only(client: ApiClient, path: str, actor: Actor) -> None:
    answer = client.put(path, {"type": "individual"})
    assert answer.status_code == 400
    assert answer.json()["detail"].startswith("Invalid organization type upgrade")
    assert client.put(path, {"type": "enterprise"}).status_code == 403
    User.objects.filter(pk=actor.user.pk).update(is_superuser=True)
    assert client.put(path, {"type": "enterprise"}).json()["type"] == "enterprise"


def test_it_takes_no_name_of_another(client: ApiClient, path: str, other_organization: Organization) -> None:
    answer = client.put(path, {"name": "OTHER"})
    assert (answer.status_code, answer.json()["detail"]) == (400, "An organization named OTHER exists already.")


def test_it_says_which_ways_of_reading_there_are(client: ApiClient, path: str) -> None:
    body = client.put(path, {"ocr_config": {"mode": "pymupdf"}}).json()
    assert (body["ocr_config"]["mode"], body["ocr_catalog"]["modes"]) == ("pymupdf", ["pymupdf"])
    answer = client.put(path, {"ocr_config": {"mode": "textract"}})
    assert (answer.status_code, "textract" in answer.json()["detail"]) == (400, True)


def test_a_written_user_keeps_its_true_role_and_an_admin_becomes_builder(
    client: ApiClient, path: str, actor: Actor, member: Callable[[Role], Actor], stranger: Actor
) -> None:
    # Whoever is named by id is somebody one works with: here in another organization.
    Member.objects.create(organization=stranger.organization, user=actor.user, role=Role.VIEWER)
    viewer, second, gone = member(Role.VIEWER).user, member(Role.ADMIN).user, member(Role.REVIEWER).user
    written = {actor.user: "admin", viewer: "user", second: "user", stranger.user: "user"}
    sent = [{"user_id": user.pk, "role": role} for user, role in written.items()]
    answer = client.put(path, {"members": sent})
    assert answer.status_code == 200, answer.content
    roles = {entry["user_id"]: (entry["role"], entry["docrouter_role"]) for entry in answer.json()["members"]}
    assert roles == {
        actor.user.pk: ("admin", "admin"),
        viewer.pk: ("user", "viewer"),
        second.pk: ("user", "builder"),
        stranger.user.pk: ("user", "builder"),
    }
    assert gone.pk not in roles


def test_the_true_role_counts_when_it_agrees_with_the_published_one(
    client: ApiClient, path: str, actor: Actor, member: Callable[[Role], Actor]
) -> None:
    one, two = member(Role.VIEWER).user, member(Role.VIEWER).user
    sent = [
        {"user_id": actor.user.pk, "role": "admin"},
        {"user_id": one.pk, "role": "user", "docrouter_role": "reviewer"},
        {"user_id": two.pk, "role": "admin", "docrouter_role": "viewer"},
    ]
    client.put(path, {"members": sent})
    assert roles(actor.organization) == {actor.user.pk: "admin", one.pk: "reviewer", two.pk: "admin"}


@pytest.mark.parametrize("sent", [[], [{"role": "user"}], [{"role": "admin"}, {"role": "admin"}]])
def test_it_always_keeps_an_admin_and_names_each_member_once(client: ApiClient, path: str, actor: Actor, sent) -> None:
    answer = client.put(path, {"members": [{**entry, "user_id": actor.user.pk} for entry in sent]})
    assert answer.status_code == 400
    assert roles(actor.organization) == {actor.user.pk: "admin"}


def test_it_makes_nobody_a_member_who_is_not_there(client: ApiClient, path: str, actor: Actor) -> None:
    sent = [{"user_id": actor.user.pk, "role": "admin"}, {"user_id": UNKNOWN, "role": "user"}]
    answer = client.put(path, {"name": "Changed", "members": sent})
    assert (answer.status_code, answer.json()["detail"]) == (400, f"Invalid user IDs: ['{UNKNOWN}']")
    actor.organization.refresh_from_db()
    assert actor.organization.name == "Acme"


def test_it_closes_for_everybody_and_frees_the_name(
    client: ApiClient, path: str, actor: Actor, api: MakeClient, member: Callable[[Role], Actor]
) -> None:
    viewer = member(Role.VIEWER)
    _, secret = tokens.create(viewer.user, name="v", organization=actor.organization)
    answer = client.delete(path)
    assert (answer.status_code, answer.json()) == (200, {"status": "success"})
    assert client.get("/v0/account/organizations").json()["total_count"] == 0
    assert api(secret).get(f"/v0/orgs/{actor.organization.pk}/documents").status_code == 401
    assert client.get(f"/v0/orgs/{actor.organization.pk}/documents").status_code == 403
    assert client.put(path, {"name": "x"}).status_code == 403
    assert not AccessToken.objects.filter(organization=actor.organization).exists()
    assert organizations.create(actor.user, name="Acme").name == "Acme"
    assert AuditEntry.objects.filter(action="closed", organization=actor.organization).exists()


def test_only_its_admins_and_system_admins_change_it(
    api: MakeClient, path: str, stranger: Actor, member: Callable[[Role], Actor], user: User
) -> None:
    builder = api(tokens.create(member(Role.BUILDER).user, name="k")[1])
    answer = builder.put(path, {"name": "x"})
    assert (answer.status_code, answer.json()["detail"]) == (403, "You are not an admin of this organization")
    outside = api(tokens.create(stranger.user, name="k")[1])
    assert outside.delete(path).json()["detail"] == "You are not a member of this organization"
    unknown = outside.put("/v0/account/organizations/nonsense", {})
    assert (unknown.status_code, unknown.json()["detail"]) == (404, "Organization not found")
    User.objects.filter(pk=stranger.user.pk).update(is_superuser=True)
    assert outside.put(path, {"name": "By the operator"}).json()["name"] == "By the operator"
    assert outside.put(f"/v0/account/organizations/{UNKNOWN}", {}).status_code == 404
    assert not Member.objects.filter(user=stranger.user, organization__name="By the operator").exists()


def test_an_admin_hands_over_in_one_go(
    client: ApiClient, path: str, actor: Actor, member: Callable[[Role], Actor]
) -> None:
    other = member(Role.BUILDER).user
    sent = [{"user_id": actor.user.pk, "role": "user"}, {"user_id": other.pk, "role": "admin"}]
    assert client.put(path, {"members": sent}).status_code == 200
    assert roles(actor.organization) == {actor.user.pk: "builder", other.pk: "admin"}
    assert client.put(path, {"name": "x"}).status_code == 403

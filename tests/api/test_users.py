from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import pytest
from django.db import connection

from accounts.actor import Actor
from accounts.models import AccessToken, AuditEntry, Organization, Role, User
from accounts.services import tokens
from tests.conftest import ApiClient

pytestmark = pytest.mark.servers

PATH = "/v0/account/users"
UNKNOWN = "0123456789abcdef01234567"
PASSWORD = "correct horse battery"
MakeClient = Callable[[str], ApiClient]


@pytest.fixture
def client(api: MakeClient, actor: Actor) -> ApiClient:
    return api(tokens.create(actor.user, name="k")[1])


@pytest.fixture
def root(api: MakeClient, db: None) -> ApiClient:
    user = User.objects.create_superuser("root@example.org", PASSWORD, name="Root")
    return api(tokens.create(user, name="k")[1])


def emails(answer) -> set[str]:
    assert answer.status_code == 200, answer.content
    return {row["email"] for row in answer.json()["users"]}


def test_it_shows_oneself_and_those_one_works_with(
    client: ApiClient, actor: Actor, stranger: Actor, member: Callable[..., Actor]
) -> None:
    member(Role.VIEWER, "vera@acme.example")
    listed = client.get(PATH)
    assert emails(listed) == {"admin@acme.example", "vera@acme.example"}
    assert (listed.json()["total_count"], listed.json()["skip"]) == (2, 0)
    (user,) = client.get(PATH, {"user_id": actor.user.pk}).json()["users"]
    assert user.pop("created_at").endswith("Z")
    assert user == {
        "id": actor.user.pk,
        "email": "admin@acme.example",
        "name": "Admin",
        "role": "user",
        "email_verified": False,
        "has_password": False,
        "has_seen_tour": None,
    }
    assert emails(client.get(PATH, {"search_name": "VERA"})) == {"vera@acme.example"}
    assert emails(client.get(PATH, {"organization_id": actor.organization.pk, "limit": 5000})) == emails(listed)


def test_it_refuses_lists_of_others(client: ApiClient, stranger: Actor, actor: Actor) -> None:
    both = {"user_id": actor.user.pk, "organization_id": actor.organization.pk}
    assert client.get(PATH, both).status_code == 400
    assert client.get(PATH, {"organization_id": stranger.organization.pk}).status_code == 403
    for unknown in (stranger.user.pk, UNKNOWN, "nonsense"):
        assert client.get(PATH, {"user_id": unknown}).json() == {"detail": "User not found"}
    assert client.get(PATH, {"organization_id": "nonsense"}).status_code == 404


def test_a_system_admin_sees_all(root: ApiClient, actor: Actor, stranger: Actor) -> None:
    assert emails(root.get(PATH)) == {"root@example.org", "admin@acme.example", "admin@other.example"}
    assert emails(root.get(PATH, {"organization_id": stranger.organization.pk})) == {"admin@other.example"}
    assert root.get(PATH, {"organization_id": UNKNOWN}).status_code == 404


def test_a_system_admin_makes_people_with_an_organization_of_their_own(root: ApiClient) -> None:
    sent = {"email": "Nia@example.org", "name": "Nia", "password": PASSWORD}
    answer = root.post(PATH, sent)
    assert answer.status_code == 200, answer.content
    assert (answer.json()["email"], answer.json()["has_password"], answer.json()["has_seen_tour"]) == (
        "nia@example.org",
        True,
        False,
    )
    organization = Organization.objects.get(name="nia@example.org")
    assert (organization.type, organization.memberships.get().role) == ("individual", "admin")
    again = root.post(PATH, sent)
    assert (again.status_code, again.json()["detail"]) == (400, "Email already registered")
    assert root.post(PATH, {**sent, "email": "x@example.org", "password": "short"}).status_code == 400
    assert root.post(PATH, {**sent, "email": "nobody"}).status_code == 400
    assert root.post(PATH, {}).status_code == 422


def test_the_first_password_of_a_new_person_is_as_strong_as_the_setting_says(root: ApiClient, settings: Any) -> None:
    sent = {"email": "nia@example.org", "name": "Nia", "password": "testpassword123"}
    assert root.post(PATH, sent).status_code == 200
    settings.FIRST_PASSWORD_SCORE = settings.PASSWORD_SCORE
    refused = root.post(PATH, {**sent, "email": "noa@example.org"})
    assert (refused.status_code, "Of 0 to 4 it scores 1; 3 is needed." in refused.json()["detail"]) == (400, True)


def test_nobody_else_makes_people(client: ApiClient) -> None:
    answer = client.post(PATH, {"email": "x@example.org", "name": "X", "password": PASSWORD})
    assert (answer.status_code, answer.json()["detail"]) == (403, "Admin access required")


def test_one_changes_oneself_but_not_ones_rights(client: ApiClient, actor: Actor, stranger: Actor) -> None:
    own = f"{PATH}/{actor.user.pk}"
    body = client.put(own, {"name": "New", "has_seen_tour": True}).json()
    assert (body["name"], body["has_password"], body["has_seen_tour"]) == ("New", False, True)
    for rights in ({"role": "admin"}, {"email_verified": True}):
        assert client.put(own, rights).status_code == 403
    nothing = client.put(own, {})
    assert (nothing.status_code, nothing.json()["detail"]) == (400, "No data to update")
    assert client.put(f"{PATH}/{stranger.user.pk}", {"name": "x"}).status_code == 403
    assert not User.objects.get(pk=actor.user.pk).is_superuser


def test_a_new_password_keeps_the_session_it_was_set_in(client: ApiClient, actor: Actor) -> None:
    browser = ApiClient()
    browser.force_login(actor.user)
    assert browser.put(f"{PATH}/{actor.user.pk}", {"password": PASSWORD}).status_code == 200
    assert browser.get(PATH).status_code == 200


def test_a_system_admin_makes_others_system_admins_and_stays_one(root: ApiClient, actor: Actor) -> None:
    me = User.objects.get(email="root@example.org")
    last = root.put(f"{PATH}/{me.pk}", {"role": "user"})
    assert (last.status_code, "last system admin" in last.json()["detail"]) == (400, True)
    promotion = {"role": "admin", "email_verified": True}
    by_token = root.put(f"{PATH}/{actor.user.pk}", promotion)
    assert (by_token.status_code, "A token makes nobody" in by_token.json()["detail"]) == (403, True)
    browser = ApiClient()
    browser.force_login(me)
    assert browser.put(f"{PATH}/{actor.user.pk}", promotion).json()["role"] == "admin"
    assert User.objects.get(pk=actor.user.pk).is_staff
    assert root.put(f"{PATH}/{me.pk}", {"role": "user"}).json()["role"] == "user"
    assert root.put(f"{PATH}/{actor.user.pk}", {"name": "x"}).status_code == 403


def test_it_finds_no_unknown_person(root: ApiClient) -> None:
    for unknown in (UNKNOWN, "nonsense"):
        for answer in (root.put(f"{PATH}/{unknown}", {"name": "x"}), root.delete(f"{PATH}/{unknown}")):
            assert (answer.status_code, answer.json()) == (404, {"detail": "User not found"})


def test_one_deletes_oneself_and_what_one_was_alone_in_is_closed(
    api: MakeClient, stranger: Actor, actor: Actor
) -> None:
    secret = tokens.create(stranger.user, name="k")[1]
    answer = api(secret).delete(f"{PATH}/{stranger.user.pk}")
    assert (answer.status_code, answer.json()) == (200, {"message": "User and related data deleted successfully"})
    assert api(secret).get(PATH).status_code == 401
    gone = User.objects.get(pk=stranger.user.pk)
    assert (gone.is_active, gone.shown_name, "other" in gone.email) == (False, "Deleted user", False)
    assert Organization.objects.get(pk=stranger.organization.pk).closed_at
    assert not AccessToken.objects.filter(user=gone).exists()


def test_the_last_admin_of_others_is_not_deleted(
    client: ApiClient, root: ApiClient, actor: Actor, member: Callable[[Role], Actor]
) -> None:
    other = member(Role.BUILDER)
    for who in (client, root):
        answer = who.delete(f"{PATH}/{actor.user.pk}")
        assert (answer.status_code, "needs an admin" in answer.json()["detail"]) == (400, True)
    assert client.delete(f"{PATH}/{other.user.pk}").status_code == 403
    assert root.delete(f"{PATH}/{other.user.pk}").status_code == 200
    assert root.delete(f"{PATH}/{User.objects.get(email='root@example.org').pk}").status_code == 400
    assert emails(root.get(PATH)) == {"root@example.org", "admin@acme.example"}


@pytest.mark.parametrize("limit", [{"role_ceiling": Role.ADMIN}, {"upload_only": True}])
def test_only_a_token_without_limits_makes_people_and_it_is_on_record(
    root: ApiClient, api: MakeClient, limit: dict[str, object]
) -> None:
    admin, new = User.objects.get(is_superuser=True), {"email": "new@example.org", "name": "N", "password": PASSWORD}
    limited = api(tokens.create(admin, name="limited", **limit)[1])
    assert limited.post(PATH, new).status_code == 403
    assert not User.objects.filter(email="new@example.org").exists()
    user = root.post(PATH, new).json()
    entry = AuditEntry.objects.get(action="created", target_id=user["id"])
    assert entry.user == admin and User.objects.get(pk=user["id"]).check_password(PASSWORD)


def test_a_password_is_checked_and_hashed_outside_of_the_transaction(root: ApiClient, settings: Any) -> None:
    """A slow hash would hold the one write lock of SQLite."""
    settings.AUTH_PASSWORD_VALIDATORS = [{"NAME": "tests.api.test_users.InNoTransaction"}]
    depth = len(connection.savepoint_ids)
    InNoTransaction.seen.clear()
    assert root.post(PATH, {"email": "n@example.org", "name": "N", "password": PASSWORD}).status_code == 200
    assert InNoTransaction.seen == [depth]


class InNoTransaction:
    seen: ClassVar[list[int]] = []

    def validate(self, password: str, user: object = None) -> None:
        self.seen.append(len(connection.savepoint_ids))

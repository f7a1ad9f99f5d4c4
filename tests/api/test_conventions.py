from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import AccessToken, Organization, Role, User
from accounts.services import tokens
from kit.http.request_ids import RequestIdFilter
from tests.conftest import ApiClient

MakeClient = Callable[[str], ApiClient]
INVALID = {"detail": "Invalid authentication credentials: invalid token"}
NOBODY = {"detail": "No authentication credentials provided"}


@pytest.fixture
def documents_path(organization: Organization) -> str:
    return f"/v0/orgs/{organization.pk}/documents"


def test_it_answers_unknown_routes_and_wrong_methods_in_the_contracts_shape(api: MakeClient, documents_path) -> None:
    client = api("")
    for path in ("/v0/nothing", "/v0/orgs/x/nothing"):
        answer = client.get(path)
        assert (answer.status_code, answer.json()) == (404, {"detail": "Not Found"}), path
    answer = client.delete(documents_path)
    assert (answer.status_code, answer.json()) == (405, {"detail": "Method Not Allowed"})
    assert set(answer["Allow"].split(", ")) == {"GET", "HEAD", "POST"}


def test_it_sends_a_trailing_slash_to_the_path_without_it(api: MakeClient, documents_path: str) -> None:
    answer = api("").post(f"{documents_path}/?a=%C3%BC&b=1", {})
    assert answer.status_code == 307
    assert answer.url == f"{documents_path}?a=%C3%BC&b=1"


def test_it_says_401_in_the_words_of_the_contract(api: MakeClient, documents_path: str) -> None:
    assert api("").get(documents_path).json() == NOBODY
    assert api("org_unknown").get(documents_path).json() == INVALID
    assert api("org_unknown").get(documents_path).status_code == 401
    assert api("org_unknown").get(documents_path)["WWW-Authenticate"] == "Bearer"


def test_it_lets_a_bearer_header_win_over_an_api_key(api: MakeClient, actor: Actor, documents_path: str) -> None:
    _, secret = tokens.create(actor.user, name="k", organization=actor.organization)
    client = api("")
    assert client.get(documents_path, headers={"X-Api-Key": secret}).status_code == 200
    wrong = client.get(documents_path, headers={"X-Api-Key": secret, "Authorization": "Bearer nonsense"})
    assert (wrong.status_code, wrong.json()) == (401, INVALID)
    basic = client.get(documents_path, headers={"X-Api-Key": secret, "Authorization": "Basic eDp5"})
    assert basic.status_code == 200


def test_it_opens_its_own_organization_only_with_an_organization_token(
    api: MakeClient, actor: Actor, documents_path: str, other_organization: Organization
) -> None:
    _, secret = tokens.create(actor.user, name="k", organization=actor.organization)
    client = api(secret)
    assert client.get(documents_path).status_code == 200
    for path in (f"/v0/orgs/{other_organization.pk}/documents", "/v0/account/organizations"):
        assert client.get(path).json() == INVALID
        assert client.get(path).status_code == 401


def test_it_opens_the_account_and_all_its_organizations_with_an_account_token(
    api: MakeClient, actor: Actor, documents_path: str, other_organization: Organization
) -> None:
    _, secret = tokens.create(actor.user, name="k")
    client = api(secret)
    assert client.get("/v0/account/organizations").status_code == 200
    assert client.get(documents_path).status_code == 200
    elsewhere = client.get(f"/v0/orgs/{other_organization.pk}/documents")
    assert (elsewhere.status_code, elsewhere.json()) == (403, {"detail": "You are not a member of this organization"})


def test_it_answers_404_to_a_malformed_organization_and_403_to_an_unknown_one(api: MakeClient, user: User) -> None:
    _, secret = tokens.create(user, name="k")
    malformed = api(secret).get("/v0/orgs/nonsense/documents")
    assert (malformed.status_code, malformed.json()) == (404, {"detail": "Organization not found"})
    assert api(secret).get("/v0/orgs/0123456789abcdef01234567/documents").status_code == 403


def test_it_refuses_an_expired_token_by_name(api: MakeClient, actor: Actor, documents_path: str) -> None:
    token, secret = tokens.create(actor.user, name="k", organization=actor.organization, lifetime_days=1)
    assert api(secret).get(documents_path).status_code == 200
    AccessToken.objects.filter(pk=token.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    answer = api(secret).get(documents_path)
    assert (answer.status_code, answer.json()) == (401, {"detail": "API token expired"})


def test_it_gives_a_token_the_role_its_user_has_at_the_time_of_the_call(
    api: MakeClient, member: Callable[[Role], Actor], documents_path: str
) -> None:
    reviewer = member(Role.REVIEWER)
    _, secret = tokens.create(reviewer.user, name="k", organization=reviewer.organization)
    upload = {"documents": [{"name": "a.txt", "content": "aGVsbG8="}]}
    assert api(secret).post(documents_path, upload).status_code == 200
    reviewer.user.memberships.update(role=Role.VIEWER)
    refused = api(secret).post(documents_path, upload)
    assert refused.status_code == 403
    assert refused.json()["detail"] == "This needs the role reviewer in Acme; yours is viewer."
    reviewer.user.memberships.all().delete()
    assert api(secret).get(documents_path).status_code == 403
    User.objects.filter(pk=reviewer.user.pk).update(is_active=False)
    assert api(secret).get(documents_path).json() == INVALID


def test_it_wants_the_csrf_token_of_a_browser_session(actor: Actor, documents_path: str) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(actor.user)
    assert client.get(documents_path).status_code == 200
    refused = client.post(documents_path, "{}", content_type="application/json")
    assert refused.status_code == 403
    assert refused.json()["detail"].startswith("CSRF Failed")
    client.cookies["csrftoken"] = "c" * 32
    accepted = client.post(documents_path, "{}", content_type="application/json", headers={"X-CSRFToken": "c" * 32})
    assert accepted.status_code == 422


def test_it_lists_every_fault_of_a_malformed_body(api_as, actor: Actor, documents_path: str) -> None:
    client = api_as(actor)
    missing = client.post(
        documents_path, {"documents": [{"name": "a.txt"}, {"name": 7, "content": [], "tag_ids": "x"}]}
    )
    assert missing.status_code == 422
    faults = {tuple(fault["loc"]): fault for fault in missing.json()["detail"]}
    assert faults["body", "documents", 0, "content"]["type"] == "missing"
    assert faults["body", "documents", 1, "tag_ids"]["type"] == "list_type"
    assert all(set(fault) == {"type", "loc", "msg", "input"} for fault in faults.values())
    broken = client.post(documents_path, data="{", content_type="application/json")
    assert broken.status_code == 422
    assert broken.json()["detail"][0]["type"] == "json_invalid"


@pytest.mark.parametrize("query", ["skip=-1", "limit=0", "limit=1001", "limit=x", "skip=99999999999999999999"])
def test_it_refuses_a_window_out_of_range(api_as, actor: Actor, documents_path: str, query: str) -> None:
    answer = api_as(actor).get(f"{documents_path}?{query}")
    assert answer.status_code == 422
    assert answer.json()["detail"][0]["loc"] == ["query", query.partition("=")[0]]


def test_it_hides_what_went_wrong_inside_and_names_the_lines_of_the_log(actor: Actor, signed_in, caplog) -> None:
    caplog.handler.addFilter(RequestIdFilter())
    client = signed_in(Client(raise_request_exception=False), actor)
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE documents_document RENAME TO documents_gone")  # undone with the test
    answer = client.get(f"/v0/orgs/{actor.organization.pk}/documents", headers={"X-Request-Id": "script-7"})
    assert (answer.status_code, answer.json()) == (500, {"detail": "Internal Server Error", "request_id": "script-7"})
    page = client.get(f"/orgs/{actor.organization.pk}/documents")
    assert page.status_code == 500
    assert f"<code>{page['X-Request-Id']}</code>" in page.content.decode()
    logged = [record.request for record in caplog.records if record.name == "django.request"]
    assert logged == [" [script-7]", f" [{page['X-Request-Id']}]"]

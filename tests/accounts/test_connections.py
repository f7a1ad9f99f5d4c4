"""Programs that people connect by OAuth, and what a hostile one tries."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings as configured
from django.test import Client
from django.utils import timezone
from oauth2_provider.models import AccessToken as KeyRow
from oauth2_provider.models import Grant, RefreshToken

from accounts.access import enter
from accounts.actor import Actor
from accounts.models import AccessToken, AuditEntry, Connection, Organization, Role, User
from accounts.services import members, organizations, tokens, users
from accounts.services.connections import keys, retention
from agent.mcp import callers
from kit.errors import NotFound, Unauthenticated
from tests.oauth_client import CHALLENGE, REDIRECT, Program, read_query

pytestmark = pytest.mark.servers

HERE = configured.PUBLIC_URL


def test_a_person_lets_a_program_in_with_a_lower_role(program: Program, actor: Actor) -> None:
    program.register(client_name="Claude Code")
    page = program.person.get(program.address()).content.decode()
    assert "Let “Claude Code” use" in page and actor.organization.name in page and "nobody has checked that" in page
    assert '<option value="admin" selected>' in page
    sent = program.answer(actor.organization.pk, role="reviewer")
    query = read_query(sent["Location"])
    assert sent["Location"].startswith(REDIRECT) and (query["state"], query["iss"]) == ("s1", HERE)
    given = program.exchange(query["code"]).json()
    assert (given["token_type"], given["scope"], given["expires_in"]) == ("Bearer", "mcp", 3600)
    caller = callers.enter_by_secret(given["access_token"])
    assert (caller.user, caller.organization, caller.role) == (actor.user, actor.organization, Role.REVIEWER)
    assert caller.shown_name == "Claude Code"
    entry = AuditEntry.objects.get(action="connected")
    assert (entry.target_id, entry.detail["role_ceiling"]) == (caller.token.pk, "reviewer")


def test_nothing_that_opens_a_connection_is_kept(connected: dict[str, Any]) -> None:
    stored = [str(list(model.objects.values())) for model in (KeyRow, RefreshToken, AccessToken, Connection, Grant)]
    assert connected["access_token"] not in "".join(stored) and connected["refresh_token"] not in "".join(stored)


def test_a_denial_leads_back_and_leaves_nothing(program: Program, actor: Actor) -> None:
    program.register()
    query = read_query(program.answer(actor.organization.pk, answer="deny")["Location"])
    assert (query["error"], query["state"], query["iss"]) == ("access_denied", "s1", HERE)
    assert not AccessToken.objects.exists() and not Grant.objects.exists()


def test_a_code_works_once_and_its_replay_ends_what_it_opened(program: Program, actor: Actor) -> None:
    program.register()
    code = program.get_code(actor.organization.pk)
    given = program.exchange(code).json()
    replay = program.exchange(code)
    assert (replay.status_code, replay.json()["error"]) == (400, "invalid_grant")
    with pytest.raises(Unauthenticated):
        keys.find(given["access_token"])
    assert program.refresh(given["refresh_token"]).json()["error"] == "invalid_grant"


@pytest.mark.parametrize(
    "changes",
    [
        {"code_verifier": "w" * 64},
        {"code_verifier": None},
        {"code_verifier": CHALLENGE},
        {"redirect_uri": "http://localhost/x"},
    ],
)
def test_a_code_is_no_use_to_who_stole_it(program: Program, actor: Actor, changes: dict[str, Any]) -> None:
    program.register()
    refused = program.exchange(program.get_code(actor.organization.pk), **changes)
    assert refused.status_code == 400 and not KeyRow.objects.exists()


@pytest.mark.parametrize("challenge", ["", "x", "x" * 42, "x" * 129, "x" * 42 + "=", "x" * 43 + "\n"])
def test_a_challenge_has_the_length_of_one(program: Program, actor: Actor, challenge: str) -> None:
    program.register()
    for sent in (
        program.person.get(program.address(code_challenge=challenge)),
        program.answer(actor.organization.pk, code_challenge=challenge),
    ):
        assert read_query(sent["Location"])["error"] == "invalid_request"
    assert not Grant.objects.exists()


@pytest.mark.parametrize("method", ["plain", None, "s256"])
def test_pkce_cannot_be_lowered(program: Program, actor: Actor, method: str | None) -> None:
    program.register()
    for sent in (
        program.person.get(program.address(code_challenge_method=method)),
        program.answer(actor.organization.pk, code_challenge_method=method),
    ):
        assert read_query(sent["Location"])["error"] == "invalid_request"
    without = program.person.get(program.address(code_challenge=None, code_challenge_method="S256"))
    assert read_query(without["Location"])["error"] == "invalid_request"
    assert not Grant.objects.exists()


@pytest.mark.parametrize(
    "redirect",
    [
        "https://evil.example/callback",
        "http://localhost.evil.example/callback",
        "http://localhost/callback/../x",
        "http://localhost/callback#x",
        "http://evil@localhost/callback",
        "javascript:alert(1)",
        "//evil.example",
        "",
    ],
)
def test_it_redirects_only_where_the_program_registered(program: Program, actor: Actor, redirect: str) -> None:
    program.register(redirect_uris=[REDIRECT, "https://good.example/callback"])
    for changes in ({}, {"response_type": "token"}, {"scope": "all"}):
        for answer in (
            program.person.get(program.address(redirect_uri=redirect, **changes)),
            program.answer(actor.organization.pk, redirect_uri=redirect, **changes),
        ):
            assert answer.status_code == 400 and "Location" not in answer
    assert program.person.get(program.address(client_id="x" * 40)).status_code == 400


def test_a_port_of_ones_own_machine_may_differ(program: Program, actor: Actor) -> None:
    program.register()
    sent = program.answer(actor.organization.pk, redirect_uri="http://localhost:33418/callback")
    assert sent["Location"].startswith("http://localhost:33418/callback?code=")


def test_the_page_is_in_no_frame_and_its_form_needs_its_token(program: Program, actor: Actor) -> None:
    program.register()
    page = program.person.get(program.address())
    policy = page["Content-Security-Policy"]
    assert page["X-Frame-Options"] == "DENY" and "frame-ancestors 'none'" in policy
    assert "form-action 'self' http://localhost;" in policy + ";"
    forger = Client(enforce_csrf_checks=True)
    forger.force_login(actor.user)
    assert Program(forger, program.client_id).answer(actor.organization.pk).status_code == 403
    stranger = Client().get(program.address())
    assert stranger.status_code == 302 and stranger["Location"].startswith("/sign-in?next=/oauth/authorize")
    assert not Grant.objects.exists()


def test_a_key_is_for_mcp_here_and_nothing_else(program: Program, connected: dict[str, Any], actor: Actor) -> None:
    bearer = {"Authorization": f"Bearer {connected['access_token']}"}
    for path in (f"/v0/orgs/{actor.organization.pk}/documents", "/v0/account/organizations"):
        assert Client().get(path, headers=bearer).status_code == 401
    for resource in ("https://evil.example/mcp", f"{HERE}/v0", f"{HERE}.evil.example/mcp"):
        refused = program.person.get(program.address(resource=resource))
        assert read_query(refused["Location"])["error"] == "invalid_target"
        assert program.refresh(connected["refresh_token"], resource=resource).json()["error"] == "invalid_target"
    KeyRow.objects.update(resource=["https://other.example/mcp"])
    with pytest.raises(Unauthenticated, match="another server"):
        keys.find(connected["access_token"])


@pytest.mark.parametrize("resource", [HERE, f"{HERE}/", f"{HERE}/mcp/", None])
def test_each_form_of_our_address_is_the_same(program: Program, actor: Actor, resource: str | None) -> None:
    secret = program.connect(actor.organization.pk, resource=resource)["access_token"]
    assert keys.find(secret).user == actor.user


def test_nobody_lets_a_program_in_where_they_are_not(program: Program, other_organization: Any) -> None:
    program.register()
    answer = program.answer(other_organization.pk)
    assert answer.status_code in (404, 422) and not Grant.objects.exists() and not AccessToken.objects.exists()
    assert program.person.get(program.address(organization=other_organization.pk)).status_code == 404


def test_a_demoted_member_s_program_is_demoted_and_a_removed_one_s_ends(program: Program, actor: Actor) -> None:
    ben = users.create(None, email="ben@acme.example", password=None)
    member = members.add(actor, user=ben, role=Role.BUILDER)
    program.person.force_login(ben)
    given = program.connect(actor.organization.pk, role="admin")
    assert callers.enter_by_secret(given["access_token"]).role == Role.BUILDER
    members.change_role(actor, member=member, role=Role.ADMIN)
    assert callers.enter_by_secret(given["access_token"]).role == Role.BUILDER
    members.change_role(actor, member=member, role=Role.VIEWER)
    assert callers.enter_by_secret(given["access_token"]).role == Role.VIEWER
    members.remove(actor, member=member)
    with pytest.raises(Unauthenticated):
        callers.enter_by_secret(given["access_token"])
    assert program.refresh(given["refresh_token"]).json()["error"] == "invalid_grant"


def test_a_key_is_as_good_as_its_connection(connected: dict[str, Any], actor: Actor) -> None:
    secret = connected["access_token"]
    for rows, ended, again in (
        (User.objects, {"is_active": False}, {"is_active": True}),
        (AccessToken.objects, {"expires_at": timezone.now()}, {"expires_at": None}),
        (Organization.objects, {"closed_at": timezone.now()}, {"closed_at": None}),
    ):
        rows.update(**ended)
        with pytest.raises(Unauthenticated):
            keys.find(secret)
        rows.update(**again)
        assert keys.find(secret).user == actor.user


def test_it_ends_on_the_account_page(program: Program, connected: dict[str, Any], actor: Actor) -> None:
    token = keys.find(connected["access_token"])
    assert "connected by OAuth" in program.person.get("/account").content.decode()
    program.person.post(f"/account/tokens/{token.pk}/revoke")
    with pytest.raises(Unauthenticated):
        keys.find(connected["access_token"])
    assert program.refresh(connected["refresh_token"]).status_code == 400


@pytest.mark.parametrize("which", ["access_token", "refresh_token"])
def test_it_ends_when_the_program_gives_it_back(program: Program, connected: dict[str, Any], which: str) -> None:
    form = {"token": connected[which], "client_id": program.client_id}
    other = Program(program.person)
    other.register()
    assert Client().post("/oauth/revoke", {**form, "client_id": other.client_id}).status_code == 200
    assert keys.find(connected["access_token"])
    assert Client().post("/oauth/revoke", form).status_code == 200
    assert not AccessToken.objects.exists()


def test_a_refresh_token_is_its_own_program_s(program: Program, connected: dict[str, Any]) -> None:
    other = Program(program.person)
    other.register()
    assert other.refresh(connected["refresh_token"]).json()["error"] == "invalid_grant"
    unknown = program.refresh(connected["refresh_token"], client_id="unknown")
    assert (unknown.status_code, unknown.json()["error"]) == (401, "invalid_client")


def test_what_has_ended_is_swept(program: Program, connected: dict[str, Any], actor: Actor) -> None:
    program.get_code(actor.organization.pk)
    retention.clean_up()
    assert (Connection.objects.count(), KeyRow.objects.count(), Grant.objects.count()) == (2, 1, 1)
    Connection.objects.update(created_at=timezone.now() - timedelta(hours=1))
    Grant.objects.update(expires=timezone.now())
    retention.clean_up()
    assert (Connection.objects.count(), KeyRow.objects.count(), Grant.objects.count()) == (1, 1, 0)
    KeyRow.objects.update(expires=timezone.now())
    with pytest.raises(Unauthenticated, match="expired"):
        keys.find(connected["access_token"])
    retention.clean_up()
    assert program.refresh(connected["refresh_token"]).status_code == 200
    AccessToken.objects.update(expires_at=timezone.now())
    assert program.refresh(connected["refresh_token"]).status_code == 400
    AccessToken.objects.update(expires_at=timezone.now() - timedelta(days=2))
    retention.clean_up()
    assert not any(model.objects.exists() for model in (AccessToken, Connection, KeyRow, RefreshToken))


def test_a_person_has_a_few_connections_of_one_program(program: Program, actor: Actor) -> None:
    program.register()
    for _ in range(12):
        program.get_code(actor.organization.pk)
    assert Connection.objects.count() == AccessToken.objects.count() == 10


def test_a_person_of_two_organizations_chooses(program: Program, actor: Actor) -> None:
    program.register()
    second = organizations.create(actor.user, name="Second", type="team")
    page = program.person.get(program.address()).content.decode()
    assert f"organization={second.pk}" in page
    assert "use Second?" in program.person.get(program.address(organization=second.pk)).content.decode()
    caller = callers.enter_by_secret(program.connect(second.pk)["access_token"])
    assert caller.organization == second
    with pytest.raises(NotFound):
        enter(users.create(None, email="x@x.example", password=None), second.pk, token=caller.token)
    assert tokens.list_own(actor.user, second).count() == 1

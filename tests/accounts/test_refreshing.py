"""Refresh tokens that are used once, and what becomes of a connection whose keys somebody else has too."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client, RequestFactory
from django.utils import timezone
from oauth2_provider.models import AccessToken as KeyRow
from oauth2_provider.models import Grant, RefreshToken

from accounts.actor import Actor
from accounts.models import AccessToken, AuditEntry, Connection, OutgoingMail
from accounts.services import tokens
from accounts.services.connections import connecting, keys, refreshing, retention
from accounts.services.mail import sending
from agent.mcp import callers
from kit.errors import Unauthenticated
from tests.mail_server import MailServer
from tests.oauth_client import Program, read_query

MINUTE = timedelta(seconds=61)


def let_pass(duration: timedelta) -> None:
    """As if what was used had been used so much earlier."""
    for row in RefreshToken.objects.exclude(revoked=None):
        RefreshToken.objects.filter(pk=row.pk).update(revoked=row.revoked - duration)


def has_ended(given: dict[str, Any], program: Program) -> bool:
    try:
        keys.find(given["access_token"])
    except Unauthenticated:
        return program.refresh(given["refresh_token"]).json().get("error") == "invalid_grant"
    return False


def test_each_refresh_gives_the_next_token_and_ends_no_key(
    program: Program, connected: dict[str, Any], actor: Actor
) -> None:
    given = [connected]
    for _ in range(12):
        given.append(program.refresh(given[-1]["refresh_token"]).json())
    assert len({each["refresh_token"] for each in given}) == 13
    assert keys.find(given[-1]["access_token"]).organization == keys.find(given[5]["access_token"]).organization
    assert {each["scope"] for each in given} == {"mcp"} and KeyRow.objects.count() == connecting.MAX_KEYS
    with pytest.raises(Unauthenticated):
        keys.find(connected["access_token"])


def test_several_processes_that_ask_within_a_minute_all_live_on(program: Program, connected: dict[str, Any]) -> None:
    given = [program.refresh(connected["refresh_token"]).json() for _ in range(3)]
    let_pass(MINUTE)
    for each in given:
        again = program.refresh(each["refresh_token"])
        assert again.status_code == 200 and keys.find(again.json()["access_token"])


def test_no_more_tokens_live_at_once_than_a_program_has_processes(program: Program, connected: dict[str, Any]) -> None:
    for _ in range(refreshing.MAX_LIVE + 5):
        newest = program.refresh(connected["refresh_token"]).json()
    assert RefreshToken.objects.filter(revoked=None).count() == refreshing.MAX_LIVE
    let_pass(MINUTE)
    assert program.refresh(newest["refresh_token"]).status_code == 200
    assert not RefreshToken.objects.filter(revoked__lt=timezone.now() - MINUTE).exists()


@pytest.mark.parametrize("is_swept", [True, False])
def test_a_token_used_again_after_a_minute_ends_all(
    program: Program, connected: dict[str, Any], is_swept: bool
) -> None:
    """Whether the thief came first or the owner: the second one finds out."""
    first = program.refresh(program.refresh(connected["refresh_token"]).json()["refresh_token"]).json()
    let_pass(MINUTE)
    if is_swept:
        retention.clean_up()
    refused = program.refresh(connected["refresh_token"])
    assert (refused.status_code, refused.json()["error"]) == (400, "invalid_grant")
    assert has_ended(first, program)
    assert not KeyRow.objects.exists() and not RefreshToken.objects.exists()


def test_a_token_of_before_there_were_families_is_known_again(program: Program, connected: dict[str, Any]) -> None:
    old = "mcr_" + "x" * 43
    Connection.objects.update(family_digest="")
    RefreshToken.objects.update(token_checksum=tokens.digest(old))
    given = program.refresh(old).json()
    let_pass(MINUTE)
    given = program.refresh(given["refresh_token"]).json()
    assert keys.find(given["access_token"]) and not has_ended(given, program)
    assert program.refresh(old).status_code == 400 and has_ended(given, program)


@pytest.mark.parametrize(
    "change",
    [
        lambda secret: "mcr_" + "x" * 43,
        lambda secret: secret.replace("mcr_", "mcr_x"),
        lambda secret: secret.partition(".")[2],
        lambda secret: "",
    ],
)
def test_whoever_knows_no_token_ends_nothing(
    change: Callable[[str], str], program: Program, connected: dict[str, Any]
) -> None:
    assert program.refresh(change(connected["refresh_token"])).status_code == 400
    assert keys.find(connected["access_token"])


def test_another_program_ends_nothing(program: Program, connected: dict[str, Any]) -> None:
    used = connected["refresh_token"]
    given = program.refresh(used).json()
    let_pass(MINUTE)
    other = Program(program.person)
    other.register()
    assert other.refresh(used).status_code == 400 and keys.find(given["access_token"])


def test_its_person_reads_of_it_and_gets_a_mail(
    program: Program, connected: dict[str, Any], actor: Actor, settings: Any, mail_server: MailServer
) -> None:
    settings.EMAIL_URL = mail_server.url
    program.refresh(connected["refresh_token"])
    let_pass(MINUTE)
    for _ in range(3):
        program.refresh(connected["refresh_token"])
    row = Connection.objects.get()
    assert "ended: a refresh token of it was used again" in program.person.get("/account").content.decode()
    entry = AuditEntry.objects.get(action="ended")
    assert (entry.user, entry.origin, entry.target_id) == (None, AuditEntry.Origin.SYSTEM, row.token_id)
    assert entry.detail == {"name": "Desk", "owner_id": actor.user.pk, "reason": "token_reused"}
    assert OutgoingMail.objects.count() == 1 and sending.send_next()
    (mail,) = mail_server.mails
    text = mail.get_payload(decode=True)
    assert isinstance(text, bytes) and "ended the connection of “Desk” to Acme: a refresh token" in text.decode()
    retention.clean_up()
    assert Connection.objects.exists()
    AccessToken.objects.update(expires_at=timezone.now() - timedelta(days=31))
    retention.clean_up()
    assert not Connection.objects.exists()


def test_a_code_that_came_too_late_accuses_nobody(program: Program, actor: Actor) -> None:
    program.register()
    code = program.get_code(actor.organization.pk)
    assert program.exchange(code, code_verifier="w" * 64).status_code == 400
    Grant.objects.update(expires=timezone.now())
    assert program.exchange(code).status_code == 400
    assert Connection.objects.get().ended_for == ""


def test_a_program_is_asked_again_after_its_last_day(
    program: Program, connected: dict[str, Any], settings: Any
) -> None:
    settings.OAUTH_MAX_DAYS = 30
    Connection.objects.update(created_at=timezone.now() - timedelta(days=29))
    given = program.refresh(connected["refresh_token"]).json()
    token = AccessToken.objects.get()
    assert token.expires_at == Connection.objects.get().last_moment < timezone.now() + timedelta(days=2)
    assert "connected by OAuth, until" in program.person.get("/account").content.decode()
    Connection.objects.update(created_at=timezone.now() - timedelta(days=31))
    later = program.refresh(given["refresh_token"])
    assert later.status_code == 200 and has_ended(later.json(), program)


def test_it_says_from_where_a_program_and_a_script_were_used_last(program: Program, connected: dict[str, Any]) -> None:
    key, address = f"Bearer {connected['access_token']}", "198.51.100.9"
    callers.identify(RequestFactory().post("/mcp", headers={"Authorization": key}, REMOTE_ADDR=address))
    secret = tokens.create(AccessToken.objects.get().user, name="Script")[1]
    path, sent = "/v0/account/organizations", {"Authorization": f"Bearer {secret}"}
    assert Client().get(path, headers=sent, REMOTE_ADDR="203.0.113.7").status_code == 200
    page = program.person.get("/account").content.decode()
    assert "from 198.51.100.9" in page and "from 203.0.113.7" in page


@pytest.mark.parametrize(
    "kind",
    [
        "urn:ietf:params:oauth:grant-type:device_code",
        "password",
        "client_credentials",
        "implicit",
        "x",
        "openid-hybrid",
    ],
)
def test_other_ways_to_keys_are_refused_before_anything_is_asked(program: Program, kind: str) -> None:
    program.register()
    for form in ({"grant_type": kind}, {"grant_type": kind, "client_id": program.client_id, "device_code": "x"}):
        answer = Client().post("/oauth/token", form)
        assert (answer.status_code, answer.json()["error"]) == (400, "unsupported_grant_type")
    twice = Client().post("/oauth/token", {"grant_type": ["refresh_token", kind]})
    assert (twice.status_code, twice.json()["error"]) == (400, "invalid_request")


@pytest.mark.django_db(transaction=True)
def test_a_code_sent_twelve_times_at_once_opens_nothing_for_long(program: Program, actor: Actor) -> None:
    program.register()
    code = read_query(program.answer(actor.organization.pk)["Location"])["code"]

    def exchange(number: int) -> Any:
        try:
            return Program(Client(), program.client_id).exchange(code)
        finally:
            connection.close()

    with ThreadPoolExecutor(12) as pool:
        answers = list(pool.map(exchange, range(12)))
    assert sorted(answer.status_code for answer in answers) == [200] + [400] * 11
    (given,) = [answer.json() for answer in answers if answer.status_code == 200]
    assert Connection.objects.get().ended_for == "code_replayed" and has_ended(given, program)


@pytest.mark.django_db(transaction=True)
def test_a_token_sent_twelve_times_at_once_gives_twelve(program: Program, actor: Actor) -> None:
    given = program.connect(actor.organization.pk)

    def refresh(number: int) -> Any:
        try:
            return Program(Client(), program.client_id).refresh(given["refresh_token"])
        finally:
            connection.close()

    with ThreadPoolExecutor(12) as pool:
        answers = [answer.json() for answer in pool.map(refresh, range(12))]
    assert len({answer["refresh_token"] for answer in answers}) == 12
    assert Connection.objects.get().ended_for == ""

"""Tokens as their service makes, finds and ends them. What they open at each route: `tests/api/test_limited_tokens.py`."""

from __future__ import annotations

import hashlib
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import AccessToken, AuditEntry, Organization, Role, User
from accounts.services import tokens, users
from kit.errors import Denied, Invalid, NotFound, Unauthenticated

pytestmark = pytest.mark.servers


def test_it_keeps_only_the_hash_of_a_token(actor: Actor) -> None:
    token, secret = tokens.create(actor.user, name=" Scanner ", organization=actor.organization, lifetime_days=7)
    assert secret.startswith("org_")
    assert len(secret) == 4 + 43
    token.refresh_from_db()
    assert token.digest == hashlib.sha256(secret.encode()).hexdigest()
    assert (token.name, token.start) == ("Scanner", secret[:10])
    assert token.expires_at == token.created_at + timedelta(days=7)
    assert secret not in str(token.__dict__)
    assert AuditEntry.objects.get(target_id=token.pk).action == "created"


def test_it_finds_a_token_by_its_secret_alone(actor: Actor) -> None:
    token, secret = tokens.create(actor.user, name="k")
    assert tokens.find(secret) == token
    for wrong in ("", "acc_", token.start, token.digest, secret[:-1]):
        with pytest.raises(Unauthenticated, match="invalid token"):
            tokens.find(wrong)


def test_it_records_the_last_use_at_most_once_a_minute(actor: Actor, django_assert_num_queries) -> None:
    token, secret = tokens.create(actor.user, name="k")
    now = timezone.now()
    tokens.record_use(token, now=now)
    token = tokens.find(secret)
    assert token.last_used_at == now
    with django_assert_num_queries(0):
        tokens.record_use(token, now=now + timedelta(seconds=59))
    tokens.record_use(token, now=now + timedelta(seconds=61))
    assert tokens.find(secret).last_used_at == now + timedelta(seconds=61)


def test_it_ends_at_once_when_revoked(actor: Actor) -> None:
    token, secret = tokens.create(actor.user, name="k", organization=actor.organization)
    tokens.revoke(actor.user, token=token)
    with pytest.raises(Unauthenticated):
        tokens.find(secret)
    entry = AuditEntry.objects.get(action="revoked")
    assert (entry.organization, entry.detail) == (actor.organization, {"name": "k", "owner_id": actor.user.pk})


def test_it_makes_none_for_a_token_that_was_revoked_since_it_came_in(actor: Actor) -> None:
    maker, _ = tokens.create(actor.user, name="k")
    tokens.revoke(actor.user, token=AccessToken.objects.get())
    with pytest.raises(Unauthenticated):
        tokens.create(actor.user, name="made", made_by=maker)
    assert not AccessToken.objects.exists()


@pytest.mark.parametrize("role", Role)
def test_a_ceiling_lowers_a_role_and_never_raises_one(role: Role) -> None:
    for ceiling in Role:
        lower = ceiling if role.covers(ceiling) else role
        assert AccessToken(role_ceiling=ceiling).limit(role) == lower
    assert AccessToken(role_ceiling="").limit(role) == role
    assert AccessToken(upload_only=True).limit(role) == min(role, Role.REVIEWER, key=lambda each: each.rank)


@pytest.mark.parametrize("days", [0, 11])
def test_it_makes_none_that_outlives_its_maker(actor: Actor, days: int) -> None:
    maker, _ = tokens.create(actor.user, name="k", lifetime_days=10)
    with pytest.raises(Denied, match="outlives it"):
        tokens.create(actor.user, name="n", lifetime_days=days, made_by=maker)


def test_it_is_revoked_once(actor: Actor) -> None:
    tokens.create(actor.user, name="k")
    first, second = AccessToken.objects.get(), AccessToken.objects.get()
    tokens.revoke(actor.user, token=first)
    with pytest.raises(NotFound):
        tokens.revoke(actor.user, token=second)
    assert AuditEntry.objects.filter(action="revoked").count() == 1


def test_it_gives_no_token_for_an_organization_to_a_stranger(stranger: Actor, organization: Organization) -> None:
    with pytest.raises(Denied):
        tokens.create(stranger.user, name="k", organization=organization)


@pytest.mark.parametrize("wrong", [{"name": " "}, {"name": "x" * 201}, {"name": "k", "lifetime_days": -1}])
def test_it_refuses_a_token_without_a_name_or_with_a_strange_lifetime(user: User, wrong) -> None:
    with pytest.raises(Invalid):
        tokens.create(user, **wrong)
    assert not AccessToken.objects.exists()


def test_it_prints_the_token_alone_on_the_last_line(actor: Actor) -> None:
    out = StringIO()
    call_command("create_token", "--email", "ADMIN@acme.example", "--org", "acme", "--name", "k", stdout=out)
    token = tokens.find(out.getvalue().splitlines()[-1])
    assert (token.user, token.organization) == (actor.user, actor.organization)
    out = StringIO()
    call_command("create_token", "--email", "admin@acme.example", "--account", "--name", "k", stdout=out)
    assert tokens.find(out.getvalue().splitlines()[-1]).organization is None


@pytest.mark.parametrize(
    ("email", "org", "sentence"),
    [("x@y.example", "Acme", "Nobody here"), ("admin@acme.example", "Nope", "There is no organization Nope")],
)
def test_it_says_whom_or_what_it_does_not_know(actor: Actor, email: str, org: str, sentence: str) -> None:
    with pytest.raises(CommandError, match=sentence):
        call_command("create_token", "--email", email, "--org", org, "--name", "k")


def test_it_makes_a_person_from_the_command_line(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("USER_PASSWORD", "a sentence is fine here")
    call_command("create_user", "--email", "New@acme.example", "--admin", stdout=StringIO())
    person = User.objects.get()
    assert (person.email, person.is_superuser, person.check_password("a sentence is fine here")) == (
        "new@acme.example",
        True,
        True,
    )
    with pytest.raises(CommandError, match="Email already registered"):
        call_command("create_user", "--email", "new@ACME.example")
    monkeypatch.setenv("USER_PASSWORD", "short")
    with pytest.raises(CommandError, match="at least 12 characters"):
        call_command("create_user", "--email", "other@acme.example")


def test_an_account_is_deleted_once(actor: Actor, stranger: Actor) -> None:
    stale = User.objects.get(pk=stranger.user.pk)
    users.delete(stranger.user, user=stranger.user)
    with pytest.raises(NotFound):
        users.delete(stranger.user, user=stale)
    assert AuditEntry.objects.filter(action="deleted", target_id=stale.pk).count() == 1

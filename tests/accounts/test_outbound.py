"""Requests to the outside: whose rules hold, what is recorded, and how the operator sees it."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import AuditEntry, Organization, OutboundRequest, OutboundRule, Role
from accounts.services import users
from accounts.services.outbound import fetching, retention, rules
from kit.errors import Conflict, Denied, Invalid, TooMany
from kit.outbound.fetching import Request
from tests.loopback_server import LoopbackServer
from tests.outside_server import (  # noqa: F401 - running_outside is a fixture
    PUBLIC,
    PretendedNetwork,
    running_outside,
)


@pytest.fixture
def network(running_outside: LoopbackServer) -> PretendedNetwork:
    names = {"a.example": [[PUBLIC]], "b.example": [[PUBLIC]], "inside.example": [["10.0.0.1"]]}
    return PretendedNetwork(running_outside, names)


def ask(url: str, organization: Organization | None, network: PretendedNetwork) -> int:
    return fetching.fetch(Request(url), purpose="a test", organization=organization, network=network).status


def test_an_organization_is_bound_by_its_own_rules(actor: Actor, stranger: Actor, network: PretendedNetwork) -> None:
    rules.add_rule(actor, effect="deny", pattern="A.example")
    with pytest.raises(Denied, match=r"a\.example is on the list"):
        ask("http://a.example/", actor.organization, network)
    assert ask("http://a.example/", stranger.organization, network) == 200
    assert ask("http://a.example/", None, network) == 200
    rules.add_rule(actor, effect="allow", pattern="*.other.example")
    with pytest.raises(Denied, match=r"b\.example is not on the list"):
        ask("http://b.example/", actor.organization, network)
    for rule in OutboundRule.objects.all():
        rules.remove_rule(actor, rule)
    assert ask("http://a.example/", actor.organization, network) == 200


def test_every_request_is_recorded_and_no_secret_of_it(actor: Actor, network: PretendedNetwork) -> None:
    ask("http://a.example/redirect?to=http://b.example/hooks/SECRET?key=SECRET", actor.organization, network)
    with pytest.raises(Denied):
        ask("http://inside.example/SECRET", actor.organization, network)
    rows = OutboundRequest.objects.filter(organization=actor.organization).order_by("created_at")
    assert list(rows.values_list("origin", "address", "status", "is_denied")) == [
        ("http://a.example", PUBLIC, 302, False),
        ("http://b.example", PUBLIC, 200, False),
        ("http://inside.example", "10.0.0.1", 0, True),
    ]
    assert [bool(row.reason) for row in rows] == [False, False, True]
    assert "SECRET" not in str(list(rows.values()))


def test_who_is_no_admin_makes_no_rule(member: Callable[..., Actor]) -> None:
    with pytest.raises(Denied):
        rules.add_rule(member(Role.BUILDER), effect="deny", pattern="a.example")
    assert not OutboundRule.objects.exists()


def test_rules_are_checked_counted_and_audited(actor: Actor) -> None:
    for effect, pattern in (("deny", "https://a.example"), ("deny", ""), ("allow", "203.0.113.0/24")):
        with pytest.raises(Invalid):
            rules.add_rule(actor, effect=effect, pattern=pattern)
    rules.add_rule(actor, effect="deny", pattern="203.0.113.9/24")
    with pytest.raises(Conflict, match=r"There is this rule: deny 203\.0\.113\.0/24"):
        rules.add_rule(actor, effect="deny", pattern="203.0.113.0/24")
    assert AuditEntry.objects.get(target_kind="outbound rule").detail == {"rule": "deny 203.0.113.0/24"}
    OutboundRule.objects.bulk_create(
        OutboundRule(organization=actor.organization, effect="deny", pattern=f"{number}.example")
        for number in range(rules.MAX_RULES - 1)
    )
    with pytest.raises(Invalid, match="at most 200 rules"):
        rules.add_rule(actor, effect="deny", pattern="one-more.example")


@pytest.mark.servers
def test_requests_of_an_organization_are_counted(actor: Actor, network: PretendedNetwork, settings: Any) -> None:
    settings.OUTBOUND_PER_MINUTE = 1
    ask("http://a.example/", actor.organization, network)
    with pytest.raises(TooMany):
        ask("http://a.example/", actor.organization, network)
    assert OutboundRequest.objects.count() == 1


def test_the_list_has_an_end(actor: Actor, settings: Any) -> None:
    settings.OUTBOUND_LOG_DAYS = 10
    now = timezone.now()
    for days in (0, 1, 2, 11):
        OutboundRequest.objects.create(purpose=str(days), created_at=now - timedelta(days=days))
    assert retention.delete_old() == 1
    assert retention.delete_old(keep=2) == 1
    assert set(OutboundRequest.objects.values_list("purpose", flat=True)) == {"0", "1"}


def test_the_operator_adds_and_removes_rules(client: Client, actor: Actor) -> None:
    client.force_login(users.create(None, email="root@acme.example", password=None, is_superuser=True))
    form = {"organization": actor.organization.pk, "effect": "deny", "pattern": "*.Evil.example"}
    client.post(reverse("admin:accounts_outboundrule_add"), form)
    rule = OutboundRule.objects.get()
    assert (rule.pattern, rule.organization) == ("*.evil.example", actor.organization)
    wrong = client.post(reverse("admin:accounts_outboundrule_add"), {**form, "pattern": "https://x"}, follow=True)
    assert "without https://" in wrong.text
    chosen = {"action": "remove", "_selected_action": [rule.pk]}
    client.post(reverse("admin:accounts_outboundrule_changelist"), chosen)
    assert not OutboundRule.objects.exists()
    assert set(AuditEntry.objects.filter(target_kind="outbound rule").values_list("action", flat=True)) == {
        "added",
        "removed",
    }


@pytest.mark.django_db
def test_the_operator_tries_an_address(running_outside: LoopbackServer, settings: Any) -> None:
    port = running_outside.server_address[1]
    with pytest.raises(CommandError, match="Port"):
        call_command("ask_outside", f"http://localhost:{port}/")
    settings.OUTBOUND_PORTS = (port,)
    with pytest.raises(CommandError, match="localhost is not on the public internet"):
        call_command("ask_outside", f"http://localhost:{port}/")
    settings.OUTBOUND_PRIVATE_HOSTS = ("localhost",)
    out = StringIO()
    call_command("ask_outside", f"http://localhost:{port}/page", stdout=out)
    assert out.getvalue() == f"http://localhost:{port}/page answered 200 with 3 bytes.\n"
    with pytest.raises(CommandError, match="no organization Nobody"):
        call_command("ask_outside", f"http://localhost:{port}/", org="Nobody")

"""What a person is told when a lock is not had in time, and who needs none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import DataError, OperationalError, connection
from django.test import Client
from django.urls import reverse

from accounts.actor import Actor
from accounts.models import Role
from agent.calls import bulk_decisions
from agent.models import Decision, Turn
from documents.models import Tag
from kit.errors import Conflict
from kit.http.failures import BUSY
from kit.rows.locks import is_lock_failure
from tests.agent.decision_rows import Propose, say
from tests.conftest import ApiClient
from tests.locks import lock_elsewhere

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.servers]


def build_request(call_id: str, *, approved: bool = True) -> dict[str, Any]:
    return {"call_id": call_id, "approved": approved, "arguments": None, "reason": ""}


def test_a_decision_that_gets_no_lock_is_503_and_can_be_made_afterwards(
    api_as: Callable[[Actor], ApiClient], actor: Actor, propose: Propose
) -> None:
    (call,) = propose(("note", {"text": "x"}))
    client, url = api_as(actor), reverse("v0-call-decision", args=[actor.organization.pk, call.pk])
    sent = {"kind": "approved", "version": 1, "shown_hash": call.shown_hash, "idempotency_key": "k"}
    client.get(reverse("v0-approvals", args=[actor.organization.pk]))
    with lock_elsewhere(call.turn):
        answer = client.post(url, sent)
    assert (answer.status_code, answer.json()) == (503, {"detail": BUSY})
    assert answer["Retry-After"] == "5" and not Decision.objects.exists()
    assert client.post(url, sent).status_code == 200


def test_who_comes_later_needs_no_lock_to_learn_what_was_decided(
    actor: Actor, member: Callable[[Role], Actor], propose: Propose
) -> None:
    (call,) = propose(("note", {"text": "x"}))
    (turn,) = Turn.objects.all()
    bulk_decisions.decide_all(actor, turn=turn, requests=[build_request(call.pk)])
    builder = member(Role.BUILDER)
    call.refresh_from_db()
    with lock_elsewhere(turn):
        assert bulk_decisions.decide_all(
            builder, turn=turn, requests=[build_request(call.pk), build_request("gone")]
        ) == ["gone"]
        with pytest.raises(Conflict, match="decided already"):
            bulk_decisions.decide_all(builder, turn=turn, requests=[build_request(call.pk, approved=False)])
        with pytest.raises(Conflict, match="decided already"):
            say(builder, call, key="another")
    assert Decision.objects.count() == 1


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}], ids=["page", "fragment"])
def test_a_page_that_gets_no_lock_says_so(client: Client, actor: Actor, headers: dict[str, str]) -> None:
    client.force_login(actor.user)
    tag = Tag.objects.create(organization=actor.organization, name="Invoice", color="#112233")
    url = reverse("tag", args=[actor.organization.pk, tag.pk])
    sent = {"name": "Receipt", "color": "#112233", "description": ""}
    with lock_elsewhere(tag):
        answer = client.post(url, sent, headers=headers)
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert BUSY in answer.content.decode()
    tag.refresh_from_db()
    assert tag.name == "Invoice"


def test_no_other_failure_of_the_database_is_taken_for_a_lock() -> None:
    with pytest.raises((OperationalError, DataError)) as failed, connection.cursor() as cursor:
        cursor.execute("SELECT no_such_function(1)" if connection.vendor == "sqlite" else "SELECT 1 / 0")
    assert not is_lock_failure(failed.value)
    assert not is_lock_failure(OperationalError("database is locked"))

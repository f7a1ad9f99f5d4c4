"""What let the agent act without a person, as the log, the page of the values and a late decision say it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.actor import Actor
from agent.calls import execution
from agent.models import Rule, Thread, ToolCall, Turn
from documents.models import Extraction, FieldEdit
from kit.errors import Conflict
from tests.agent.conftest import propose_all
from tests.agent.decision_rows import say

# The fixtures of a document with values.
from tests.agent.undo_rows import document, extraction, prompt, thread  # noqa: F401
from tests.conftest import ApiClient

pytestmark = pytest.mark.django_db
CHANGE = ("update_extraction_field", {"path": "vendor", "value": "Ostrava"})
CLIENT = "an API client, which approved it automatically"


def propose_change(thread: Thread, *, mode: str = "ask", **turn: Any) -> ToolCall:  # noqa: F811
    Thread.objects.filter(pk=thread.pk).update(mode=mode)
    (call,) = propose_all(Thread.objects.get(pk=thread.pk), CHANGE, **turn)
    execution.execute(call.pk, holder="test")
    call.refresh_from_db()
    return call


def allow(actor: Actor) -> None:
    Rule.objects.create(organization=actor.organization, scope="organization", tool=CHANGE[0], verdict="allow")


def read_decision(api: ApiClient, call: ToolCall) -> dict[str, Any]:
    lines = api.get(f"/v0/orgs/{call.thread.organization_id}/turns/{call.turn_id}/log").text.splitlines()
    (line,) = [each for each in map(json.loads, lines) if each["type"] == "decision"]
    return dict(line)


@pytest.mark.parametrize(
    ("way", "by", "recorded"),
    [("client", CLIENT, "client"), ("auto", "mode auto", "auto"), ("rule", "a rule of the organization", "")],
)
def test_a_change_without_a_person_says_what_allowed_it(
    actor: Actor,
    thread: Thread,  # noqa: F811
    extraction: Extraction,  # noqa: F811
    api_as: Callable[[Actor], ApiClient],
    client: Client,
    signed_in: Callable[[Client, Actor], Client],
    way: str,
    by: str,
    recorded: str,
) -> None:
    if way == "rule":
        allow(actor)
    turn: dict[str, Any] = {"auto_approved": ["*"], "origin": "api"} if way == "client" else {}
    call = propose_change(thread, mode="auto" if way == "auto" else "ask", **turn)
    assert (call.status, call.allowed_by, FieldEdit.objects.get().allowed_by) == ("succeeded", by, by)
    line = read_decision(api_as(actor), call)
    assert (line["kind"], line["by"], line["mode"]) == ("approved", by, recorded)
    with pytest.raises(Conflict) as late:
        say(actor, call)
    assert late.value.winner and late.value.winner["by"] == by
    page = signed_in(client, actor)
    ids = [actor.organization.pk, thread.document_id]
    text = " ".join(page.get(reverse("document", args=ids)).text.split())
    assert f"The agent changed it for Admin, allowed by {by}, " in text and "rule let the agent" not in text
    history = page.get(reverse("field-history", args=[*ids, extraction.pk]), {"where": "vendor"}).text
    assert f"by the agent, allowed by {by}:" in history


def test_what_a_person_approved_or_changed_names_the_person(
    actor: Actor,
    thread: Thread,  # noqa: F811
    extraction: Extraction,  # noqa: F811
    client: Client,
    signed_in: Callable[[Client, Actor], Client],
    api_as: Callable[[Actor], ApiClient],
) -> None:
    (call,) = propose_all(thread, CHANGE)
    say(actor, call)
    execution.execute(call.pk, holder="test")
    assert (read_decision(api_as(actor), call)["by"], FieldEdit.objects.get().allowed_by) == ("Admin", "")
    address = reverse("document", args=[actor.organization.pk, thread.document_id])
    page = signed_in(client, actor)
    assert "Admin approved the agent's change, " in " ".join(page.get(address).text.split())
    FieldEdit.objects.update(origin="person")
    assert "Admin changed it, " in " ".join(page.get(address).text.split())


def test_a_headless_call_says_that_automatic_setup_let_it_run(
    actor: Actor,
    thread: Thread,  # noqa: F811
    api_as: Callable[[Actor], ApiClient],
) -> None:
    creation = ("create_prompt", {"name": "One", "content": "Read it."})
    (call,) = propose_all(thread, creation, origin=Turn.Origin.HEADLESS)
    line = read_decision(api_as(actor), call)
    assert (line["by"], line["mode"], line["rule"]) == ("automatic setup", "headless", None)


def test_a_rule_that_denies_is_named_too(
    actor: Actor,
    thread: Thread,  # noqa: F811
    api_as: Callable[[Actor], ApiClient],
) -> None:
    Rule.objects.create(organization=actor.organization, scope="user", user=actor.user, tool="*", verdict="deny")
    (call,) = propose_all(thread, ("note", {"text": "x"}))
    line = read_decision(api_as(actor), call)
    assert (line["kind"], line["by"], line["mode"]) == ("rejected", "a rule of the thread's owner", "")

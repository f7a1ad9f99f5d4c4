"""Bare calls of a model over /v0. A worker thread makes them, as in life, with a scripted or the offline model."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.db import connection
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import AuditEntry, Organization
from accounts.services import organizations, tokens
from documents.models import ModelCall, Usage
from llm import model_calls
from llm.money import budgets
from tests.api.llm_call_clients import (  # noqa: F401 - some are fixtures
    EMBEDDING,
    Client,
    client,
    operator,
    worker,
)
from tests.conftest import ApiClient
from tests.scripted_model import ScriptedModel, fails, says

pytestmark = pytest.mark.django_db(transaction=True)


ACCOUNT = "/v0/account/llm/run"


ASKED = {"model": "openai/scripted", "messages": [{"role": "user", "content": "Hello"}]}


@pytest.fixture
def path(organization: Organization) -> str:
    return f"/v0/orgs/{organization.pk}/llm/run"


def events_of(answer: Any) -> list[Any]:
    """What the stream told, until it ended; what is only to keep it open is left out."""

    async def read() -> str:
        return "".join([part.decode() async for part in answer.streaming_content])

    assert (answer.status_code, answer["Content-Type"]) == (200, "text/event-stream; charset=utf-8")
    lines = async_to_sync(read)().splitlines()
    return [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: ")]


def test_it_answers_as_openai_does(
    client: ApiClient, path: str, scripted_model: ScriptedModel, worker: None, operator: Actor
) -> None:
    for at in (path, ACCOUNT):
        scripted_model.will(says("Hel", "lo."))
        sent = {**ASKED, "max_tokens": 50, "temperature": 0.2}
        answer = client.post(at, sent)
        assert answer.status_code == 200, answer.content
        whole = answer.json()
        call = ModelCall.objects.latest("created_at")
        assert (whole["id"], whole["object"], whole["model"]) == (
            f"chatcmpl-{call.pk}",
            "chat.completion",
            "openai/scripted",
        )
        message = {"role": "assistant", "content": "Hello."}
        assert whole["choices"] == [{"index": 0, "message": message, "finish_reason": "stop"}]
        assert whole["usage"] == {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
        request = scripted_model.requests[-1]
        assert (request["messages"], request["max_tokens"], request["temperature"]) == (ASKED["messages"], 50, 0.2)
    assert scripted_model.unexpected == []


def test_the_organization_pays_and_its_log_says_who_asked(
    client: ApiClient, operator: Actor, scripted_model: ScriptedModel, worker: None
) -> None:
    scripted_model.will(says("Hello."))
    assert client.post(ACCOUNT, ASKED).status_code == 200
    usage, call = Usage.objects.get(), ModelCall.objects.get()
    assert (usage.organization, usage.user, usage.purpose, usage.subject_id) == (
        operator.organization,
        operator.user,
        "bare chat",
        call.pk,
    )
    entry = AuditEntry.objects.get(action="called")
    assert (entry.organization, entry.user, entry.detail) == (
        operator.organization,
        operator.user,
        {"model": "openai/scripted"},
    )


def test_a_system_admin_asks_on_behalf_of_an_organization_without_being_in_it(
    client: ApiClient, other_organization: Organization, scripted_model: ScriptedModel, worker: None
) -> None:
    scripted_model.will(says("Hello."))
    assert client.post(f"/v0/orgs/{other_organization.pk}/llm/run", ASKED).status_code == 200
    assert Usage.objects.get().organization == other_organization
    unknown = client.post("/v0/orgs/0123456789abcdef01234567/llm/run", ASKED)
    assert (unknown.status_code, unknown.json()) == (404, {"detail": "Organization not found"})


def test_the_organization_that_one_has_run_for_the_longest_pays_for_the_account(
    client: ApiClient, operator: Actor, scripted_model: ScriptedModel, worker: None
) -> None:
    organizations.create(operator.user, name="Younger", type="team")
    scripted_model.will(says("Hello."))
    assert client.post(ACCOUNT, ASKED).status_code == 200
    assert Usage.objects.get().organization == operator.organization
    operator.user.memberships.all().delete()
    answer = client.post(ACCOUNT, ASKED)
    assert (answer.status_code, answer.json()["detail"][:36]) == (400, "You belong to no organization whose ")


def test_it_streams_the_words_as_they_come(
    client: ApiClient, path: str, scripted_model: ScriptedModel, worker: None
) -> None:
    scripted_model.will(says("Guten ", "Tag, ", "Zoë."))
    chunks = events_of(client.post(path, {**ASKED, "stream": True}))
    assert chunks[-1] == {"chunk": "", "done": True}
    assert {event["done"] for event in chunks[:-1]} == {False}
    assert "".join(event["chunk"] for event in chunks) == "Guten Tag, Zoë."


def test_it_streams_before_the_answer_is_whole(client: ApiClient, path: str, scripted_model: ScriptedModel) -> None:
    """The model hangs after its first words; the client hears them, goes away, and the call is given up."""
    scripted_model.will(says("First words").with_hang())
    answer = client.post(path, {**ASKED, "stream": True})
    worker = threading.Thread(target=_run, args=(ModelCall.objects.get().pk,))

    async def listen() -> str:
        events: AsyncIterator[bytes] = aiter(answer.streaming_content)
        assert await anext(events) == b": asked\n\n"
        worker.start()
        async with asyncio.timeout(20):
            while (line := await anext(events)).startswith(b":"):
                pass
        await events.aclose()  # type: ignore[attr-defined]
        return line.decode()

    assert async_to_sync(listen)() == 'data: {"chunk": "First words", "done": false}\n\n'
    worker.join(120)
    assert not worker.is_alive()
    assert ModelCall.objects.get().status == "cancelled"
    assert scripted_model.hung_up.wait(120)
    assert Usage.objects.get().completion_tokens > 0


def _run(call_id: str) -> None:
    model_calls.run(call_id, holder="test")
    connection.close()


def test_a_lost_message_costs_no_words(client: ApiClient, path: str, scripted_model: ScriptedModel) -> None:
    """All was said before anybody listened."""
    scripted_model.will(says("All of ", "it."))
    answer = client.post(path, {**ASKED, "stream": True})
    model_calls.run(ModelCall.objects.get().pk, holder="test")
    assert events_of(answer) == [{"chunk": "All of it.", "done": False}, {"chunk": "", "done": True}]


def test_it_says_what_the_provider_said(
    client: ApiClient, path: str, scripted_model: ScriptedModel, worker: None
) -> None:
    scripted_model.will(fails(401), fails(401))
    answer = client.post(path, ASKED)
    sentence = "OpenAI refused the key (401). Check OPENAI_API_KEY."
    assert (answer.status_code, answer.json()) == (502, {"detail": sentence})
    assert events_of(client.post(path, {**ASKED, "stream": True})) == [{"error": sentence}]


@pytest.mark.usefixtures("unpriced")
def test_it_says_402_without_money(
    client: ApiClient, path: str, operator: Actor, scripted_model: ScriptedModel, worker: None
) -> None:
    budgets.set_limit(operator, limit_usd=0)
    answer = client.post(path, ASKED)
    assert (answer.status_code, answer.json()["detail"][:29]) == (402, "Insufficient SPU credits: Thi")
    (event,) = events_of(client.post(path, {**ASKED, "stream": True}))
    assert event["error"].startswith("This call may cost ")
    assert not Usage.objects.exists()
    assert scripted_model.requests == []


def test_it_gives_up_what_nobody_waits_for(client: ApiClient, path: str, settings: Any) -> None:
    settings.RUN_WAIT_SECONDS = 0
    answer = client.post(path, {**ASKED, "model": "offline/rules"})
    assert (answer.status_code, answer.json()["detail"]) == (
        504,
        "offline/rules did not answer within 0 seconds. With stream: true there is more time.",
    )
    (event,) = events_of(client.post(path, {**ASKED, "model": "offline/rules", "stream": True}))
    assert event == {"error": "No worker took the call within 0 seconds. Look whether the workers run."}
    for call in ModelCall.objects.all():
        model_calls.run(call.pk, holder="late")
        call.refresh_from_db()
        assert call.status == "cancelled"
    assert not Usage.objects.exists()


def test_the_scheduler_ends_what_a_dead_server_left_and_forgets_what_has_ended(operator: Actor) -> None:
    call = {"kind": ModelCall.Kind.CHAT, "model": "offline/rules", "request": {}}
    late, due = (model_calls.prepare(operator, seconds=seconds, **call) for seconds in (-1, 60))
    assert model_calls.clean_up() == 1
    late.refresh_from_db()
    due.refresh_from_db()
    assert (late.status, due.status) == ("cancelled", "queued")
    ModelCall.objects.update(created_at=timezone.now() - timedelta(hours=2))
    assert model_calls.clean_up() == 0
    assert list(ModelCall.objects.all()) == [due]


def test_the_clients_own_default_stands_for_the_organizations_model(
    client: ApiClient, path: str, scripted_model: ScriptedModel, worker: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    scripted_model.will(says("Hello."))
    answer = client.post(path, {**ASKED, "model": "claude-sonnet-4-6"})
    assert answer.json()["model"] == "openai/scripted"


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({"model": None}, 422),
        ({"model": 5.5}, 422),
        ({"model": "no-such-model"}, 400),
        ({"messages": []}, 422),
        ({"messages": "Hello"}, 422),
        ({"messages": [{"role": "tool", "content": "x"}]}, 422),
        ({"messages": [{"role": "user"}]}, 422),
        ({"messages": [{"role": "user", "content": {}}]}, 422),
        ({"max_tokens": 0}, 422),
        ({"temperature": 3}, 422),
        ({"stream": "perhaps"}, 422),
        ({"model": "anthropic/claude-9"}, 400),
    ],
)
def test_it_refuses_what_no_model_could_answer(
    client: ApiClient, path: str, changed: dict[str, Any], status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    for stream in ({}, {"stream": True}):
        assert client.post(path, {**ASKED, **stream, **changed}).status_code == status
    assert not ModelCall.objects.exists()


def test_nobody_but_a_system_admin_asks(
    api: Client, api_as: Callable[[Actor], ApiClient], actor: Actor, stranger: Actor, path: str
) -> None:
    refused = {"detail": "Admin access required"}
    account = api(tokens.create(actor.user, name="k")[1])
    for caller, at in ((api_as(actor), path), (account, ACCOUNT), (account, EMBEDDING), (account, path)):
        answer = caller.post(at, ASKED)
        assert (answer.status_code, answer.json()) == (403, refused)
    outside = api(tokens.create(stranger.user, name="k")[1]).post(path, ASKED)
    assert outside.json() == {"detail": "You are not a member of this organization"}
    assert not ModelCall.objects.exists()


def test_failures_are_json_whatever_the_client_accepts(client: ApiClient, path: str) -> None:
    for accepted in ("text/plain", "text/event-stream", "application/xml"):
        answer = client.post(path, {}, headers={"Accept": accepted})
        assert (answer.status_code, answer["Content-Type"]) == (422, "application/json")

"""What people and programs are told when the disk is full: 507 with a sentence, wherever they meet it."""

from __future__ import annotations

import errno
import json
from collections.abc import Callable
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from asgiref.testing import ApplicationCommunicator
from django.contrib.sessions.middleware import SessionMiddleware
from django.core.handlers.exception import convert_exception_to_response
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from redis.exceptions import ResponseError

from accounts.actor import Actor
from accounts.services import tokens
from agent.mcp.application import with_mcp
from docrouter import asgi
from documents.models import Tag
from kit.http.failures import AWAY, FULL, explain_failure
from tests.conftest import ApiClient
from tests.full_disk import full_disk

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.servers]
PASSWORD = "Plain-Kettle-4711-Harbour"


@pytest.fixture
def person(actor: Actor) -> Actor:
    actor.user.set_password(PASSWORD)
    actor.user.is_superuser = actor.user.is_staff = True
    actor.user.save()
    return actor


@pytest.mark.parametrize("table", ["", "django_session"])
def test_a_sign_in_is_507(client: Client, person: Actor, table: str) -> None:
    with full_disk(table):
        answer = client.post("/sign-in", {"email": person.user.email, "password": PASSWORD})
    assert answer.status_code == 507 and FULL in answer.content.decode()
    assert client.post("/sign-in", {"email": person.user.email, "password": PASSWORD}).status_code == 302


def test_a_session_that_is_stored_behind_the_view_is_507(rf: RequestFactory) -> None:
    """Outside of what the other middlewares catch."""

    def remember(request: HttpRequest) -> HttpResponse:
        request.session["visited"] = True
        return HttpResponse()

    visit = convert_exception_to_response(SessionMiddleware(remember))
    with full_disk("django_session"):
        page, api = visit(rf.get("/")), visit(rf.get("/v0/nothing"))
    assert page.status_code == 507 and FULL in page.content.decode()
    assert (api.status_code, json.loads(api.content)) == (507, {"detail": FULL})
    assert visit(rf.get("/")).status_code == 200


def test_a_session_that_is_updated_is_507_too(rf: RequestFactory, client: Client, person: Actor) -> None:
    client.force_login(person.user)
    key = client.session.session_key

    def remember(request: HttpRequest) -> HttpResponse:
        request.session["visited"] = True
        return HttpResponse()

    visit = convert_exception_to_response(SessionMiddleware(remember))
    request = rf.get("/")
    request.COOKIES["sessionid"] = str(key)
    with full_disk("django_session"):
        answer = visit(request)
    assert answer.status_code == 507 and FULL in answer.content.decode()


def test_a_sign_in_while_redis_is_away_is_503(client: Client, person: Actor, settings: Any) -> None:
    redis = "django.core.cache.backends.redis.RedisCache"
    settings.CACHES = {"default": {"BACKEND": redis, "LOCATION": "redis://127.0.0.1:1"}}
    answer = client.post("/sign-in", {"email": person.user.email, "password": PASSWORD})
    assert answer.status_code == 503 and AWAY in answer.content.decode()


def test_a_change_on_a_page_and_in_the_administration_is_507(client: Client, person: Actor) -> None:
    client.force_login(person.user)
    form = {"name": "urgent", "color": "#123456"}
    with full_disk("documents_tag"):
        page = client.post(f"/orgs/{person.organization.pk}/tags/new", form)
        part = client.post(f"/orgs/{person.organization.pk}/tags/new", form, headers={"HX-Request": "true"})
    price = {"name": "openai/mine", "input_micros_per_mtok": "1", "output_micros_per_mtok": "1"}
    with full_disk("documents_modelprice"):
        change = client.post("/admin/documents/modelprice/add/", price)
    for answer in (page, part, change):
        assert answer.status_code == 507 and FULL in answer.content.decode()
    assert part["HX-Retarget"] == "#notice" and not Tag.objects.exists()


def test_a_change_over_v0_is_507(api_as: Callable[[Actor], ApiClient], actor: Actor) -> None:
    path = f"/v0/orgs/{actor.organization.pk}/tags"
    client = api_as(actor)
    with full_disk("documents_tag"):
        answer = client.post(path, {"name": "urgent", "color": "#123456"})
    assert (answer.status_code, answer.json()) == (507, {"detail": FULL})
    assert client.post(path, {"name": "urgent", "color": "#123456"}).status_code == 200


@pytest.mark.parametrize("table", ["accounts_accesstoken", "agent_"])
def test_a_call_over_mcp_says_it(actor: Actor, table: str) -> None:
    """Be it who asks that cannot be noted, or what is asked for."""
    secret = tokens.create(actor.user, name="x", organization=actor.organization)[1]
    params = {"name": "create_tag", "arguments": {"name": "urgent"}}
    with full_disk(table):
        answer = async_to_sync(call_mcp)(secret, {"method": "tools/call", "params": params})
    assert FULL in answer


def test_a_file_that_has_no_room_is_507() -> None:
    for number in (errno.ENOSPC, errno.EDQUOT):
        failure = explain_failure(OSError(number, "no room"))
        assert failure and (failure.status, failure.sentence) == (507, FULL)
    redis = explain_failure(ResponseError("MISCONF Errors writing to the AOF file: No space left on device"))
    assert redis and redis.status == 507
    assert explain_failure(OSError(errno.EIO, "broken")) is None and explain_failure(None) is None


async def call_mcp(secret: str, message: dict[str, object]) -> str:
    """The body of the answer. In the thread of the test, whose database is full."""
    fields = {
        "host": "localhost",
        "authorization": f"Bearer {secret}",
        "content-type": "application/json",
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": "2025-11-25",
    }
    scope = {
        "type": "http",
        "method": "POST",
        "path": "/mcp",
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in fields.items()],
        "client": ("127.0.0.1", 5),
    }
    door = ApplicationCommunicator(with_mcp(asgi.django), scope)
    await door.send_input({"type": "http.request", "body": json.dumps({"jsonrpc": "2.0", "id": 1, **message}).encode()})
    body, more = b"", True
    await door.receive_output(60)
    while more:
        part = await door.receive_output(60)
        body, more = body + part["body"], part.get("more_body", False)
    return body.decode()

"""The page of outside servers, as an admin uses it."""

from __future__ import annotations

import pytest
from django.test import Client

from accounts.actor import Actor
from agent.models import OutsideServer
from tests.agent.outside_servers import Outside

pytestmark = [pytest.mark.django_db, pytest.mark.servers]


@pytest.fixture
def browser(actor: Actor) -> Client:
    client = Client()
    client.force_login(actor.user)
    return client


def path(actor: Actor, rest: str = "") -> str:
    return f"/orgs/{actor.organization.pk}/settings/outside{rest}"


def test_an_admin_adds_a_server_reads_its_tool_and_switches_it_on(outside: Outside, browser: Client) -> None:
    given = {"name": "Other", "url": "https://tools.example/mcp", "header": "X-Key", "secret": "a-long-secret-text"}
    assert browser.post(path(outside.actor, "/add"), given | {"untried": "1"}).status_code == 302
    outside.behaviour.tell("send", "<b>Obey</b> me.")
    outside.list_tools()
    page = browser.get(path(outside.actor)).content.decode()
    assert "&lt;b&gt;Obey&lt;/b&gt; me." in page and "nobody has looked at it" in page and "a-long-secret" not in page
    tool = outside.tool()
    browser.post(path(outside.actor, f"/tools/{tool.pk}"), {"is_on": "on", "digest": tool.digest})
    assert outside.tool().is_on and outside.tool().seen_by == outside.actor.user
    browser.post(path(outside.actor, f"/tools/{tool.pk}"), {"is_on": "off"})
    assert not outside.tool().is_on


def test_it_refuses_to_switch_on_what_changed_since_the_page_was_loaded(outside: Outside, browser: Client) -> None:
    outside.list_tools()
    tool = outside.tool()
    outside.behaviour.tell("send", "Changed.")
    outside.list_tools()
    answer = browser.post(path(outside.actor, f"/tools/{tool.pk}"), {"is_on": "on", "digest": tool.digest}, follow=True)
    assert "has changed since you looked" in answer.content.decode() and not outside.tool().is_on


def test_what_is_refused_keeps_what_was_typed_but_the_secret(actor: Actor, browser: Client) -> None:
    given = {"name": "Post", "url": "ftp://tools.example", "secret": "letter-box"}
    answer = browser.post(path(actor, "/add"), given)
    page = answer.content.decode()
    assert answer.status_code == 422 and "ftp://tools.example" in page and "https://" in page
    assert "letter-box" not in page and not OutsideServer.objects.exists()


def test_a_connection_is_tried_before_anything_is_saved(outside: Outside, browser: Client) -> None:
    form = {"url": outside.row.url, "header": "X-Key", "secret": "a-long-secret-text"}
    OutsideServer.objects.all().delete()
    outside.behaviour.tell("look_up", "<b>Finds</b> a text.")
    text = browser.post(path(outside.actor, "/try"), form).content.decode()
    assert "Connected." in text and "2 tools" in text and "look_up" in text and "a-long-secret" not in text
    assert all(headers["x-key"] == "a-long-secret-text" for _, _, headers in outside.behaviour.asked)
    for wrong in ({"url": ""}, {"url": "ftp://tools.example"}, {"url": "http://localhost:1/mcp"}):
        refused = browser.post(path(outside.actor, "/try"), form | wrong).content.decode()
        assert "Connected." not in refused and "Nothing was saved." in refused
    assert not OutsideServer.objects.exists()


def test_what_is_added_is_what_was_just_tried(outside: Outside, browser: Client) -> None:
    url = outside.row.url
    OutsideServer.objects.all().delete()
    outside.behaviour.status = 500
    given = {"name": "Post", "url": url, "header": "X-Key", "secret": "a-long-secret-text"}
    failed = browser.post(path(outside.actor, "/add"), given)
    assert failed.status_code == 422 and "failed with status 500" in failed.text and "Add anyway" in failed.text
    assert not OutsideServer.objects.exists()
    outside.behaviour.status = 200
    added = browser.post(path(outside.actor, "/add"), given, follow=True).text
    server = OutsideServer.objects.get()
    assert "Post is added with 1 tool." in added and server.listed_at and not server.tools.get().is_on
    twice = browser.post(path(outside.actor, "/add"), given | {"name": "post"})
    assert twice.status_code == 422 and "Choose another name" in twice.text and "Add anyway" not in twice.text
    assert browser.post(path(outside.actor, "/add"), given | {"name": "Two"}, headers={"HX-Request": "true"}).headers[
        "HX-Redirect"
    ] == path(outside.actor)


def test_a_changed_secret_is_tried_before_it_is_saved(outside: Outside, browser: Client) -> None:
    at, before = path(outside.actor, f"/{outside.row.pk}/secret"), outside.row.sealed
    given, htmx = {"header": "X-Key", "secret": "another-long-secret"}, {"HX-Request": "true"}
    outside.behaviour.status = 401
    refused = browser.post(at, given, headers=htmx).text
    assert "Nothing was saved." in refused and "Save anyway" in refused and "another-long" not in refused
    assert "Nothing was saved." in browser.post(at, given, follow=True).text
    unnamed = browser.post(at, given | {"header": ""}, headers=htmx).text
    assert "Name a header" in unnamed and "Save anyway" not in unnamed
    assert OutsideServer.objects.get().sealed == before
    browser.post(at, given | {"untried": "1"}, headers=htmx)
    assert OutsideServer.objects.get().header == "X-Key"
    outside.behaviour.status = 200
    saved = browser.post(at, given | {"header": "X-Other"}, follow=True).text
    assert "answered with 1 tool." in saved and OutsideServer.objects.get().header == "X-Other"


@pytest.mark.parametrize(
    ("status", "kind", "secret", "why"),
    [
        (401, "application/json", "", "asks for a key: name a header"),
        (
            401,
            "application/json",
            "abc",
            "does not accept this key. Check the header and its secret. With Authorization",
        ),
        (401, "application/json", "Bearer abc", "does not accept this key. Check the header and its secret. Nothing"),
        (403, "text/plain", "Bearer abc", "refuses the request"),
        (404, "text/html", "", "has no MCP server at this address. Check its path."),
        (405, "text/plain", "", "takes no MCP requests at this address"),
        (429, "text/plain", "", "has been asked too often"),
        (503, "text/plain", "", "failed with status 503"),
        (418, "text/plain", "", "refused the request with status 418"),
        (200, "text/html", "", "sent a web page instead of MCP"),
        (200, "text/plain", "", "sent something that is not MCP"),
    ],
)
def test_each_failure_of_a_connection_has_its_sentence(
    outside: Outside, browser: Client, status: int, kind: str, secret: str, why: str
) -> None:
    outside.behaviour.status, outside.behaviour.kind = status, kind
    form = {"url": outside.row.url, "header": "Authorization" if secret else "", "secret": secret}
    assert why in browser.post(path(outside.actor, "/try"), form).text


def test_a_known_server_fills_the_form(actor: Actor, browser: Client) -> None:
    page = browser.get(path(actor, "?known=DeepWiki")).content.decode()
    assert 'value="https://mcp.deepwiki.com/mcp"' in page
    assert 'value="https://' not in browser.get(path(actor, "?known=Nobody")).content.decode()


def test_another_organizations_server_and_tool_are_not_there(outside: Outside, stranger: Actor) -> None:
    outside.list_tools()
    client = Client()
    client.force_login(stranger.user)
    for rest in (f"/{outside.row.pk}/remove", f"/{outside.row.pk}/secret", f"/tools/{outside.tool().pk}"):
        assert client.post(path(stranger, rest), {"is_on": "on", "digest": outside.tool().digest}).status_code == 404
    assert OutsideServer.objects.filter(pk=outside.row.pk).exists() and not outside.tool().is_on


def test_removing_a_server_takes_its_tools_along(outside: Outside, browser: Client) -> None:
    outside.list_tools()
    browser.post(path(outside.actor, f"/{outside.row.pk}/remove"))
    assert not OutsideServer.objects.exists()

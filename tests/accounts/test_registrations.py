"""How programs make themselves known before anybody is asked, and what that costs this server."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from oauth2_provider.models import Application

from accounts.actor import Actor
from accounts.models import OutboundRequest
from accounts.services.connections import clients, retention
from accounts.services.connections.metadata_documents import GuardedFetcher
from kit.errors import TooMany
from tests.loopback_server import LoopbackServer
from tests.oauth_client import REDIRECT, Program
from tests.outside_server import PUBLIC, OutsideHandler, PretendedNetwork
from tests.page_client import PageClient

DOCUMENT_ADDRESS = "https://client.example/mcp.json"


@pytest.fixture
def program(actor: Actor, settings: Any) -> Program:
    settings.OAUTH_PER_MINUTE = 0
    person = PageClient()
    person.force_login(actor.user)
    return Program(person)


def test_metadata_is_the_same_at_both_of_its_addresses(settings: Any, db: None) -> None:
    for name, paths in {
        "oauth-authorization-server": ("", "/mcp"),
        "oauth-protected-resource": ("", "/mcp", "/mcp/"),
    }.items():
        answers = [Client().get(f"/.well-known/{name}{path}") for path in paths]
        assert all(each.status_code == 200 and each.json() == answers[0].json() for each in answers)
    here, resource = settings.PUBLIC_URL, answers[0].json()
    assert (resource["resource"], resource["authorization_servers"]) == (f"{here}/mcp", [here])
    server = Client().get("/.well-known/oauth-authorization-server").json()
    assert server["issuer"] == here and server["code_challenge_methods_supported"] == ["S256"]
    assert server["client_id_metadata_document_supported"] and server["authorization_response_iss_parameter_supported"]
    assert server["token_endpoint_auth_methods_supported"] == ["none"]
    assert server["registration_endpoint"] == f"{here}/oauth/register"
    assert "introspection_endpoint" not in server
    assert Client().get("/.well-known/oauth-protected-resource/v0").status_code == 404
    foreign = Client().get("/.well-known/oauth-protected-resource", headers={"Host": "evil.example"})
    assert foreign.status_code == 400


def test_a_registration_is_public_whatever_it_asks_for(program: Program) -> None:
    answer = program.register(token_endpoint_auth_method="client_secret_post", scope="all", client_uri="x" * 9000)
    assert (answer.status_code, answer["Cache-Control"].split(",")[0]) == (201, "max-age=0")
    described = answer.json()
    assert described["token_endpoint_auth_method"] == "none" and "client_secret" not in described
    client = Application.objects.get(client_id=described["client_id"])
    assert (client.client_type, client.client_secret, client.redirect_uris) == ("public", "", REDIRECT)


@pytest.mark.parametrize(
    ("metadata", "sentence"),
    [
        ({"redirect_uris": []}, "1 to 20 addresses"),
        ({"redirect_uris": None}, "1 to 20 addresses"),
        ({"redirect_uris": [REDIRECT] * 21}, "1 to 20 addresses"),
        ({"redirect_uris": [7]}, "plain characters"),
        ({"redirect_uris": ["https://a.example/x y"]}, "plain characters"),
        ({"redirect_uris": ["https://a.example/" + "x" * 500]}, "plain characters"),
        ({"redirect_uris": ["http://a.example/"]}, "one's own machine"),
        ({"redirect_uris": ["javascript:alert(1)"]}, "not redirected to"),
        ({"redirect_uris": ["data:text/html,x"]}, "not redirected to"),
        ({"redirect_uris": ["https:///x"]}, "names a host"),
        ({"redirect_uris": ["https://*.example/"]}, "no placeholder"),
        ({"redirect_uris": ["https://a.example/#x"]}, "no fragment"),
        ({"redirect_uris": ["https://u@a.example/"]}, "no user"),
        ({"redirect_uris": ["https://a.example:99999/"]}, "no address"),
        ({"client_name": "x" * 101}, "client_name"),
        ({"client_name": "a\u202eb"}, "client_name"),
        ({"client_name": 5}, "client_name"),
        ({"grant_types": ["client_credentials"]}, "authorization_code"),
        ({"grant_types": "authorization_code"}, "authorization_code"),
    ],
)
def test_a_registration_that_cannot_be_used_is_refused(program: Program, metadata: Any, sentence: str) -> None:
    answer = program.register(**metadata)
    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_client_metadata")
    assert sentence in answer.json()["error_description"] and not Application.objects.exists()


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b"[" * 100_000, b'"x"'])
def test_a_body_that_is_no_object_is_refused(program: Program, body: bytes) -> None:
    answer = Client().post("/oauth/register", body, content_type="application/json")
    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_client_metadata")


def test_a_program_on_ones_own_machine_may_have_a_scheme_of_its_own(program: Program, actor: Actor) -> None:
    program.redirect = "cursor://anysphere.cursor-mcp/oauth/callback"
    assert program.register().status_code == 201
    assert "form-action 'self' cursor:" in program.person.get(program.address())["Content-Security-Policy"]
    assert program.answer(actor.organization.pk)["Location"].startswith(program.redirect + "?code=")


def test_one_address_registers_a_few_in_a_minute(program: Program, settings: Any) -> None:
    settings.OAUTH_PER_MINUTE = 3
    program.browserless = Client(REMOTE_ADDR="203.0.113.77")
    answers = [program.register() for _ in range(5)]
    assert [each.status_code for each in answers] == [201, 201, 201, 429, 429]
    assert int(answers[-1]["Retry-After"]) >= 1 and "address" in answers[-1].json()["error_description"]


def make_clients(count: int, *, hours_old: int) -> None:
    rows = [
        Application(client_id=f"flood{hours_old}-{n}", client_secret="", hash_client_secret=False) for n in range(count)
    ]
    for row in rows:
        row.registration_source, row.redirect_uris = Application.RegistrationSource.DCR, REDIRECT
    Application.objects.bulk_create(rows)
    times = timezone.now() - timedelta(hours=hours_old)
    Application.objects.filter(client_id__startswith=f"flood{hours_old}-").update(updated=times)


def test_ten_thousand_registrations_neither_fill_the_table_nor_shut_others_out(
    program: Program, actor: Actor, settings: Any
) -> None:
    program.connect(actor.organization.pk)
    Application.objects.update(updated=timezone.now() - timedelta(days=300))
    settings.OAUTH_MAX_CLIENTS = 100
    make_clients(10_000, hours_old=2)
    newcomer = Program(program.person)
    assert newcomer.register().status_code == 201
    assert Application.objects.count() == 100
    assert program.person.get(program.address()).status_code == 200  # whoever has a connection stays
    make_clients(50, hours_old=0)
    Application.objects.filter(client_id__startswith="flood2").delete()
    settings.OAUTH_MAX_CLIENTS = 52
    late = Program(program.person).register()
    assert (late.status_code, late.json()["error"]) == (429, "temporarily_unavailable")
    with pytest.raises(TooMany):
        clients.make_room()


def test_an_operator_may_take_no_registrations(program: Program, settings: Any) -> None:
    settings.OAUTH_MAX_CLIENTS = 0
    assert (program.register().status_code, Application.objects.count()) == (403, 0)
    call_command("createapplication", "public", "authorization-code", client_id="desk", redirect_uris=REDIRECT)
    program.client_id = "desk"
    assert program.person.get(program.address()).status_code == 200


def test_unused_registrations_go_and_used_ones_outlive_their_keys(program: Program, actor: Actor) -> None:
    program.connect(actor.organization.pk)
    make_clients(3, hours_old=24 * 31)
    Application.objects.create(client_id="by-hand", client_secret="", hash_client_secret=False)
    Application.objects.update(updated=timezone.now() - timedelta(days=31))
    retention.clean_up()
    assert {each.client_id for each in Application.objects.all()} == {program.client_id, "by-hand"}
    actor.user.access_tokens.all().delete()
    Application.objects.update(updated=timezone.now() - timedelta(days=29))
    retention.clean_up()
    assert Application.objects.count() == 2


class DocumentHandler(OutsideHandler):
    document: dict[str, Any] = {}

    def answer_json(self, query: dict[str, str]) -> None:
        self.send(json.dumps(self.document).encode(), headers=[("Cache-Control", "max-age=600")])


class PlainFetcher(GuardedFetcher):
    """Over http, since the server of the tests has no certificate that anybody trusts."""

    def fetch(self, client_id: str) -> Any:
        document, seconds = super().fetch(client_id.replace("https://", "http://"))
        return {**document, "client_id": client_id}, seconds


@pytest.fixture
def outside(program: Program, settings: Any, empty_cache: None) -> Any:
    handler = type("Handler", (DocumentHandler,), {"asked": []})
    handler.document = {
        "client_id": DOCUMENT_ADDRESS.replace("https", "http"),
        "client_name": "Editor",
        "redirect_uris": [REDIRECT],
        "grant_types": ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"],
        "token_endpoint_auth_method": "none",
    }
    server = LoopbackServer(handler)
    server.start()
    PlainFetcher.network = PretendedNetwork(server, {"client.example": [[PUBLIC]]})
    path = f"{__name__}.PlainFetcher"
    settings.OAUTH2_PROVIDER = {**settings.OAUTH2_PROVIDER, "CIMD_METADATA_FETCHER": path}
    yield handler
    server.stop()


def test_a_document_describes_a_client(program: Program, actor: Actor, outside: Any) -> None:
    program.client_id = DOCUMENT_ADDRESS
    page = program.person.get(program.address()).content.decode()
    assert "“Editor”" in page and "described by <strong>client.example</strong>" in page
    assert program.connect(actor.organization.pk)["refresh_token"]
    assert len(outside.asked) == 1 and "authorization" not in outside.asked[0][1]
    client = Application.objects.get()
    assert timedelta(seconds=500) < client.cimd_expires_at - timezone.now() <= timedelta(seconds=600)
    assert OutboundRequest.objects.get().purpose == "client metadata document"


@pytest.mark.parametrize(
    "changes",
    [
        {"client_id": "http://other.example/mcp.json"},
        {"client_id": None},
        {"redirect_uris": ["http://evil.example/"]},
        {"redirect_uris": ["https://elsewhere.example/"]},
        {"token_endpoint_auth_method": "private_key_jwt"},
        {"client_name": "x" * 20_000},
    ],
)
def test_a_document_that_does_not_fit_makes_no_client(program: Program, outside: Any, changes: dict[str, Any]) -> None:
    outside.document = {**outside.document, **changes}
    program.client_id = DOCUMENT_ADDRESS
    assert program.person.get(program.address()).status_code == 400


@pytest.mark.parametrize(
    ("path", "addresses"),
    [
        ("mcp.json", ["127.0.0.1"]),
        ("mcp.json", ["169.254.169.254"]),
        ("mcp.json", ["10.0.0.1", PUBLIC]),
        ("mcp.json", ["::ffff:127.0.0.1"]),
        ("redirect?to=http://169.254.169.254/latest/meta-data", [PUBLIC]),
        ("redirect?to=http://client.example/mcp.json", [PUBLIC]),
        ("page", [PUBLIC]),
        ("flood", [PUBLIC]),
    ],
)
def test_no_document_leads_to_a_private_address(
    program: Program, outside: Any, path: str, addresses: list[str]
) -> None:
    network = PlainFetcher.network
    assert isinstance(network, PretendedNetwork)
    network.names["client.example"] = [addresses]
    program.client_id = f"https://client.example/{path}"
    outside.document["client_id"] = program.client_id.replace("https", "http", 1)
    assert program.person.get(program.address()).status_code == 400
    assert {address for address, _ in network.connected} <= {PUBLIC} and not Application.objects.exists()
    asked = len(network.lookups)
    assert program.person.get(program.address()).status_code == 400
    assert len(network.lookups) == asked  # it rests for a minute


def test_only_who_is_signed_in_has_a_document_fetched(program: Program, outside: Any) -> None:
    program.client_id = DOCUMENT_ADDRESS
    assert Client().get(program.address(prompt="none")).status_code == 302
    assert program.exchange("code").status_code == 401
    assert program.refresh("mcr_x").status_code == 401
    form = {"token": "x", "client_id": DOCUMENT_ADDRESS, "response_type": "code"}
    assert Client().post("/oauth/revoke", form).status_code == 401
    assert outside.asked == [] and not Application.objects.exists()

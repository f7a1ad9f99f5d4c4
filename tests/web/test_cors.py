"""Pages of other origins that call the API, as their browsers ask: of the real web process."""

from __future__ import annotations

import http.client
import json
import re
import runpy
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from accounts.actor import Actor
from accounts.services import tokens
from kit.ids import is_id
from tests.web_process import WebProcess, answer_of, environment_of_test_database, head, run_web

pytestmark = pytest.mark.django_db(transaction=True)
MB = 1024 * 1024
ORIGIN = "https://app.example.com"
PREFLIGHT = {"Origin": ORIGIN, "Access_Control_Request_Method": "PUT"}


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("web") / "web.log"


@pytest.fixture(scope="module")
def web(django_db_setup: None, django_db_blocker: object, log: Path) -> Iterator[WebProcess]:
    environment = environment_of_test_database() | {
        "CORS_ALLOWED_ORIGINS": f"{ORIGIN}, http://localhost:3000",
        "API_RATE_LIMIT": "3",
    }
    with run_web(environment, log) as process:
        yield process


Ask = Callable[..., http.client.HTTPResponse]


@pytest.fixture
def ask(web: WebProcess) -> Ask:
    """`ask("GET", path, Origin=…)`: what the process answers, read whole."""

    def ask(method: str, path: str, **headers: str) -> http.client.HTTPResponse:
        with web.connection() as client:
            client.sendall(head(method, path, **headers))
            answer = answer_of(client)
            answer.content = answer.read()  # type: ignore[attr-defined]
            return answer

    return ask


def varies(answer: http.client.HTTPResponse) -> set[str]:
    return {name.lower() for name in answer.headers.get("Vary", "").split(", ")}


def test_a_page_of_an_allowed_origin_reads_the_answer_and_its_headers(ask: Ask, actor: Actor) -> None:
    bearer = f"Bearer {tokens.create(actor.user, name='x', organization=actor.organization)[1]}"
    answer = ask("GET", f"/v0/orgs/{actor.organization.pk}/tags", Origin=ORIGIN, Authorization=bearer)
    assert (answer.status, answer.headers["Access-Control-Allow-Origin"]) == (200, ORIGIN)
    assert {"origin", "authorization"} <= varies(answer)
    assert answer.headers["Access-Control-Allow-Credentials"] is None
    exposed = answer.headers["Access-Control-Expose-Headers"].split(", ")
    assert {"X-Request-Id", "RateLimit-Remaining", "Retry-After", "ETag", "Content-Range"} <= set(exposed)


def test_a_preflight_is_answered_before_anybody_asks_who_it_is(ask: Ask, actor: Actor) -> None:
    answer = ask("OPTIONS", f"/v0/orgs/{actor.organization.pk}/documents", **PREFLIGHT)
    assert (answer.status, answer.headers["Access-Control-Allow-Origin"]) == (200, ORIGIN)
    assert {"PUT", "DELETE"} <= set(answer.headers["Access-Control-Allow-Methods"].split(", "))
    allowed = answer.headers["Access-Control-Allow-Headers"].split(", ")
    assert {"authorization", "x-api-key", "content-type", "idempotency-key", "range", "if-match"} <= set(allowed)
    assert answer.headers["Access-Control-Max-Age"]


# What the application refuses, and what the web server refuses before it and daphne in front of both.
REFUSED = [
    ("GET", "/v0/account/organizations", {}, 401),
    ("GET", "/v0/nothing", {}, 404),
    ("POST", "/v0/nothing", {"Content_Length": str(1200 * MB)}, 413),
    ("POST", "/v0/orgs/{o}/documents", {"Content_Length": str(2 * MB)}, 401),
    ("GET", "/v0/nothing", {"X_Nothing": "a\x0bb"}, 400),
]


@pytest.mark.parametrize(("method", "path", "headers", "status"), REFUSED)
def test_a_page_reads_why_it_was_refused(
    ask: Ask, actor: Actor, method: str, path: str, headers: dict[str, str], status: int
) -> None:
    sent = {**headers, "Origin": ORIGIN, "X_Request_Id": "page-1"}
    answer = ask(method, path.format(o=actor.organization.pk), **sent)
    assert (answer.status, answer.headers["Access-Control-Allow-Origin"]) == (status, ORIGIN)
    assert answer.headers["X-Request-Id"] == "page-1"
    assert "origin" in varies(answer)
    assert isinstance(json.loads(answer.content)["detail"], str)  # type: ignore[attr-defined]


def test_who_calls_too_often_is_refused_before_the_body(ask: Ask, actor: Actor) -> None:
    bearer = f"Bearer {tokens.create(actor.user, name='x', organization=actor.organization)[1]}"
    path = f"/v0/orgs/{actor.organization.pk}/documents"
    left = [ask("GET", path, Authorization=bearer).headers["RateLimit-Remaining"] for _ in range(3)]
    assert left == ["2", "1", "0"]
    refused = ask("POST", path, Content_Length=str(2 * MB), Expect="100-continue", Authorization=bearer, Origin=ORIGIN)
    assert (refused.status, refused.headers["Access-Control-Allow-Origin"]) == (429, ORIGIN)
    assert 1 <= int(refused.headers["Retry-After"]) <= 60
    again = ask("GET", path, Authorization=bearer, Origin=ORIGIN)
    assert (again.status, again.headers["Access-Control-Allow-Origin"]) == (429, ORIGIN)
    assert (refused.reason, again.reason) == ("Too Many Requests", "Too Many Requests")


@pytest.mark.parametrize("status", [413, 404])
def test_an_answer_without_an_id_from_outside_has_one_of_ours(ask: Ask, status: int) -> None:
    sent = {"Content_Length": str(1200 * MB)} if status == 413 else {}
    answer = ask("POST" if sent else "GET", "/nothing", X_Request_Id="a b", **sent)
    assert (answer.status, is_id(answer.headers["X-Request-Id"])) == (status, True)


@pytest.mark.parametrize(
    "origin",
    ["https://evil.example", "http://app.example.com", "https://app.example.com:8443", "null", "https://[", ""],
)
def test_other_origins_read_nothing(ask: Ask, origin: str) -> None:
    for method, headers in (("GET", {}), ("OPTIONS", {"Access_Control_Request_Method": "GET"})):
        answer = ask(method, "/v0/nothing", Origin=origin, **headers)
        assert answer.headers["Access-Control-Allow-Origin"] is None
        assert "origin" in varies(answer)


@pytest.mark.parametrize("path", ["/sign-in", "/health", "/nothing", "/static/css/base.css"])
def test_pages_are_open_to_no_origin(ask: Ask, path: str) -> None:
    for answer in (ask("GET", path, Origin=ORIGIN), ask("OPTIONS", path, **PREFLIGHT)):
        assert answer.headers["Access-Control-Allow-Origin"] is None


def test_it_is_off_by_default(client: Client) -> None:
    answer = client.get("/v0/nothing", headers={"Origin": ORIGIN})
    assert "Access-Control-Allow-Origin" not in answer
    assert "origin" not in answer["Vary"].lower()
    preflight = client.options("/v0/nothing", headers={"Origin": ORIGIN, "Access-Control-Request-Method": "GET"})
    assert preflight.status_code == 404


def test_the_log_of_the_process_names_the_request(ask: Ask, log: Path) -> None:
    assert ask("GET", "/nothing-7", X_Request_Id="page-7").status == 404
    assert "WARNING django.request [page-7]: Not Found: /nothing-7" in log.read_text()


@pytest.mark.parametrize(
    ("value", "every", "named"),
    [("", False, ()), ("*", True, ()), ("https://a.example", False, ("https://a.example",))],
)
def test_the_setting_names_origins_or_all(monkeypatch, value: str, every: bool, named: tuple[str, ...]) -> None:
    monkeypatch.setenv("CORS_ALLOWED_ORIGINS", value)
    names = runpy.run_path(str(settings.BASE_DIR / "docrouter" / "settings.py"))
    assert (names["CORS_ALLOW_ALL_ORIGINS"], names["CORS_ALLOWED_ORIGINS"]) == (every, named)
    assert bool(re.match(names["CORS_URLS_REGEX"], "/v0/docs")) == bool(value)
    assert not re.match(names["CORS_URLS_REGEX"], "/orgs/x")


def test_an_answer_to_every_origin_is_none_with_cookies(client: Client, settings) -> None:
    settings.CORS_ALLOW_ALL_ORIGINS, settings.CORS_URLS_REGEX = True, r"^/v0/"
    answer = client.get("/v0/nothing", headers={"Origin": "https://any.example"})
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in answer

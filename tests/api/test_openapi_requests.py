"""What the document says of requests is what the routes check: bodies, and the limits of what stands in the address."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.db import transaction
from django.urls import get_resolver
from jsonschema import Draft202012Validator
from rest_framework.test import APIClient

from accounts.actor import Actor
from accounts.models import User
from accounts.services import tokens
from docrouter.openapi import views
from tests.api.test_access import ROUTES, Route, address
from tests.rows import one_of_each

pytestmark = pytest.mark.flows

Operation = dict[str, Any]
JSON = "application/json"


@pytest.fixture
def rows(actor: Actor, monkeypatch: pytest.MonkeyPatch) -> dict[Any, Any]:
    monkeypatch.setattr(settings, "RUN_WAIT_SECONDS", 0)  # no worker runs here
    User.objects.filter(pk=actor.user.pk).update(is_superuser=True)
    return one_of_each(actor)


@pytest.fixture
def client(actor: Actor, empty_cache: None) -> APIClient:
    return APIClient(headers={"authorization": f"Bearer {tokens.create(actor.user, name='k')[1]}"})


def list_described() -> Iterator[tuple[Route, str, Operation]]:
    for name, route in ROUTES.items():
        if name.startswith("v0-"):
            ((template, _),) = get_resolver().reverse_dict.getlist(name)[0][0]
            methods = views.document()["paths"].get("/" + re.sub(r"%\((\w+)\)s", r"{\1}", template), {})
            for method, operation in methods.items():
                yield route, method, operation


def send(client: APIClient, method: str, path: str, **content: Any) -> int:
    """The status; what it changed is undone."""
    with transaction.atomic():
        before = transaction.savepoint()
        answer = getattr(client, method)(path, **content)
        transaction.savepoint_rollback(before)
    return answer.status_code


def test_every_body_that_is_described_is_checked(client: APIClient, rows: dict[Any, Any]) -> None:
    codes = {}
    for route, method, operation in list_described():
        if method.upper() in route.pattern.callback.cls.bodies:  # type: ignore[attr-defined]
            is_json = JSON in operation["requestBody"]["content"]
            sent = {"data": "[1]", "content_type": JSON} if is_json else {"data": {"file": "no file"}}
            codes[method, route.name] = send(client, method, address(route, rows), **sent)
    assert len(codes) > 12
    assert {request: code for request, code in codes.items() if code != 422} == {}


def test_a_body_with_a_field_that_is_not_described_is_refused_where_the_document_says_so(
    client: APIClient, rows: dict[Any, Any]
) -> None:
    shapes, codes = views.document()["components"]["schemas"], {}
    for route, method, operation in list_described():
        content = operation.get("requestBody", {}).get("content", {}).get(JSON)
        if content and shapes[content["schema"]["$ref"].rpartition("/")[2]].get("additionalProperties") is False:
            body = {**content["example"], "surprise": 1} if "example" in content else {"surprise": 1}
            codes[method, route.name] = send(client, method, address(route, rows), data=body, format="json")
    assert len(codes) > 3
    assert {request: code for request, code in codes.items() if code != 422} == {}


def test_a_body_that_is_not_described_is_not_looked_at(client: APIClient, rows: dict[Any, Any]) -> None:
    for route, method, operation in list_described():
        if method in ("post", "put") and "requestBody" not in operation:
            path = address(route, rows)
            without = send(client, method, path)
            assert send(client, method, path, data="[1]", content_type=JSON) == without, (method, route.name)


def test_a_client_learns_what_a_response_format_is_and_that_a_name_is_not_blank() -> None:
    shapes = views.document()["components"]["schemas"]
    fits = Draft202012Validator(shapes["SchemaConfig"]).is_valid
    inner = {"name": "bill", "schema": {"type": "object"}}
    whole = {"type": "json_schema", "json_schema": inner}
    assert fits({"name": "Bill", "response_format": whole})
    for wrong in ("text", {}, {**whole, "type": "text"}, {**whole, "json_schema": {**inner, "name": "a b"}}):
        assert not fits({"name": "Bill", "response_format": wrong}), wrong
    assert not fits({"name": "", "response_format": whole})
    assert Draft202012Validator(shapes["SchemaChange"]).is_valid({"name": None, "response_format": None})


def test_every_limit_of_a_query_is_the_one_that_is_checked(client: APIClient, rows: dict[Any, Any]) -> None:
    refused, taken = {}, {}
    for route, method, operation in list_described():
        if "requestBody" in operation:
            continue
        for parameter in operation.get("parameters", ()):
            if parameter["in"] != "query":
                continue
            # A result is of a prompt; other routes do not look at that name.
            path = f"{address(route, rows)}?prompt_revid=default&{parameter['name']}="
            refused |= {(method, path, value): send(client, method, f"{path}{value}") for value in beyond(parameter)}
            taken |= {(method, path, value): send(client, method, f"{path}{value}") for value in within(parameter)}
    assert len(refused) > 40
    assert {request: code for request, code in refused.items() if code != 422} == {}
    assert {request: code for request, code in taken.items() if code == 422} == {}


def beyond(parameter: dict[str, Any]) -> Iterator[object]:
    """Values that do not fit."""
    schema = parameter["schema"]
    if "minimum" in schema:
        yield schema["minimum"] - 1
    if "maximum" in schema:
        yield schema["maximum"] + 1
    if schema["type"] in ("integer", "boolean") or "enum" in schema:
        yield "neither"


def within(parameter: dict[str, Any]) -> Iterator[object]:
    """Those at the borders, which fit. Nobody waits here: the most is set to nothing."""
    schema = parameter["schema"]
    if parameter["name"] != "wait":
        yield from (schema[name] for name in ("minimum", "maximum", "default") if schema.get(name) not in (None, ""))
    yield from schema.get("enum", ())
    yield from ("true", "false") if schema["type"] == "boolean" else ()

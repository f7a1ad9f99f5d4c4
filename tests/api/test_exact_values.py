"""Values that a client sends as something else than the description says: refused, not guessed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.test import Client
from rest_framework import serializers

from accounts.actor import Actor
from accounts.api.wire.fields import RequestBody, TrueOrFalse
from accounts.services import tokens
from docrouter import urls  # noqa: F401 - loads every view with its bodies
from tests.conftest import ApiClient

pytestmark = pytest.mark.servers

NO_DAYS = ("", " ", "soon", "2026-13-01", "2026-2-30", "01.02.2026", "1", "null")


@pytest.fixture
def client(api: Callable[[str], ApiClient], actor: Actor) -> ApiClient:
    return api(tokens.create(actor.user, name="k", organization=actor.organization)[1])


def iterate_bodies(kind: type[RequestBody] = RequestBody) -> Iterator[type[RequestBody]]:
    for each in kind.__subclasses__():
        yield each
        yield from iterate_bodies(each)


def iterate_fields(field: serializers.Field[Any, Any, Any, Any]) -> Iterator[serializers.Field[Any, Any, Any, Any]]:
    yield field
    for inside in getattr(field, "fields", {}).values():
        yield from iterate_fields(inside)
    if child := getattr(field, "child", None):
        yield from iterate_fields(child)


def test_each_boolean_of_a_body_takes_true_and_false_alone(db: None) -> None:
    fields = [field for body in iterate_bodies() for field in iterate_fields(body())]
    flags = [field for field in fields if isinstance(field, serializers.BooleanField)]
    assert len(flags) > 20
    assert [str(field.parent) for field in flags if not isinstance(field, TrueOrFalse)] == []


@pytest.mark.parametrize("value", [0, 1, "true", "no", [], 1.0])
def test_what_is_like_a_boolean_is_none(client: ApiClient, actor: Actor, value: Any) -> None:
    body = {"name": "Mine", "query": "", "is_shared": value}
    answer = client.post(f"/v0/orgs/{actor.organization.pk}/views", body)
    assert (answer.status_code, answer.json()["detail"][0]["loc"]) == (422, ["body", "is_shared"])


def test_a_day_of_a_query_is_one(client: ApiClient, actor: Actor) -> None:
    description = Client().get("/v0/openapi.json").json()
    days = [
        (path, parameter["name"])
        for path, operations in description["paths"].items()
        for parameter in operations.get("get", {}).get("parameters", ())
        if parameter["in"] == "query" and parameter["schema"].get("format") == "date"
    ]
    assert ("/v0/orgs/{organization_id}/audit", "until") in days
    for path, name in days:
        address = path.replace("{organization_id}", actor.organization.pk)
        assert [client.get(address, {name: sent}).status_code for sent in NO_DAYS] == [422] * len(NO_DAYS), path
        assert client.get(address, {name: "2026-02-28"}).status_code == 200

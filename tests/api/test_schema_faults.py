from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from accounts.actor import Actor
from tests.conftest import ApiClient

LINES = {"lines": {"type": "array", "items": {"type": "object", "properties": {"price": {"type": "object"}}}}}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("schema", "place", "value"),
    [
        ({"properties": {"total": {"type": None}}}, ["properties", "total", "type"], None),
        ({"properties": LINES}, ["properties", "lines", "items", "properties", "price"], {}),
        ({"properties": {"a": {"type": "string"}}, "required": [7]}, ["required", 0], 7),
    ],
)
def test_a_fault_of_a_schema_has_its_place_in_the_body_and_what_stands_there(
    actor: Actor, api_as: Callable[[Actor], ApiClient], schema: dict[str, Any], place: list[object], value: object
) -> None:
    sent = {"type": "json_schema", "json_schema": {"name": "x", "schema": {"type": "object", **schema}}}
    path = f"/v0/orgs/{actor.organization.pk}/schemas"
    (fault,) = api_as(actor).post(path, {"name": "x", "response_format": sent}).json()["detail"]
    assert fault["loc"] == ["body", "response_format", "json_schema", "schema", *place]
    assert fault["input"] == value

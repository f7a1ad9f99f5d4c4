"""Bodies that are JSON but that nothing could keep."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from accounts.actor import Actor
from tests.conftest import ApiClient


@pytest.mark.parametrize(
    "body",
    [
        '{"name": "\\ud800", "color": "#fff"}',
        '{"\\udfff": 1}',
        '{"name": 1e999}',
        '{"a":' + "[" * 90_000 + "]" * 90_000 + "}",
    ],
    ids=["half a character", "half a character in a name", "no number", "too deep"],
)
def test_it_refuses_json_that_no_database_keeps(body: str, actor: Actor, api_as: Callable[[Actor], ApiClient]) -> None:
    path = f"/v0/orgs/{actor.organization.pk}/tags"
    answer = api_as(actor).generic("POST", path, body, content_type="application/json")
    assert answer.status_code == 422
    assert answer.json()["detail"][0]["type"] == "json_invalid"

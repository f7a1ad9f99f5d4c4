from __future__ import annotations

import json

import pytest

from tests.web_process import WebProcess, answer_of, head

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize(
    ("path", "headers", "status", "what"),
    [
        (f"/v0/account/organizations?name_search={'x' * 20_000}", {}, 414, "address with its query"),
        ("/v0/account/organizations", {"Cookie": "x" * 20_000}, 431, "header"),
    ],
)
def test_it_says_which_line_is_too_long(
    web: WebProcess, path: str, headers: dict[str, str], status: int, what: str
) -> None:
    with web.connection() as client:
        client.sendall(head("GET", path, **headers))
        answer = answer_of(client)
        assert (answer.status, answer.headers["Connection"]) == (status, "close")
        assert json.loads(answer.read())["detail"] == f"The {what} is longer than the 16,384 bytes that are taken."
        assert answer.headers["X-Request-Id"]

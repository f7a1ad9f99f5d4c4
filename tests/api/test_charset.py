"""The sender names charset and coding of a body: only plain UTF-8 is read; some codecs take the square of the length."""

from __future__ import annotations

import gzip
from collections.abc import Callable

import pytest
from django.test import Client

from accounts.actor import Actor
from tests.conftest import ApiClient


@pytest.mark.django_db
@pytest.mark.parametrize("charset", ["punycode", "idna", "utf-7", "no-such-charset"])
@pytest.mark.parametrize("path", ["/v0/account/organizations", "/sign-in"])
@pytest.mark.parametrize("kind", ["application/json", "multipart/form-data; boundary=B"])
def test_it_refuses_any_charset_but_utf8_before_it_reads(client: Client, charset: str, path: str, kind: str) -> None:
    answer = client.generic("POST", path, b"a" * 200_000, content_type=f"{kind}; charset={charset}")
    assert (answer.status_code, "UTF-8" in answer.text) == (415, True)


@pytest.mark.django_db
@pytest.mark.parametrize("charset", ["utf-8", "UTF8", "us-ascii"])
def test_it_reads_what_is_utf8(client: Client, charset: str) -> None:
    assert (
        client.generic(
            "POST", "/v0/account/organizations", b"{}", content_type=f"application/json; charset={charset}"
        ).status_code
        == 401
    )


@pytest.mark.django_db
@pytest.mark.parametrize("coding", ["gzip", "br", "identity, gzip"])
@pytest.mark.parametrize("path", ["/v0/account/organizations", "/sign-in"])
def test_it_refuses_a_packed_body_and_says_so(client: Client, path: str, coding: str) -> None:
    packed = gzip.compress(b'{"name": "Bills"}')
    answer = client.generic("POST", path, packed, headers={"content-encoding": coding}, content_type="application/json")
    assert (answer.status_code, "without Content-Encoding" in answer.text) == (415, True)
    assert answer["Accept-Encoding"] == "identity"


@pytest.mark.django_db
def test_it_reads_json_behind_a_byte_order_mark(actor: Actor, api_as: Callable[[Actor], ApiClient]) -> None:
    """PowerShell and .NET write one."""
    body = b'\xef\xbb\xbf{"name": "Bills"}'
    path = f"/v0/orgs/{actor.organization.pk}/tags"
    answer = api_as(actor).generic(
        "POST", path, body, content_type="application/json", HTTP_CONTENT_ENCODING="identity"
    )
    assert (answer.status_code, answer.json()["name"]) == (200, "Bills")

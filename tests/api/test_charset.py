"""The sender names the charset of a body: only UTF-8 is read, since some codecs take the square of the length."""

from __future__ import annotations

import pytest
from django.test import Client


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

"""Parts of files: over /v0 and on the page, of the upload and of the PDF that is made of it."""

from __future__ import annotations

import io
from collections.abc import Callable
from contextlib import suppress

import pytest
from django.test import Client, RequestFactory

from accounts.actor import Actor
from documents.models import Document
from documents.reading import derived_files
from documents.storage.stored_files import DERIVED
from kit.errors import AppError
from kit.http.file_answers import OpenedFile, answer_file
from tests.api.test_document_files import scan
from tests.api.test_documents import store
from tests.conftest import ApiClient

CONTENT = b"0123456789"


@pytest.fixture
def document(actor: Actor) -> Document:
    return store(actor, "digits.txt", CONTENT)


@pytest.fixture(params=["api", "page"])
def fetch(request, document: Document, actor: Actor, api_as: Callable[[Actor], ApiClient], signed_in) -> Callable:
    """`fetch("GET", Range="bytes=0-1")`: the file as it was uploaded, of either door."""
    organization = actor.organization.pk
    client, path = {
        "api": (api_as(actor), f"/v0/orgs/{organization}/documents/{document.pk}/file?file_type=original"),
        "page": (signed_in(Client(), actor), f"/orgs/{organization}/documents/{document.pk}/file"),
    }[request.param]

    def fetch(method: str = "GET", **headers: str):
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return client.generic(method, path, headers=named)

    return fetch


def bytes_of(answer) -> bytes:
    return b"".join(answer.streaming_content)


@pytest.mark.parametrize(
    ("byte_range", "where", "part"),
    [
        ("bytes=0-3", "0-3", b"0123"),
        ("bytes=4-", "4-9", b"456789"),
        ("bytes=-3", "7-9", b"789"),
        ("bytes=-99", "0-9", CONTENT),
        ("bytes=9-9", "9-9", b"9"),
        ("bytes=0-99", "0-9", CONTENT),
        ("Bytes=5-6 ", "5-6", b"56"),
    ],
)
def test_one_part_is_sent(fetch: Callable, byte_range: str, where: str, part: bytes) -> None:
    answer = fetch(Range=byte_range)
    assert (answer.status_code, answer["Content-Range"]) == (206, f"bytes {where}/10")
    assert (answer["Content-Length"], bytes_of(answer)) == (str(len(part)), part)
    assert answer["Content-Type"] == "text/plain"
    assert answer["Content-Disposition"] == 'attachment; filename="digits.txt"'
    assert answer["Content-Security-Policy"] == "default-src 'none'; sandbox"


@pytest.mark.parametrize("byte_range", ["bytes=10-", "bytes=10-12", "bytes=-0", "bytes=999999999999999999-"])
def test_a_part_that_is_not_there_is_refused(fetch: Callable, byte_range: str) -> None:
    answer = fetch(Range=byte_range)
    assert (answer.status_code, answer["Content-Range"]) == (416, "bytes */10")
    assert "The file has 10 bytes, and none of those that were asked for." in answer.content.decode()


@pytest.mark.parametrize(
    "byte_range",
    [
        "",
        "bytes=",
        "bytes=-",
        "bytes=5-2",
        "bytes=0-1,3-4",
        "bytes=a-b",
        "bytes=1",
        "lines=0-1",
        "bytes=0-1x",
        "bytes=" + "9" * 400 + "-",
        "bytes=٣-٤",
    ],
)
def test_whatever_else_is_asked_for_gets_the_whole(fetch: Callable, byte_range: str) -> None:
    answer = fetch(Range=byte_range)
    assert (answer.status_code, answer["Content-Length"], answer["Accept-Ranges"]) == (200, "10", "bytes")
    assert bytes_of(answer) == CONTENT
    assert "Content-Range" not in answer


def test_the_rest_is_sent_only_of_the_same_file(fetch: Callable) -> None:
    etag = fetch()["ETag"]
    assert etag.startswith('"')
    assert bytes_of(fetch(Range="bytes=8-", If_Range=etag)) == b"89"
    for other in ('"other"', f"W/{etag}", "Sun, 22 Nov 2026 06:00:00 GMT"):
        answer = fetch(Range="bytes=8-", If_Range=other)
        assert (answer.status_code, bytes_of(answer)) == (200, CONTENT)
    known = fetch(If_None_Match=etag, Range="bytes=8-")
    assert (known.status_code, known.content, known["ETag"]) == (304, b"", etag)


def test_nothing_is_sent_of_another_file_than_the_one_that_is_meant(fetch: Callable) -> None:
    etag = fetch()["ETag"]
    assert bytes_of(fetch(If_Match=f'"other", {etag}', Range="bytes=8-")) == b"89"
    refused = fetch(If_Match='"other"')
    assert (refused.status_code, refused["ETag"]) == (412, etag)
    assert "not the one that If-Match names" in refused.content.decode()
    assert fetch(If_Unmodified_Since="Sun, 22 Nov 2026 06:00:00 GMT").status_code == 200


def test_the_head_alone_says_how_long_it_is(fetch: Callable) -> None:
    answer = fetch("HEAD", Range="bytes=0-3")
    assert (answer.status_code, answer["Content-Length"], answer["Accept-Ranges"]) == (200, "10", "bytes")
    assert bytes_of(answer) == b""


def test_an_empty_file_has_no_parts(fetch: Callable, document: Document) -> None:
    open(document.file.path, "wb").close()
    for byte_range in ("bytes=0-", "bytes=-1"):
        answer = fetch(Range=byte_range)
        assert (answer.status_code, answer["Content-Length"], bytes_of(answer)) == (200, "0", b"")


@pytest.mark.parametrize("headers", [{"Range": "bytes=4-"}, {"If-Match": '"other"'}, {"If-None-Match": '"this"'}])
def test_a_file_of_which_nothing_is_sent_is_closed(headers: dict[str, str]) -> None:
    content = io.BytesIO(b"0123")
    with suppress(AppError):
        answer_file(RequestFactory().get("/", headers=headers), OpenedFile(content, "a.txt", "text/plain", '"this"'))
    assert content.closed


def test_a_pdf_that_is_made_again_is_another_file(api_as: Callable[[Actor], ApiClient], actor: Actor) -> None:
    scanned = store(actor, "scan.tiff", scan((400, 800)))
    client, path = api_as(actor), f"/v0/orgs/{actor.organization.pk}/documents/{scanned.pk}/file"
    whole = client.get(path)
    content, etag = bytes_of(whole), whole["ETag"]
    rest = {"Range": "bytes=100-", "If-Range": etag}
    answer = client.get(path, headers=rest)
    assert (answer.status_code, bytes_of(answer)) == (206, content[100:])
    assert client.get(f"{path}?file_type=original")["ETag"] != etag
    DERIVED.delete(derived_files.get_pdf_key(scanned.pk))
    assert client.get(path, headers=rest).status_code == 200

"""Pictures of pages over /v0."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.conf import settings

from accounts.actor import Actor
from documents.models import Document
from tests.conftest import ApiClient
from tests.documents.extraction_rows import PAGE
from tests.documents.reading_rows import document_with


@pytest.fixture
def document(actor: Actor) -> Document:
    document = document_with(actor.organization, PAGE)
    picture = settings.DATA_DIR / "cache" / "pages" / document.readings.get().pk / "1-640.webp"
    picture.parent.mkdir(parents=True, exist_ok=True)
    picture.write_bytes(b"a picture")
    return document


def test_it_is_sent_once_as_wide_as_was_asked_for(
    api_as: Callable[[Actor], ApiClient], actor: Actor, document: Document
) -> None:
    client, path = api_as(actor), f"/v0/orgs/{actor.organization.pk}/documents/{document.pk}/pages/1/picture"
    answer = client.get(path, {"width": 600})
    assert b"".join(answer.streaming_content) == b"a picture" and answer["Content-Type"] == "image/webp"  # type: ignore[attr-defined]
    known = {"If-None-Match": answer["ETag"]}
    assert client.get(path, {"width": 600}, headers=known).status_code == 304
    missing = client.get(path)
    assert (missing.status_code, missing.json()["detail"][:27]) == (404, "The stored file is missing.")
    for wrong in ("0", "2401", "wide"):
        assert client.get(path, {"width": wrong}).status_code == 422, wrong
    for number in ("2", "0", "-1", "x", "9" * 30, "²"):
        assert client.get(path.replace("/1/", f"/{number}/")).json() == {"detail": "Page not found"}, number

"""Pictures of pages over /v0."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from django.conf import settings
from django.utils import timezone
from PIL import Image

from accounts.actor import Actor
from documents.models import Document
from tests.conftest import ApiClient
from tests.documents.extraction_rows import PAGE
from tests.documents.reading_rows import add_reading, document_with


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


def test_a_block_has_its_place_and_keeps_it_when_the_document_is_read_anew(
    api_as: Callable[[Actor], ApiClient], actor: Actor, stranger: Actor
) -> None:
    document = document_with(actor.organization, ["Invoice 7", "Total due 39.80"], name="acme.pdf")
    reading = document.readings.get()
    client, path = api_as(actor), f"/v0/orgs/{actor.organization.pk}/blocks/{reading.pk}.1.2"
    place = client.get(path).json()
    assert (place["document_id"], place["document_name"], place["reading_id"]) == (document.pk, "acme.pdf", reading.pk)
    assert (place["page"], place["line"], place["word"], place["text"]) == (1, 2, None, "Total due 39.80")
    assert place["is_newest"] and len(place["box"]) == 4
    assert (client.get(f"{path}.3").json()["text"], client.get(f"{path}.3").json()["word"]) == ("39.80", 3)
    add_reading(document, ["Something else"])
    assert client.get(path).json() == {**place, "is_newest": False}
    for wrong in ("nix", f"{reading.pk}.1.9", f"{'a' * 24}.1.1", f"{reading.pk}.0.1"):
        assert client.get(path.replace(f"{reading.pk}.1.2", wrong)).status_code == 404, wrong
    theirs = document_with(stranger.organization, ["Secret"]).readings.get().pk
    assert client.get(path.replace(f"{reading.pk}.1.2", f"{theirs}.1.1")).status_code == 404
    Document.objects.update(trashed_at=timezone.now())
    assert "There is no block" in client.get(path).json()["detail"]
    assert client.get(f"{path}/picture").status_code == 404


def test_the_words_of_a_block_are_seen_as_they_were_read(api_as: Callable[[Actor], ApiClient], actor: Actor) -> None:
    document = document_with(actor.organization, ["Invoice 7", "Total due 39.80"])
    reading = document.readings.get()
    folder = settings.DATA_DIR / "cache" / "pages" / reading.pk
    folder.mkdir(parents=True, exist_ok=True)
    for width in (1200, 2400):
        Image.new("RGB", (width, width)).save(folder / f"1-{width}.webp")
    add_reading(document, ["Something else"])
    client = api_as(actor)
    path = f"/v0/orgs/{actor.organization.pk}/blocks/{reading.pk}.1.2/picture"
    strip, whole = client.get(path), client.get(path, {"strip": "false"})
    assert strip["Content-Type"] == "image/jpeg"
    sizes = [Image.open(io.BytesIO(answer.content)).size for answer in (strip, whole)]
    assert sizes[0][0] > 4 * sizes[0][1] and sizes[1] == (1200, 1200)
    assert client.get(path, headers={"If-None-Match": strip["ETag"]}).status_code == 304
    assert client.get(path.replace(".1.2/", ".1.7/")).status_code == 404

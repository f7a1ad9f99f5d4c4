"""What the viewer loads: the file as it was uploaded, a download and nothing else; and pages, before and after recognition."""

from __future__ import annotations

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.test import Client
from django.urls import reverse

from accounts.actor import Actor
from documents.intake import uploads
from documents.models import Page, Reading


@pytest.mark.parametrize("name", ["page.html", "page.txt", "page.png"])
def test_it_gives_uploads_back_as_downloads_and_never_as_active_content(
    name: str, client: Client, actor: Actor, signed_in
) -> None:
    document = uploads.store(actor, name=name, content=ContentFile(b"<script>alert(1)</script>"))
    answer = signed_in(client, actor).get(reverse("document-file", args=(actor.organization.pk, document.pk)))
    assert b"".join(answer.streaming_content) == b"<script>alert(1)</script>"
    assert answer["Content-Disposition"] == f'attachment; filename="{name}"'
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert answer["Cache-Control"] == "private, no-store"


def test_it_says_that_a_stored_file_is_missing(client: Client, actor: Actor, signed_in) -> None:
    document = uploads.store(actor, name="a.txt", content=ContentFile(b"text"))
    default_storage.delete(document.file.name)
    answer = signed_in(client, actor).get(reverse("document-file", args=(actor.organization.pk, document.pk)))
    assert answer.status_code == 404
    assert "The stored file is missing" in answer.content.decode()


def test_a_page_has_another_address_and_is_kept_once_it_is_recognized(client: Client, actor: Actor, signed_in) -> None:
    document = uploads.store(actor, name="a.txt", content=ContentFile(b"text"))
    Reading.objects.update(status="completed", pages_listed=1)
    page = Page.objects.create(reading=document.readings.get(), number=1, width=595, height=842, words=b"")
    words = reverse("page-words", args=(actor.organization.pk, document.pk, 1)) + f"?reading={page.reading_id}"
    viewer = reverse("document-viewer", args=(actor.organization.pk, document.pk))
    signed_in(client, actor)
    before = client.get(viewer).content.decode()
    assert client.get(words)["Cache-Control"] == "private, no-cache"
    Page.objects.update(engine="ocr")
    after = client.get(viewer).content.decode()
    assert client.get(words)["Cache-Control"] == "private, max-age=3600, immutable"
    assert before.count("data-unread") == 2  # the page and its thumbnail
    assert "&amp;unread&amp;w=1200" in before
    assert "unread" not in after

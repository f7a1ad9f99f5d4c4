"""The file as it was uploaded, given back as a download and nothing else."""

from __future__ import annotations

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.test import Client
from django.urls import reverse

from accounts.actor import Actor
from documents.intake import uploads


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

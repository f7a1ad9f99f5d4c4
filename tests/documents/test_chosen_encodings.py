"""The letters of a text, which are guessed, then chosen by a person, then read again."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from accounts.actor import Actor
from documents.models import Document, Page, Reading
from documents.reading import reading
from kit.errors import Invalid
from tests.conftest import ApiClient
from tests.documents.test_unpacking import put, read_all

pytestmark = pytest.mark.django_db
TEXT = "請求書番号,取引先\nKP-88213,東京商事\n"


@pytest.fixture
def document(actor: Actor) -> Document:
    document = put(actor, "list.csv", TEXT.encode("cp932"))
    read_all()
    document.refresh_from_db()
    return document


def test_a_guess_is_said_with_a_choice_that_reads_again(
    document: Document, actor: Actor, signed_in: Callable[..., Client]
) -> None:
    client = signed_in(Client(), actor)
    address = reverse("document", args=(actor.organization.pk, document.pk))
    page = client.get(address).text
    assert "Read as Shift-JIS: nothing in the file says so." in page and 'value="cp1251"' in page
    assert document.has_gaps
    documents = reverse("documents", args=(actor.organization.pk,))
    assert "Read, no tag · letters guessed" in client.get(documents).text
    client.post(reverse("document-read", args=(actor.organization.pk, document.pk)), {"encoding": "cp1251"})
    read_all()
    text = Page.objects.get(reading__number=2).text
    assert "KP-88213" in text and "東京" not in text
    assert "guessed" not in client.get(documents).text
    page = client.get(address).text
    assert "nothing in the file says so" not in page and 'value="cp1251" selected' in page


def test_programs_choose_it_too(document: Document, actor: Actor, api_as: Callable[..., ApiClient]) -> None:
    path = f"/v0/orgs/{actor.organization.pk}/ocr/run/{document.pk}"
    assert api_as(actor).post(f"{path}?encoding=klingon").status_code == 422
    assert api_as(actor).post(f"{path}?encoding=cp932").status_code == 200
    read_all()
    newest = Reading.objects.get(number=2)
    assert (newest.settings["encoding"], newest.gaps) == ("cp932", [])
    assert "東京商事" in newest.pages.get().text


def test_an_unknown_encoding_is_refused(document: Document, actor: Actor) -> None:
    with pytest.raises(Invalid, match="There is no encoding “klingon”"):
        reading.start(actor, document=document, encoding="klingon")

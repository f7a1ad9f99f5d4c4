"""A locked PDF, from the upload to its text, over the API and on the page."""

from __future__ import annotations

import base64
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest
from django.core.files.base import ContentFile
from django.db import connections
from django.test import Client
from django.urls import reverse

from accounts.actor import Actor
from accounts.models import AuditEntry, Role
from accounts.services import tokens
from accounts.services.sign_in import throttle
from documents.catalog import state
from documents.intake import unlocking, uploads
from documents.models import Document, Reading
from documents.reading import reading
from kit.errors import Denied
from reader.pool.readers import get_pool
from tests.conftest import ApiClient
from tests.documents.reader_files import encrypt_pdf, pdf, text_at
from tests.documents.test_fair_places import wait_until
from tests.documents.test_reading import read_all

pytestmark = [pytest.mark.django_db, pytest.mark.flows, pytest.mark.usefixtures("empty_cache")]
SECRET = " two words "
LOCKED = encrypt_pdf(text_at(20, 50, "Total 12.50"), SECRET)
HTMX = {"HX-Request": "true"}


@pytest.fixture
def client(api_as: Callable[[Actor], ApiClient], actor: Actor) -> ApiClient:
    return api_as(actor)


@pytest.fixture
def document(actor: Actor) -> Document:
    """It was read as far as without a password."""
    document = uploads.store(actor, name="locked.pdf", content=ContentFile(LOCKED))
    read_all()
    return document


def at(document: Document) -> str:
    return f"/v0/orgs/{document.organization_id}/documents/{document.pk}"


def read_state(client: ApiClient, document: Document) -> tuple[str, str | None]:
    answer = client.get(at(document), {"include_content": "false"}).json()
    return answer["state"], answer["state_code"]


def read_text(client: ApiClient, document: Document) -> str:
    read_all()
    return client.get(f"/v0/orgs/{document.organization_id}/ocr/download/text/{document.pk}").content.decode()


def test_a_program_sees_that_the_password_is_missing_and_sends_it(client: ApiClient, document: Document) -> None:
    assert read_state(client, document) == ("ocr_failed", "password_missing")
    listed = client.get(f"/v0/orgs/{document.organization_id}/documents").json()["documents"]
    assert [row["state_code"] for row in listed] == ["password_missing"]
    answer = client.post(f"{at(document)}/unlock", {"password": SECRET})
    assert (answer.status_code, answer.json()) == (200, {"status": "queued", "document_id": document.pk})
    assert "Total 12.50" in read_text(client, document)
    assert read_state(client, document) == ("ocr_completed", None)


def test_a_wrong_password_is_said_at_once_and_leaves_nothing_behind(
    client: ApiClient, document: Document, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    for wrong in ("guessed wrong", SECRET.strip()):
        answer = client.post(f"{at(document)}/unlock", {"password": wrong})
        assert (answer.status_code, answer.json()["code"]) == (400, "password_wrong")
        assert "does not open" in answer.json()["detail"]
    assert document.readings.count() == 1 and read_state(client, document) == ("ocr_failed", "password_missing")
    client.post(f"{at(document)}/unlock", {"password": SECRET})
    read_all()
    rows = [
        *Reading.objects.values_list("settings", "reason"),
        *AuditEntry.objects.values_list("detail", "action"),
    ]
    assert "words" not in str(rows) and "guessed" not in str(rows)
    assert "words" not in caplog.text and "guessed" not in caplog.text


def test_guessing_is_slowed_down_and_the_right_password_starts_anew(client: ApiClient, document: Document) -> None:
    path = f"{at(document)}/unlock"
    free = throttle.ONE_ACCOUNT_FROM_ONE_ADDRESS.free
    assert {client.post(path, {"password": "x"}).status_code for _ in range(free)} == {400}
    assert client.post(path, {"password": SECRET}).status_code == 200
    Reading.objects.update(status=Reading.Status.FAILED, reason_code="password_missing")  # it is asked for once more
    assert {client.post(path, {"password": "x"}).status_code for _ in range(free + 1)} == {400}
    refused = client.post(path, {"password": "x"})
    assert refused.status_code == 429 and int(refused["Retry-After"]) >= 1
    assert document.readings.count() == 2


def test_it_is_not_asked_where_no_password_is_waited_for(client: ApiClient, actor: Actor, document: Document) -> None:
    plain = uploads.store(actor, name="plain.pdf", content=ContentFile(pdf([text_at(20, 50, "Open")])))
    waiting = client.post(f"{at(plain)}/unlock", {"password": SECRET})
    assert (waiting.status_code, plain.readings.count()) == (409, 1)
    read_all()
    answer = client.post(f"{at(plain)}/unlock", {"password": SECRET})
    assert (answer.status_code, answer.json()["code"]) == (400, "not_locked")
    for body in ({}, {"password": ""}, {"password": 5}, {"password": "x" * 256}, {"password": SECRET, "extra": 1}):
        refused = client.post(f"{at(document)}/unlock", body)
        assert refused.status_code == 422, body
        assert "xxx" not in refused.content.decode(), "a password is not sent back"


def test_a_password_in_the_wrong_place_is_not_sent_back(client: ApiClient, document: Document) -> None:
    upload = at(document).rpartition("/")[0]
    for path, body in (
        (f"{at(document)}/unlock", {"passwort": SECRET}),
        (f"{at(document)}/unlock", SECRET),
        (upload, {"documents": [SECRET]}),
    ):
        answer = client.post(path, body)
        assert (answer.status_code, SECRET in answer.content.decode()) == (422, False), body


def test_an_upload_brings_the_password_along(client: ApiClient, actor: Actor) -> None:
    base = f"/v0/orgs/{actor.organization.pk}/documents"
    content = base64.b64encode(LOCKED).decode()
    sent = [{"name": f"{n}.pdf", "content": content, "password": word} for n, word in enumerate([SECRET, "no", None])]
    batch = client.post(base, {"documents": sent}).json()["documents"]
    form = {"file": ContentFile(LOCKED, name="form.pdf"), "password": SECRET}
    single = client.post(f"{base}/multipart", form, format="multipart").json()["document"]
    read_all()
    codes = [Document.objects.get(pk=row["document_id"]).state_code for row in [*batch, single]]
    assert codes == ["", "password_wrong", "password_missing", ""]
    assert "password" not in batch[0] and "words" not in str(Reading.objects.values_list("settings"))


def test_a_document_that_was_unlocked_is_read_again_without_asking(client: ApiClient, document: Document) -> None:
    client.post(f"{at(document)}/unlock", {"password": SECRET})
    read_all()
    assert client.post(f"/v0/orgs/{document.organization_id}/ocr/run/{document.pk}").status_code == 200
    assert "Total 12.50" in read_text(client, document)
    assert document.readings.latest("number").status == Reading.Status.COMPLETED


def test_viewers_and_tokens_for_uploads_unlock_nothing(
    api: Callable[[str], ApiClient], api_as: Callable[[Actor], ApiClient], actor: Actor, document: Document, member
) -> None:
    _, secret = tokens.create(actor.user, name="In", organization=actor.organization, upload_only=True)
    viewer = member(Role.VIEWER)
    for client in (api(secret), api_as(viewer)):
        assert client.post(f"{at(document)}/unlock", {"password": SECRET}).status_code == 403
    with pytest.raises(Denied):
        unlocking.unlock(viewer, document=document, password="guess")
    assert document.readings.count() == 1


def test_the_page_asks_says_beside_the_field_that_it_is_wrong_and_reads(
    client, actor: Actor, document: Document, signed_in
) -> None:
    page = signed_in(Client(), actor)
    address = reverse("document-unlock", args=[document.organization_id, document.pk])
    for asking in (
        reverse("document", args=[document.organization_id, document.pk]),
        reverse("inbox", args=[document.organization_id]),
    ):
        assert f'hx-post="{address}"' in page.get(asking).text
    wrong = page.post(address, {"password": "guess", "key": "A"}, headers=HTMX)
    # The one failure that htmx puts where it was asked for.
    assert wrong.status_code == 422 and "HX-Retarget" not in wrong.headers
    assert 'aria-invalid="true"' in wrong.text and "does not open" in wrong.text and "data-approve" in wrong.text
    assert "guess" not in wrong.text
    assert "are being read" in page.post(address, {"password": SECRET}, headers=HTMX).text
    assert "Total 12.50" in read_text(client, document)


@pytest.mark.parametrize(
    ("password", "sentence"),
    [("", "The password is empty."), ("x" * 256, "The password has 256 characters; 255 is the most.")],
)
def test_the_page_says_what_can_be_no_password(
    actor: Actor, document: Document, signed_in, password: str, sentence: str
) -> None:
    address = reverse("document-unlock", args=[document.organization_id, document.pk])
    answer = signed_in(Client(), actor).post(address, {"password": password}, headers=HTMX)
    assert (answer.status_code, sentence in answer.text, document.readings.count()) == (422, True, 1)


def test_a_locked_file_that_is_missing_is_said(client: ApiClient, document: Document) -> None:
    document.file.storage.delete(document.file.name)
    answer = client.post(f"{at(document)}/unlock", {"password": SECRET})
    assert (answer.status_code, answer.json()["detail"]) == (
        404,
        "The stored file is missing. Upload the document again.",
    )


def test_only_a_reading_that_wanted_a_password_asks_for_one(actor: Actor, signed_in) -> None:
    document = uploads.store(actor, name="password list.pdf", content=ContentFile(b"%PDF-1.7 and nothing"))
    Reading.objects.update(status=Reading.Status.FAILED, reason="The file with the password list is damaged.")
    state.refresh(document.pk)
    text = signed_in(Client(), actor).get(reverse("document", args=[document.organization_id, document.pk])).text
    assert "This file could not be read" in text and 'type="password"' not in text


def test_a_sealed_password_that_nobody_can_open_any_more_is_asked_for_again(actor: Actor, document: Document) -> None:
    Reading.objects.update(status=Reading.Status.COMPLETED, settings={"engine": "auto", "password": "unreadable"})
    reading.start(actor, document=document)
    read_all()
    assert document.readings.latest("number").reason_code == "password_missing"
    document.refresh_from_db()
    assert document.state_code == "", "what was read before still stands"


@pytest.mark.django_db(transaction=True)
def test_a_password_waits_for_a_reader_in_its_organizations_turn_and_without_a_connection(
    actor: Actor, document: Document
) -> None:
    ours, places = connections["default"], get_pool().places

    def look() -> tuple[str, object]:
        wait_until(lambda: bool(places.waiting))
        seen = places.waiting[0].group, ours.connection
        taken.close()
        return seen

    with ThreadPoolExecutor(1) as threads, ExitStack() as taken:
        for _ in range(places.free):
            taken.enter_context(places.take("another organization", None))
        seen = threads.submit(look)
        assert unlocking.unlock(actor, document=document, password=SECRET)
    assert seen.result() == (actor.organization.pk, None)

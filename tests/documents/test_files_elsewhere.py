"""Files that lie in no folder of this machine: web and worker have nothing in common but the storage."""

from __future__ import annotations

import base64
import io
import zipfile
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from PIL import Image

from accounts.actor import Actor
from documents import bulk
from documents.intake import parts, splitting, uploads
from documents.intake.splitting import PartPages
from documents.management import demo
from documents.models import Document, Page
from documents.reading import derived_files, page_pictures, reading
from documents.retention import orphans
from documents.storage import data_folder
from documents.storage.stored_files import DERIVED, SET_ASIDE, UPLOADS
from tests.agent.purging_rows import delete_for_good, purge
from tests.conftest import ApiClient
from tests.documents.reader_files import pdf, text_at
from tests.documents.test_old_office import OLD, RESULT, make_program

pytestmark = [pytest.mark.django_db, pytest.mark.flows]
INVOICE = pdf([text_at(20, 70, "Invoice 4711"), text_at(20, 70, "Total 12.50")])
Play = Callable[[str], None]


@pytest.fixture
def play(settings: Any, tmp_path: Path) -> Play:
    """`play("worker")`: from now on this process is another one, with an empty folder of its own."""
    memory = {"BACKEND": "django.core.files.storage.InMemoryStorage", "OPTIONS": {"location": "/nowhere"}}
    settings.STORAGES = {**settings.STORAGES, "default": memory, "derived": memory, "orphans": memory}

    def play(name: str) -> None:
        settings.DATA_DIR, settings.STORAGE_DIR = tmp_path / name, tmp_path / name / "files"
        settings.DATA_DIR.mkdir(exist_ok=True)

    return play


@pytest.fixture
def page(client: Client, actor: Actor, signed_in: Callable[[Client, Actor], Client]) -> Client:
    return signed_in(client, actor)


@pytest.fixture(autouse=True)
def _leaves_no_file(play: Play, tmp_path: Path) -> Any:
    play("web")
    yield
    left = [path for path in tmp_path.rglob("*") if path.is_file() and path.parent.name != "bin"]
    assert not left and not Path("/nowhere").exists()


def read_all() -> None:
    while reading.read_next(holder="test"):
        pass


def upload(client: ApiClient, actor: Actor, name: str, content: bytes) -> Document:
    form = {"file": SimpleUploadedFile(name, content), "name": name}
    answer = client.post(f"/v0/orgs/{actor.organization.pk}/documents/multipart", form, format="multipart")
    assert answer.status_code in (200, 201), answer.json()
    return Document.objects.latest("created_at")


def bytes_of(answer: Any) -> bytes:
    return b"".join(answer.streaming_content) if answer.streaming else answer.content


def test_a_pdf_is_read_seen_found_and_given_back(
    play: Play, actor: Actor, api_as: Callable[[Actor], ApiClient], page: Client
) -> None:
    client = api_as(actor)
    document = upload(client, actor, "invoice.pdf", INVOICE)
    play("worker")
    read_all()
    call_command("reindex")
    play("web")
    row = Page.objects.select_related("reading__document").get(reading__document=document, number=2)
    assert "Total 12.50" in row.text
    results = client.get(f"/v0/orgs/{actor.organization.pk}/search", {"q": "4711"}).json()
    assert [hit["document_id"] for hit in results["results"]] == [document.pk]
    seen = page.get(reverse("page-image", args=[actor.organization.pk, document.pk, 1]))
    assert (seen.status_code, bytes_of(seen)[8:12]) == (200, b"WEBP")
    path = f"/v0/orgs/{actor.organization.pk}/documents/{document.pk}"
    assert bytes_of(client.get(f"{path}/file", headers={"Range": "bytes=0-3"})) == b"%PDF"
    assert bytes_of(client.get(f"{path}/file")) == INVOICE
    assert base64.b64decode(client.get(path).json()["content"]) == INVOICE
    assert bytes_of(page.get(reverse("document-file", args=[actor.organization.pk, document.pk]))) == INVOICE
    play("agent worker")
    with Image.open(io.BytesIO(page_pictures.make_picture(row))) as picture:
        assert picture.format == "JPEG"
    halves = splitting.split(actor, document=document, parts=[PartPages(1, 1), PartPages(2, 2)])
    read_all()
    assert [half.readings.get().pages.get().text for half in halves] == ["Invoice 4711", "Total 12.50"]


def test_an_old_office_file_is_a_pdf_for_all_processes(
    play: Play, actor: Actor, api_as: Callable[[Actor], ApiClient], settings: Any, tmp_path: Path
) -> None:
    settings.SOFFICE = make_program(tmp_path)
    client = api_as(actor)
    document = upload(client, actor, "letter.doc", OLD)
    play("worker")
    read_all()
    play("web")
    settings.SOFFICE = ""  # what the worker has made is not made again
    path = f"/v0/orgs/{actor.organization.pk}/documents/{document.pk}"
    assert bytes_of(client.get(f"{path}/file")) == RESULT.encode()
    assert bytes_of(client.get(f"{path}/file?file_type=original")) == OLD
    assert bytes_of(client.get(f"{path}/pages/1/picture"))[8:12] == b"WEBP"


def test_files_of_an_archive_become_documents_and_go_out_as_one_zip(
    play: Play, actor: Actor, api_as: Callable[[Actor], ApiClient]
) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("a.txt", "Total 12.50")
        archive.writestr("b.txt", "Total 99.00")
    client = api_as(actor)
    whole = upload(client, actor, "both.zip", packed.getvalue())
    play("worker")
    read_all()
    parts.unpack(whole.pk)
    play("web")
    sent = {"action": "download", "document_filters": {}}
    action = client.post(f"/v0/orgs/{actor.organization.pk}/documents/bulk", sent).json()
    play("worker")
    while bulk.run_next(holder="test"):
        pass
    play("web")
    answer = client.get(f"/v0/orgs/{actor.organization.pk}/documents/bulk/{action['bulk_action_id']}/download")
    with zipfile.ZipFile(io.BytesIO(bytes_of(answer))) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == {
            "both.zip": packed.getvalue(),
            "a.txt": b"Total 12.50",
            "b.txt": b"Total 99.00",
        }


def test_what_is_deleted_for_good_leaves_nothing_in_any_storage(
    play: Play, actor: Actor, api_as: Callable[[Actor], ApiClient], page: Client
) -> None:
    document = upload(api_as(actor), actor, "scan.png", make_scan())
    play("worker")
    read_all()
    play("web")
    page.get(reverse("page-image", args=[actor.organization.pk, document.pk, 1]))
    bytes_of(api_as(actor).get(f"/v0/orgs/{actor.organization.pk}/documents/{document.pk}/file"))
    assert len(list(UPLOADS.iterate())) == 1 and len(list(DERIVED.iterate())) == 2
    delete_for_good(actor, document)
    play("worker")
    purge()
    assert not list(UPLOADS.iterate()) and not list(DERIVED.iterate())


def test_files_and_rows_are_compared_and_what_was_made_is_bounded(play: Play, actor: Actor, settings: Any) -> None:
    kept = uploads.store(actor, name="a.txt", content=ContentFile(b"Total 12.50"))
    lost = uploads.store(actor, name="b.txt", content=ContentFile(b"Total 99.00"))
    UPLOADS.delete(str(lost.file))
    orphan = UPLOADS.save(f"documents/{actor.organization.pk}/left", ContentFile(b"left by a killed process"))
    for data in (b"%PDF older", b"%PDF"):
        DERIVED.save_bytes(derived_files.get_pdf_key(kept.pk), data)
    play("scheduler")
    with DERIVED.open(derived_files.get_pdf_key(kept.pk)) as made:
        assert made.read() == b"%PDF"
    age_all(days=40)
    orphans.FilesCheck().run_once()
    assert [file.key for file in UPLOADS.iterate()] == [str(kept.file)] and not UPLOADS.exists(orphan)
    assert [file.key for file in SET_ASIDE.iterate()] == [f"{actor.organization.pk}/left"]
    assert Document.objects.get(file_missing_since__isnull=False) == lost
    assert derived_files.trim() == 1 and not list(DERIVED.iterate())
    age_all(days=40)
    assert orphans.remove_leftovers() == 1 and not list(SET_ASIDE.iterate())


def test_a_process_asks_for_no_folder_in_common(play: Play, actor: Actor, settings: Any) -> None:
    settings.EMBEDDED_DATABASE = False
    data_folder.join_folder()
    play("another")
    data_folder.join_folder()
    assert data_folder.explain_failure() == ""
    uploads.store(actor, name="a.txt", content=ContentFile(b"Total 12.50"))


def test_documents_for_looking_at_share_a_stored_file(actor: Actor) -> None:
    list(demo.seed_rows(actor, documents=2, tags=1, prompt_revisions=1))
    assert {str(document.file) for document in Document.objects.all()} == {file.key for file in UPLOADS.iterate()}


def make_scan() -> bytes:
    data = io.BytesIO()
    Image.new("L", (60, 40), 255).save(data, "png")
    return data.getvalue()


def age_all(days: int) -> None:
    for files in (UPLOADS, DERIVED, SET_ASIDE):
        storage: Any = files._storage
        for file in files.iterate():
            storage._resolve(file.key).modified_time = timezone.now() - timedelta(days=days)

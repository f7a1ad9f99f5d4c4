"""Pictures of pages: drawn once for all who ask at the same time, and not again where they cannot be drawn."""

from __future__ import annotations

import io
import json
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import IO, Any

import pytest
from django.core.files.base import ContentFile
from django.db import connection
from django.test import Client
from django.urls import reverse
from PIL import Image

from accounts.actor import Actor
from documents.intake import uploads
from documents.models import Document, Page, Reading
from documents.reading import derived_files, drawing, pages
from documents.retention import purging
from documents.storage.stored_files import DERIVED
from kit.errors import Busy, Invalid, NotFound, Upstream
from reader.pool.readers import get_pdf_pool, get_pool
from reader.pool.refusals import LATE
from tests.documents.reader_files import pdf, text_at
from tests.stored_in import keep_files_in

pytestmark = [pytest.mark.django_db, pytest.mark.flows]


@pytest.fixture(autouse=True)
def own_cache(settings: Any, tmp_path: Path) -> Path:
    return keep_files_in(settings, tmp_path)


def page_of(actor: Actor, content: bytes) -> Page:
    document = uploads.store(actor, name="a.pdf", content=ContentFile(content, name="a.pdf"))
    reading = document.readings.get()
    Reading.objects.filter(pk=reading.pk).update(status="completed", page_count=1, pages_read=1, pages_listed=1)
    Page.objects.create(reading=reading, number=1, width=200, height=100, engine="x", words=b"")
    return Page.objects.select_related("reading__document").get(reading=reading)


def remove_file(document: Document) -> None:
    """From now on whoever would draw it says that it is missing."""
    Path(document.file.path).unlink()


@pytest.fixture
def broken(actor: Actor) -> Page:
    """It has failed once, and its file is gone since."""
    page = page_of(actor, b"%PDF-1.7 and then nothing")
    with pytest.raises(Invalid, match="damaged"):
        pages.draw_image(page, 640)
    remove_file(page.reading.document)
    return page


def change_failure(page: Page, **changes: object) -> None:
    failure = derived_files.get_picture_failure_key(page.reading_id, page.number)
    DERIVED.save_bytes(failure, json.dumps({**read_failure(failure), **changes}).encode())


def read_failure(failure: str) -> Any:
    with DERIVED.open(failure) as file:
        return json.load(file)


def test_what_cannot_be_drawn_is_tried_once(broken: Page) -> None:
    for width in (640, 640, 2400):
        with pytest.raises(Invalid, match="damaged"):
            pages.draw_image(broken, width)


def test_a_smaller_picture_may_still_be_drawn(broken: Page) -> None:
    with pytest.raises(NotFound, match="stored file is missing"):
        pages.draw_image(broken, 160)


def test_another_renderer_tries_again(broken: Page) -> None:
    change_failure(broken, drawn_by="0.0.1, pypdfium2 1")
    with pytest.raises(NotFound):
        pages.draw_image(broken, 640)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"kind": 1}'])
def test_a_failure_that_cannot_be_read_counts_for_nothing(broken: Page, text: str) -> None:
    DERIVED.save_bytes(derived_files.get_picture_failure_key(broken.reading_id, 1), text.encode())
    with pytest.raises(NotFound):
        pages.draw_image(broken, 640)


@pytest.mark.parametrize(
    ("error", "seconds"),
    [(Invalid("Too long.", code=LATE), drawing.LATE_SECONDS), (Upstream("It died."), drawing.SHORT_SECONDS)],
)
def test_what_may_be_the_machines_fault_is_remembered_for_a_while(
    actor: Actor, error: Exception, seconds: float
) -> None:
    page = page_of(actor, b"x")
    failure = derived_files.get_picture_failure_key(page.reading_id, 1)

    def draw(_: IO[bytes]) -> bytes:
        raise error

    for _ in range(2):
        with pytest.raises(type(error), match=str(error)):
            drawing.draw_once(str(page.reading.document.file), "a", draw, failure=failure)
    assert 0 < read_failure(failure)["until"] - time.time() <= seconds
    change_failure(page, until=time.time() - 1)
    with drawing.draw_once(str(page.reading.document.file), "a", lambda _: b"drawn", failure=failure) as drawn:
        assert drawn.read() == b"drawn"


def test_a_pdf_that_cannot_be_made_is_tried_once_and_forgotten_with_its_document(actor: Actor) -> None:
    document = uploads.store(actor, name="a.png", content=ContentFile(b"\x89PNG\r\n\x1a\n broken", name="a.png"))
    with pytest.raises(Invalid):
        pages.draw_pdf(document)
    remove_file(document)
    with pytest.raises(Invalid):
        pages.draw_pdf(document)
    derived_files.delete_files_of(document)
    with pytest.raises(NotFound):
        pages.draw_pdf(document)


def test_a_file_that_goes_before_it_is_drawn_is_no_failure_of_the_file(actor: Actor) -> None:
    page = page_of(actor, b"x")
    key = derived_files.get_picture_key(page.reading_id, 1, 160)
    failure = derived_files.get_picture_failure_key(page.reading_id, 1)

    def draw(source: IO[bytes]) -> bytes:
        remove_file(page.reading.document)
        return source.read()

    with pytest.raises(NotFound, match="stored file is missing"):
        drawing.draw_once(str(page.reading.document.file), key, draw, failure=failure)
    assert not DERIVED.exists(key) and not DERIVED.exists(failure)


def test_a_picture_drawn_while_its_document_is_deleted_for_good_is_not_kept(actor: Actor) -> None:
    page = page_of(actor, b"x")
    key = derived_files.get_picture_key(page.reading_id, 1, 160)

    def draw(_: IO[bytes]) -> bytes:
        purging.delete_files(page.reading.document)
        return b"what stood on the page"

    with pytest.raises(NotFound, match="stored file is missing"):
        drawing.draw_once(str(page.reading.document.file), key, draw, failure="failed")
    assert not DERIVED.exists(key)


def test_those_who_come_at_once_share_one_drawing(actor: Actor) -> None:
    page = page_of(actor, pdf([text_at(20, 70, "Total 12.50")]))
    pages.draw_image(page, 160)
    [process] = get_pool().idle[-1:]
    before, start = process.pages, Barrier(5)

    def ask() -> bytes:
        start.wait()
        with pages.draw_image(page, 640) as picture:
            return picture.read()

    with ThreadPoolExecutor(5) as pool:
        pictures = {future.result() for future in [pool.submit(ask) for _ in range(5)]}
    assert len(pictures) == 1 and process.pages == before + 1


def test_who_waits_too_long_is_told_to_come_back(actor: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing, "WAIT_SECONDS", 0)
    page = page_of(actor, b"x")
    with drawing._lock_source(str(page.reading.document.file)), pytest.raises(Busy, match="drawn for somebody"):
        pages.draw_image(page, 160)


def test_a_reader_that_still_has_its_descriptor_keeps_nobody_waiting(
    actor: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drawing, "WAIT_SECONDS", 0)
    upload = str(page_of(actor, b"x").reading.document.file)
    with drawing._lock_source(upload) as source:
        of_reader = os.dup(source.fileno())
    with drawing._lock_source(upload):
        os.close(of_reader)


def test_a_page_without_a_picture_is_said_by_the_view(
    broken: Page, client: Client, actor: Actor, signed_in: Callable[[Client, Actor], Client]
) -> None:
    address = reverse("page-image", args=[actor.organization.pk, broken.reading.document_id, 1])
    answer = signed_in(client, actor).get(address + "?w=640")
    assert answer.status_code == 400 and b"damaged" in answer.content


def test_nothing_half_written_stays_where_a_picture_cannot_be_kept(tmp_path: Path) -> None:
    (tmp_path / "cache" / "folder").mkdir(parents=True)
    with pytest.raises(OSError):
        DERIVED.save_bytes("folder", b"x")  # a folder stands in its place
    assert os.listdir(tmp_path / "cache") == ["folder"]


@pytest.mark.django_db(transaction=True)
def test_who_draws_or_waits_for_it_keeps_no_database_connection(actor: Actor) -> None:
    page = page_of(actor, b"x")
    connections_at_work: list[object] = []

    def draw(_: IO[bytes]) -> bytes:
        connections_at_work.append(connection.connection)
        return b"drawn"

    drawing.draw_once(str(page.reading.document.file), "a", draw, failure="b").close()
    assert connections_at_work == [None]


def test_a_whole_pdf_takes_no_reader_of_single_pages(actor: Actor) -> None:
    page = page_of(actor, pdf([text_at(20, 70, "Total 12.50")]))
    picture = io.BytesIO()
    Image.new("L", (60, 40), 255).save(picture, "png")
    document = uploads.store(actor, name="a.png", content=ContentFile(picture.getvalue(), name="a.png"))
    with get_pdf_pool().places.take(actor.organization.pk, None):
        pages.draw_image(page, 160).close()
    with get_pool().places.take("", None), pages.draw_pdf(document) as made:
        assert made.read().startswith(b"%PDF")

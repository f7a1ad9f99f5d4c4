"""What has its text in the file does not wait for what has to be recognized: told by what is done, not by the clock."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import timedelta

import pytest
from django.core.files.base import ContentFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from PIL import Image

from accounts.actor import Actor
from agent.conversation import deletion
from documents import document_changes
from documents.catalog import state
from documents.intake import uploads
from documents.models import READING_LEASE, Document, Page, Reading
from documents.reading import lanes, pages, reading, slices
from documents.reading.lanes import Lane
from documents.retention import trash
from kit.errors import Invalid
from kit.leases import LeaseLost
from reader.pool.process import LOW_PRIORITY
from reader.pool.readers import ReaderPool
from reader.pool.refusals import LATE
from tests.documents.reader_files import pdf, text_at

pytestmark = pytest.mark.django_db
TEXT = text_at(20, 70, "Total 12.50 EUR, net, in thirty days")
# So low that no letter fits in: recognizing it takes no engine, and no time.
LOW = Image.linear_gradient("L").resize((64, 3))
LOW_PAGE = "/MediaBox [0 0 200 2.5]"
PICTURE = "q 200 0 0 2.5 0 0 cm /I0 Do Q"


def put(actor: Actor, name: str, content: bytes) -> Document:
    return uploads.store(actor, name=name, content=ContentFile(content, name=name))


def put_text(actor: Actor, name: str = "text.pdf") -> Document:
    return put(actor, name, pdf([TEXT]))


def put_scan(actor: Actor, pages: int = 3) -> Document:
    file = io.BytesIO()
    LOW.save(file, "TIFF", save_all=True, append_images=[LOW] * (pages - 1))
    return put(actor, "scan.tiff", file.getvalue())


def put_mixed(actor: Actor) -> Document:
    """Page 2 is a picture, the others have text."""
    return put(actor, "mixed.pdf", pdf([TEXT, PICTURE, TEXT], page=LOW_PAGE, images=[LOW]))


def read_next() -> bool:
    return reading.read_next(holder="test")


def list_engines(document: Document) -> list[str]:
    return list(Page.objects.filter(reading__document=document).order_by("number").values_list("engine", flat=True))


def list_statuses() -> list[str]:
    return list(Reading.objects.order_by("document__created_at").values_list("status", flat=True))


@contextmanager
def take_places(lane: Lane) -> Iterator[None]:
    """As threads do that read for long."""
    with ExitStack() as taken:
        assert all(taken.enter_context(lanes.take_place(lane)) for _ in range(lane.places))
        yield


def test_texts_are_read_before_anything_is_recognized(actor: Actor) -> None:
    scan = put_scan(actor)
    for number in range(3):
        put_text(actor, f"{number}.pdf")
    for _ in range(4):
        assert read_next()
    assert list_statuses() == ["queued", "completed", "completed", "completed"]
    assert list_engines(scan) == ["", "", ""]
    while read_next():
        pass
    assert list_engines(scan) == ["rapidocr"] * 3


def test_a_text_does_not_wait_until_a_place_for_scans_is_free(actor: Actor) -> None:
    put_scan(actor)
    put_text(actor)
    with take_places(Lane.SCANS):
        while read_next():
            pass
        assert list_statuses() == ["queued", "completed"]
    assert lanes.has_free_work() and read_next()
    assert list_statuses() == ["completed", "completed"]


def test_scans_do_not_wait_while_texts_take_all_their_places(actor: Actor) -> None:
    put_scan(actor)
    assert read_next()
    put_text(actor)
    with take_places(Lane.TEXTS):
        while read_next():
            pass
        assert list_statuses() == ["completed", "queued"]


def test_there_is_a_thread_for_every_place() -> None:
    assert lanes.count_threads() == Lane.TEXTS.places + Lane.SCANS.places
    assert min(lane.places for lane in Lane) > 0


def test_a_text_that_comes_while_a_scan_is_recognized_is_next(actor: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(slices.SLICE_MS, Lane.SCANS, 0)
    scan = put_scan(actor)
    assert read_next() and read_next()
    assert list_engines(scan) == ["rapidocr", "", ""]
    put_text(actor)
    assert read_next()
    assert list_statuses() == ["queued", "completed"] and list_engines(scan) == ["rapidocr", "", ""]


def test_long_scans_take_turns(actor: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(slices.SLICE_MS, Lane.SCANS, 0)
    scans = [put_scan(actor), put_scan(actor)]
    for _ in scans * 2:
        assert read_next()
    assert [list_engines(scan) for scan in scans] == [["rapidocr", "", ""]] * 2


def test_what_is_under_way_among_scans_does_not_count_among_texts(actor: Actor, stranger: Actor) -> None:
    put_scan(actor)
    assert read_next()
    claimed = lanes.claim_next(Lane.SCANS)
    assert claimed
    put_text(actor)
    put_text(stranger)
    assert list(lanes.list_runnable(Lane.TEXTS).values_list("busy", flat=True)) == [0, 0]
    put_scan(actor)
    Reading.objects.filter(status="queued").update(page_count=1, pages_listed=1)
    assert set(lanes.list_runnable(Lane.SCANS).values_list("document__organization", "busy")) == {
        (actor.organization.pk, 1),
        (stranger.organization.pk, 0),
    }


def test_pages_that_wait_are_shown_and_change_once_they_are_recognized(
    actor: Actor, client: Client, signed_in: Callable[[Client, Actor], Client]
) -> None:
    scan, page = put_scan(actor), signed_in(client, actor)
    path = [scan.organization_id, scan.pk]
    assert read_next()
    assert state.refresh(scan.pk).state == Document.State.OCR_PROCESSING
    shown = page.get(reverse("document", args=path)).text
    assert shown.count('id="page-') == 3 and "0 of 3 pages" in shown
    picture = page.get(reverse("page-image", args=[*path, 1]), {"w": 160})
    assert picture.status_code == 200 and b"".join(picture.streaming_content)[8:12] == b"WEBP"
    words = page.get(reverse("page-words", args=[*path, 1]))
    assert words.json()["words"] == []
    assert read_next()
    again = page.get(reverse("page-words", args=[*path, 1]), headers={"If-None-Match": words["ETag"]})
    assert again.status_code == 200
    assert page.get(reverse("document", args=path)).text.count('id="page-') == 3


def test_a_page_that_turns_out_to_stand_sideways_is_drawn_anew(actor: Actor) -> None:
    scan = put_scan(actor, pages=1)
    assert read_next()
    page = Page.objects.select_related("reading__document").get(reading__document=scan)
    before = pages.draw_image(page, 160)
    page.rotation = 90
    after = pages.draw_image(page, 160)
    with before, after, Image.open(before) as waiting, Image.open(after) as turned:
        assert waiting.width > waiting.height and turned.width < turned.height


def test_pages_with_text_do_not_wait_for_the_others_of_their_document(actor: Actor) -> None:
    document = put_mixed(actor)
    assert read_next()
    row = document.readings.get()
    assert (row.pages_listed, row.pages_read, row.status) == (3, 2, "queued")
    assert list_engines(document) == ["text-layer", "", "text-layer"]
    assert read_next() and not read_next()
    row.refresh_from_db()
    assert (row.pages_read, row.status, row.engine) == (3, "completed", "rapidocr+text-layer")


def test_a_document_that_is_to_be_recognized_goes_there_whatever_text_it_has(actor: Actor) -> None:
    document = put_mixed(actor)
    Reading.objects.update(settings={"engine": "rapidocr"})
    assert read_next()
    assert list_engines(document) == ["", "", ""]
    assert read_next() and "" not in list_engines(document)


def test_what_was_left_out_is_named_and_leaves_no_empty_page(actor: Actor, settings: pytest.FixtureRequest) -> None:
    document = put_mixed(actor)
    assert read_next()
    Reading.objects.update(computing_ms=settings.READING_LIMIT_SECONDS * 1000)
    assert read_next()
    row = document.readings.get()
    assert (row.status, row.pages_listed, row.pages_read) == ("completed", 2, 2)
    assert row.reason.startswith("Page 2 was not read: ")
    assert list(row.pages.values_list("number", flat=True)) == [1, 3]


@pytest.mark.parametrize("lane", Lane)
def test_a_worker_that_is_lost_costs_its_slice_in_either_lane(actor: Actor, lane: Lane) -> None:
    document = put_mixed(actor)
    if lane is Lane.SCANS:
        assert read_next()
    late = lanes.claim_next(lane)
    assert late
    Reading.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    assert reading.requeue_lost_readings() == 1
    while read_next():
        pass
    with pytest.raises(LeaseLost):
        slices.read_slice(late, lane)
    assert list_engines(document) == ["text-layer", "rapidocr", "text-layer"]
    assert document.readings.get().pages_read == 3


def test_a_page_is_recognized_once_although_two_had_it(actor: Actor) -> None:
    document = put_scan(actor)
    assert read_next()
    late = lanes.claim_next(Lane.SCANS)
    assert late
    Reading.objects.update(status="queued")
    assert read_next()
    with pytest.raises(LeaseLost):
        READING_LEASE.lock(late)
    assert list_engines(document) == ["rapidocr"] * 3


def test_the_trash_stops_it_between_the_lanes(actor: Actor) -> None:
    document = put_scan(actor)
    assert read_next()
    document_changes.trash(actor, document=document)
    assert not read_next()
    document_changes.restore(actor, document=document)
    assert read_next()
    assert list_statuses() == ["completed"]


def test_it_is_deleted_for_good_between_the_lanes(actor: Actor) -> None:
    document = put_scan(actor)
    assert read_next()
    document_changes.trash(actor, document=document)
    trash.delete_for_good(actor, document=document)
    while deletion.run_once():
        pass
    assert not Page.objects.exists() and not Document.objects.exists() and not read_next()


def test_a_page_that_was_late_by_the_clock_is_tried_again(actor: Actor) -> None:
    put_scan(actor)
    claimed = lanes.claim_next(Lane.TEXTS)
    assert claimed
    reading._end(claimed, Invalid("Reading the file took longer than 150 seconds and was stopped.", code=LATE))
    assert list_statuses() == ["queued"]


def test_readers_of_scans_come_after_the_rest_of_the_machine() -> None:
    pool = ReaderPool(1, niceness=LOW_PRIORITY)
    try:
        process = pool.take()
        ours = os.getpriority(os.PRIO_PROCESS, 0)
        assert os.getpriority(os.PRIO_PROCESS, process.child.pid) == min(19, ours + LOW_PRIORITY)
        process.kill()
    finally:
        pool.close()

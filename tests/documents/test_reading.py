import os
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.db import connection
from django.utils import timezone

from documents import document_changes
from documents.catalog import state
from documents.intake import uploads
from documents.models import READING_LEASE, Document, Reading
from documents.reading import lanes, pages, reading, slices
from documents.reading.lanes import Lane
from documents.reading.passwords import get_password
from kit.errors import Conflict
from kit.leases import LeaseLost

pytestmark = [pytest.mark.django_db, pytest.mark.servers]
DATA = Path(__file__).parent.parent / "data"


def put(actor, name="a.txt", content=b"Total 12.50"):
    return uploads.store(actor, name=name, content=ContentFile(content, name=name))


def read_all(actor=None):
    while reading.read_next(holder="test"):
        pass


def long_text(page_count):
    return "\n".join(f"line {n}" for n in range(page_count * 60)).encode()


def test_a_document_goes_from_uploaded_to_read(actor):
    document = put(actor, "gen_invoice_101.pdf", (DATA / "gen_invoice_101.pdf").read_bytes())
    read_all()
    document.refresh_from_db()
    assert document.state == Document.State.OCR_COMPLETED
    page = document.readings.get().pages.get()
    words = [word.text for word in pages.unpack_words(page)]
    assert "INV-2025-49883" in words and "17,116.55" in page.text


def test_broken_content_ends_as_failed_with_a_sentence_and_keeps_the_file(actor):
    document = put(actor, "broken.pdf", b"%PDF-1.7 and then nothing")
    read_all()
    document.refresh_from_db()
    assert document.state == Document.State.OCR_FAILED and document.state_reason.endswith(".")
    assert document.file.open().read().startswith(b"%PDF")
    assert document.readings.get().is_permanent


def test_a_file_that_is_missing_is_said_and_not_taken_for_a_broken_one(actor):
    document = put(actor)
    document.file.storage.delete(document.file.name)
    read_all()
    document.refresh_from_db()
    assert document.state_reason == "The stored file is missing. Upload the document again."


def test_a_long_document_is_read_in_slices_and_a_short_one_does_not_wait_for_it(actor):
    long, short = put(actor, "long.txt", long_text(50)), put(actor, "short.txt")
    assert reading.read_next(holder="test")
    assert long.readings.get().pages_read == slices.PAGES_A_SLICE
    assert reading.read_next(holder="test")
    assert short.readings.get().status == Reading.Status.COMPLETED
    read_all()
    numbers = list(long.readings.get().pages.values_list("number", flat=True))
    assert numbers == list(range(1, len(numbers) + 1)) and len(numbers) >= 50


def test_a_document_of_too_much_text_is_refused_and_nothing_is_cut_silently(actor):
    document = put(actor, "long.txt", long_text(50))
    assert reading.read_next(holder="test")
    document.readings.get().pages.filter(number=1).update(text="x" * slices.MAX_CHARACTERS)
    read_all()
    refused = document.readings.get()
    assert (refused.status, refused.pages_read) == (Reading.Status.FAILED, slices.PAGES_A_SLICE)
    assert refused.reason.startswith("20 of 50 pages hold 10,0") and refused.reason.endswith("in parts.")


def test_the_organization_with_less_under_way_is_next(actor, stranger):
    put(actor, "one.txt")
    put(actor, "two.txt")
    Reading.objects.filter(document__name="one.txt").update(status="reading", lease_until=timezone.now())
    other = put(stranger, "three.txt")
    assert lanes.list_runnable(Lane.TEXTS).first().document == other


def test_a_claim_that_was_taken_over_stores_nothing(actor):
    document = put(actor)
    claimed = lanes.claim_next(Lane.TEXTS)
    Reading.objects.filter(pk=claimed.pk).update(fence=claimed.fence + 1)
    with pytest.raises(LeaseLost):
        slices.read_slice(claimed, Lane.TEXTS)
    assert not document.readings.get().pages.exists()


def test_a_lost_lease_is_put_back_and_fails_after_three(actor):
    document = put(actor)
    for _ in range(slices.MAX_ATTEMPTS):
        lanes.claim_next(Lane.TEXTS)
        Reading.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
        assert reading.requeue_lost_readings() == 1
    failed = document.readings.get()
    assert failed.status == Reading.Status.FAILED and "It was tried 3 times." in failed.reason


def test_lost_leases_count_from_the_last_page_that_was_read(actor):
    put(actor, "long.txt", long_text(50))
    Reading.objects.update(attempt=slices.MAX_ATTEMPTS - 1)
    assert reading.read_next(holder="test")
    lanes.claim_next(Lane.TEXTS)
    Reading.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    assert reading.requeue_lost_readings() == 1
    assert Reading.objects.get().status == Reading.Status.QUEUED


def take_over_before_it_ends(row):
    """Another worker claims it between the last look and the end."""
    table = row._meta.db_table

    def execute(go_on, sql, *rest):
        if sql.startswith(f'UPDATE "{table}"') and '"finished_at"' in sql:
            go_on(f"UPDATE {table} SET fence = fence + 1 WHERE id = '{row.pk}'", None, *rest[1:])
        return go_on(sql, *rest)

    return execute


@pytest.mark.parametrize("content", [b"%PDF-1.7 and then nothing", None], ids=["unusable", "missing"])
def test_a_reading_that_was_taken_over_is_not_ended_by_the_late_reader(actor, content):
    put(actor, "a.pdf", content or b"x")
    if content is None:
        Document.objects.update(file="gone")

    with connection.execute_wrapper(take_over_before_it_ends(Reading.objects.get())):
        assert reading.read_next(holder="late")
    assert Reading.objects.get().status == Reading.Status.READING


def test_a_reading_that_was_taken_over_keeps_no_other_in_the_sweep(actor):
    first, second = put(actor, "a.txt").readings.get(), put(actor, "b.txt").readings.get()
    past = timezone.now() - timedelta(minutes=1)
    Reading.objects.update(status="reading", attempt=slices.MAX_ATTEMPTS - 1, lease_until=past)
    Reading.objects.filter(pk=second.pk).update(lease_until=past + timedelta(seconds=1))

    with connection.execute_wrapper(take_over_before_it_ends(first)):
        assert reading.requeue_lost_readings() == 2
    assert [Reading.objects.get(pk=each.pk).status for each in (first, second)] == ["reading", "failed"]
    assert not Reading.objects.get(pk=second.pk).is_permanent


def test_reading_again_keeps_the_earlier_reading(actor):
    document = put(actor)
    with pytest.raises(Conflict, match="being read already"):
        reading.start(actor, document=document)
    read_all()
    reading.start(actor, document=document, engine="rapidocr")
    assert [r.number for r in document.readings.order_by("number")] == [1, 2]
    assert state.refresh(document.pk).state == Document.State.OCR_PROCESSING


def test_a_password_is_kept_encrypted(actor):
    document = put(actor)
    read_all()
    again = reading.start(actor, document=document, password="hunter2")
    assert "hunter2" not in str(again.settings) and get_password(again) == "hunter2"


def test_a_trashed_document_is_not_read(actor):
    document_changes.trash(actor, document=put(actor))
    assert not reading.read_next(holder="test")


def test_a_page_picture_is_made_once_and_kept(actor):
    put(actor, "gen_invoice_101.pdf", (DATA / "gen_invoice_101.pdf").read_bytes())
    read_all()
    page = Reading.objects.get().pages.select_related("reading__document").get()
    with pages.draw_image(page, 600) as first, pages.draw_image(page, 640) as second:
        assert os.fstat(second.fileno()) == os.fstat(first.fileno()) and first.read()[8:12] == b"WEBP"
        assert first.name.endswith("1-640.webp")


def test_a_reading_that_was_called_off_keeps_nothing_more(actor):
    """Its document is being deleted for good; the fence is the same."""
    row = put(actor, "a.txt").readings.get()
    Reading.objects.update(status="failed")
    with pytest.raises(LeaseLost):
        READING_LEASE.lock(row, pages_read=1)
    assert Reading.objects.get().pages_read == 0

"""A large download of results: written by a worker, once, kept for some days, and nobody else's."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from django.core.files.storage import default_storage
from django.utils import timezone
from openpyxl import load_workbook

from accounts.actor import Actor
from accounts.models import AuditEntry, Member, Role
from documents import bulk
from documents.bulk.downloads import GONE, LOST_ACCESS, NOT_YET, open_download
from documents.bulk.kinds.downloading import MAX_SENT_AT_ONCE
from documents.bulk.requesting import NOT_YOURS
from documents.bulk.result_files import Interrupted, Writing, write_file
from documents.bulk.retention import delete_old
from documents.models import BULK_LEASE, BulkAction, BulkItem, Document, ResultFile
from documents.retention import purging
from documents.storage.stored_files import UPLOADS
from kit.errors import AppError
from kit.http.file_answers import OpenedFile
from kit.leases import LeaseLost
from tests.documents.bulk.bulk_rows import make_documents, work
from tests.results_rows import make_extracted, make_invoice_prompt

pytestmark = [pytest.mark.django_db, pytest.mark.servers]
MANY = MAX_SENT_AT_ONCE + 2


@pytest.fixture
def action(actor: Actor) -> BulkAction:
    """Two of its documents have no values."""
    prompt = make_invoice_prompt(actor, 4)
    make_extracted(actor, prompt, range(MAX_SENT_AT_ONCE), 4)
    make_documents(actor, 2)
    return ask_for_file(actor)


def ask_for_file(actor: Actor) -> BulkAction:
    rows = Document.objects.for_org(actor.organization)
    return bulk.create(
        actor, kind="download", documents=rows, arguments={"content": "results", "format": "xlsx", "headers": "path"}
    )


def read_refusal(actor: Actor, action: BulkAction) -> str:
    with pytest.raises(AppError) as refused:
        open_download(actor, action=BulkAction.objects.get(pk=action.pk))
    return refused.value.sentence


def age(key: str) -> None:
    """As if it had been stored two days ago."""
    then = (timezone.now() - timedelta(days=2)).timestamp()
    os.utime(default_storage.path(key), (then, then))


def list_stored() -> list[str]:
    return sorted(file.key for file in UPLOADS.iterate("results"))


def test_a_worker_writes_it_and_says_what_was_left_out(actor: Actor, action: BulkAction) -> None:
    assert read_refusal(actor, action) == NOT_YET
    work(action)
    assert (action.status, action.done_count, action.left_out_count) == ("done", MAX_SENT_AT_ONCE, 2)
    assert set(action.items.filter(status="left_out").values_list("reason", flat=True)) == {"It has not been read yet."}
    opened = open_download(actor, action=action)
    assert isinstance(opened, OpenedFile) and opened.name.endswith(".xlsx")
    sheet = load_workbook(io.BytesIO(opened.content.read()), read_only=True)["Documents"]
    rows = list(sheet.iter_rows(values_only=True))
    assert rows[0][:3] == ("document_id", "document_name", "field_0")
    assert sum(row[2] for row in rows[1:]) == sum(number + 0.5 for number in range(MAX_SENT_AT_ONCE))
    file = ResultFile.objects.get()
    assert (file.row_count, list_stored()) == (MAX_SENT_AT_ONCE, [file.key])
    assert [
        *AuditEntry.objects.filter(target_id=action.pk).order_by("created_at", "pk").values_list("action", flat=True)
    ] == ["asked for", "downloaded"]


def test_a_worker_that_was_killed_is_followed_by_one_file(actor: Actor, action: BulkAction) -> None:
    """It had stored its file, and named it nowhere; another one, taken for dead, comes late."""
    assert BULK_LEASE.claim(action)
    late = BulkAction.objects.select_related("organization", "requested_by").get(pk=action.pk)
    UPLOADS.save_bytes(f"results/{action.organization_id}/{action.pk}-{action.fence}", b"half")
    BulkAction.objects.filter(pk=action.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    bulk.requeue_lost_actions()
    work(action)
    file = ResultFile.objects.get()
    with pytest.raises(LeaseLost):
        write_file(late)
    assert ResultFile.objects.get() == file and action.done_count == MAX_SENT_AT_ONCE
    assert file.key in list_stored() and len(list_stored()) == 2
    for stored in list_stored():
        age(stored)
    delete_old()
    assert list_stored() == [file.key]


def test_it_can_be_stopped_and_does_not_hold_up_other_actions(actor: Actor, action: BulkAction) -> None:
    assert BULK_LEASE.claim(action)
    rows = Document.objects.filter(pk=Document.objects.values_list("pk", flat=True).first())
    other = bulk.create(actor, kind="trash", documents=rows)
    assert work(other).status == "done"
    bulk.stop(actor, action=action)
    assert read_refusal(actor, action) == GONE
    assert set(BulkItem.objects.filter(action=action).values_list("status", flat=True)) == {"left_out"}


@pytest.mark.parametrize("when", ["before", "after"])
def test_nobody_gets_the_file_of_a_person_who_lost_access(
    actor: Actor, action: BulkAction, member: Callable[[Role], Actor], when: str
) -> None:
    other, admin = member(Role.BUILDER), member(Role.ADMIN)
    if when == "after":
        work(action)
        assert read_refusal(other, action) == NOT_YOURS and open_download(admin, action=action)
    Member.objects.filter(user=actor.user).delete()
    if when == "before":
        assert (work(action).status, ResultFile.objects.count()) == ("failed", 0)
    assert read_refusal(admin, action) == LOST_ACCESS


def test_it_goes_after_its_days_and_with_any_document_that_it_holds(actor: Actor, action: BulkAction) -> None:
    work(action)
    key = ResultFile.objects.get().key
    delete_old()
    assert UPLOADS.exists(key)
    ResultFile.objects.update(expires_at=timezone.now())
    assert read_refusal(actor, action) == GONE
    delete_old()
    assert not UPLOADS.exists(key) and not ResultFile.objects.exists()
    again = work(ask_for_file(actor))
    document = again.items.order_by("pk")[0].document
    purging.delete_files(document)
    assert list_stored() == [] and read_refusal(actor, again) == GONE


def test_small_ones_are_sent_at_once(actor: Actor) -> None:
    make_documents(actor, 1)
    assert ask_for_file(actor).status == "done" and not ResultFile.objects.exists()


@pytest.fixture(autouse=True)
def no_files() -> Iterator[None]:
    UPLOADS.delete_below("results")
    yield
    UPLOADS.delete_below("results")


def test_no_value_of_a_document_that_is_deleted_meanwhile_stays_in_it(actor: Actor, action: BulkAction) -> None:
    """Its values are written already, and there is no file yet that would go with it."""
    document = action.items.order_by("pk")[0].document
    assert BULK_LEASE.claim(action)
    writing = Writing(action)
    writing.export.note_work = lambda: Document.objects.filter(pk=document.pk).update(purge_requested_at=timezone.now())
    with pytest.raises(Interrupted):
        writing.run()
    assert not ResultFile.objects.exists() and list_stored() == []

"""What READ COMMITTED lets happen between two statements, and row locks must prevent."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Barrier, Event
from time import sleep
from typing import TypeVar

import pytest
from django.core.files.base import ContentFile
from django.db import connection, transaction

from accounts.actor import Actor
from accounts.models import User
from accounts.services import users
from documents import document_changes, extractions, values
from documents.extractions import ExtractionDraft, edits
from documents.intake import uploads
from documents.models import READING_LEASE, Document, Extraction, Reading
from kit.errors import Invalid
from tests.documents.extraction_rows import RESULT, SCHEMA
from tests.documents.test_edits import store_extraction

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]
T = TypeVar("T")
THREADS = 8


def at_once(work: Callable[[int], T]) -> list[T]:
    barrier = Barrier(THREADS)

    def one(number: int) -> T:
        barrier.wait()
        try:
            return work(number)
        finally:
            connection.close()

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(one, range(THREADS)))


def test_it_links_twins_that_are_uploaded_at_once(actor: Actor) -> None:
    at_once(lambda number: uploads.store(actor, name=f"{number}.txt", content=ContentFile(b"the same")))
    first = Document.objects.get(duplicate_of=None)
    assert Document.objects.filter(duplicate_of=first).count() == THREADS - 1


def test_it_gives_a_row_to_one_of_those_who_claim_it_at_once(actor: Actor) -> None:
    uploads.store(actor, name="a.txt", content=ContentFile(b"a"))
    copies = [Reading.objects.get() for _ in range(THREADS)]
    assert sum(at_once(lambda number: READING_LEASE.claim(copies[number]))) == 1
    assert Reading.objects.get().fence == 1


def test_it_counts_every_renaming(actor: Actor) -> None:
    document = uploads.store(actor, name="a.txt", content=ContentFile(b"a"))
    at_once(lambda number: document_changes.rename(actor, document=Document.objects.get(), name=f"{number}.txt"))
    assert Document.objects.get().version == document.version + THREADS


def test_it_carries_an_edit_over_that_is_being_written_while_the_next_run_is_stored(actor: Actor) -> None:
    first = store_extraction(actor)
    draft = ExtractionDraft(
        first.document_id,
        str(first.reading_id),
        None,
        first.schema_revision_id,
        "openai/x",
        "{}",
        values.add_row_ids(RESULT, SCHEMA),
        {},
        coverage=[1],
        page_count=1,
    )
    written = Event()

    def edit_slowly() -> None:
        with transaction.atomic():
            edits.set_field(actor, extraction=Extraction.objects.get(pk=first.pk), where="total", value=99.5)
            written.set()
            sleep(0.3)  # the new run is stored by now, or waits for us
        connection.close()

    def store() -> Extraction:
        written.wait(60)
        try:
            return extractions.store(actor, draft=draft)
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        stored = pool.submit(store)
        pool.submit(edit_slowly).result()
        assert values.get_value(stored.result().current, "total") == 99.5


def test_a_system_admin_is_left_when_all_end_one_another_at_once() -> None:
    admins = [users.create(None, email=f"{n}@acme.test", password=None, is_superuser=True) for n in range(THREADS)]

    def end_the_next(number: int) -> bool:
        with suppress(Invalid):
            users.change(admins[number], user=admins[(number + 1) % THREADS], is_superuser=False)
            return True
        return False

    assert at_once(end_the_next).count(False) == 1
    assert User.objects.filter(is_superuser=True).count() == 1

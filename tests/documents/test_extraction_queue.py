"""Runs that wait for a worker: whose turn it is, and what a worker does whose run another has taken over."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from accounts.actor import Actor
from documents import extractions
from documents.extractions import running
from documents.models import Document, Extraction
from tests.documents.reading_rows import document_with
from tests.documents.test_reading import take_over_before_it_ends
from tests.scripted_model import MODEL, Reply, ScriptedModel, fails, says

pytestmark = [pytest.mark.django_db, pytest.mark.servers]


def queue(actor: Actor, **columns: Any) -> Extraction:
    document = document_with(actor.organization, ["Dear Ann"], user=actor.user)
    return Extraction.objects.create(
        document=document, number=1, reading=document.readings.get(), model=MODEL, **columns
    )


def test_the_organization_with_less_under_way_is_next_and_then_the_oldest(actor: Actor, stranger: Actor) -> None:
    queue(actor, status="running")
    first, second, other = queue(actor), queue(actor), queue(stranger)
    assert list(running.list_runnable()) == [other, first, second]


def test_a_run_whose_time_has_not_come_or_whose_document_lies_in_the_trash_is_not_next(actor: Actor) -> None:
    now = timezone.now()
    queue(actor, lease_until=now + timedelta(minutes=1))
    due, trashed = queue(actor, lease_until=now - timedelta(seconds=1)), queue(actor)
    Document.objects.filter(pk=trashed.document_id).update(trashed_at=now)
    assert list(running.list_runnable()) == [due]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("reply", [says("A letter."), fails(401)], ids=["answered", "failed"])
def test_a_run_that_was_taken_over_is_not_ended_by_the_late_worker(
    actor: Actor, scripted_model: ScriptedModel, reply: Reply
) -> None:
    run = queue(actor)
    scripted_model.will(reply)
    with connection.execute_wrapper(take_over_before_it_ends(run)):
        assert extractions.run_next(holder="late")
    run.refresh_from_db()
    assert (run.status, run.finished_at, run.current) == ("running", None, None)


def test_a_run_that_was_taken_over_keeps_no_other_in_the_sweep(actor: Actor) -> None:
    past = timezone.now() - timedelta(minutes=1)
    columns = {"status": "running", "attempt": running.MAX_ATTEMPTS - 1}
    first = queue(actor, lease_until=past, **columns)
    second = queue(actor, lease_until=past + timedelta(seconds=1), **columns)
    with connection.execute_wrapper(take_over_before_it_ends(first)):
        assert extractions.requeue_lost_extractions() == 2
    assert [Extraction.objects.get(pk=run.pk).status for run in (first, second)] == ["running", "failed"]

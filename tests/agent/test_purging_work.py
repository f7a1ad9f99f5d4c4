"""Purging a document on which work is under way, and what stands elsewhere of it."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from agent import feed
from agent.conversation import deletion, old_events, threads
from agent.models import Event, Thread, ToolCall, Turn
from documents import document_changes, extractions
from documents.models import (
    AutoSetup,
    Document,
    Extraction,
    Proposal,
    Reading,
)
from documents.reading import lanes, slices
from documents.retention import trash
from kit.leases import LeaseLost
from tests.agent.purging_rows import delete_for_good, purge, put, talk_about

pytestmark = [pytest.mark.django_db, pytest.mark.servers]


# What is under way


def test_a_run_under_way_is_called_off_and_what_it_brings_is_dropped(actor):
    document = put(actor)
    Reading.objects.update(status="completed", page_count=0)
    run = extractions.start(actor, document=document)
    Extraction.objects.filter(pk=run.pk).update(status="running", fence=1, lease_until=timezone.now())
    run.refresh_from_db()
    delete_for_good(actor, document)
    purge()
    assert not Document.objects.exists()
    with pytest.raises(LeaseLost):
        extractions.running._fail(run, "Too late.")


def test_a_reading_under_way_is_dropped(actor):
    document = put(actor)
    claimed = lanes.claim_next(lanes.Lane.TEXTS)
    delete_for_good(actor, document)
    purge()
    with pytest.raises(LeaseLost):
        slices._count_pages(claimed, Path(__file__), [])


def test_a_turn_that_is_driven_is_asked_to_stop_and_waited_for(actor):
    document, other = put(actor), put(actor, name="b.txt")
    call = talk_about(actor, document, "Hello.")
    Turn.objects.update(status="running", lease_until=timezone.now() + timedelta(minutes=1))
    delete_for_good(actor, document)
    delete_for_good(actor, other)
    assert deletion.run_once() == 1
    assert list(Document.objects.all()) == [document]
    assert Turn.objects.get().cancel_requested_at is not None
    Turn.objects.update(status="cancelled")
    purge()
    assert not Document.objects.exists() and not ToolCall.objects.filter(pk=call.pk).exists()


def test_a_call_that_runs_is_waited_for(actor):
    document = put(actor)
    call = talk_about(actor, document, "Hello.", status="executing", lease_until=timezone.now())
    Turn.objects.update(status="awaiting_approval")
    delete_for_good(actor, document)
    assert not deletion.run_once()
    assert Turn.objects.get().cancel_requested_at is not None
    ToolCall.objects.filter(pk=call.pk).update(status="succeeded")
    assert deletion.run_once() == 1


def test_a_call_that_outlived_its_turn_is_waited_for(actor):
    document = put(actor)
    call = talk_about(actor, document, "Hello.", status="executing", lease_until=timezone.now())
    delete_for_good(actor, document)
    assert not deletion.run_once()
    ToolCall.objects.filter(pk=call.pk).update(status="failed")
    assert deletion.run_once() == 1


def test_cards_and_turns_that_wait_go_with_it(actor):
    document = put(actor)
    talk_about(actor, document, "Hello.", status="pending")
    Turn.objects.update(status="awaiting_approval")
    delete_for_good(actor, document)
    assert deletion.run_once() == 1
    assert not ToolCall.objects.exists()


# What refers to it


@pytest.mark.parametrize("status", ["pending", "approved"])
def test_a_call_on_it_in_another_thread_that_has_not_begun_is_withdrawn(actor, status):
    document = put(actor)
    named = {"document_id": document.pk}
    call = talk_about(actor, None, "Rename it?", tool="update_document", status=status, effective=named)
    Turn.objects.update(status="awaiting_approval", round=1)
    delete_for_good(actor, document)
    purge()
    call.refresh_from_db()
    assert (call.status, call.turn.status) == ("cancelled", "queued")  # the model is told, and goes on


def test_a_call_of_another_thread_that_runs_is_waited_for(actor):
    document = put(actor)
    named = {"document_id": document.pk}
    call = talk_about(actor, None, "Rename it.", tool="update_document", status="executing", effective=named)
    delete_for_good(actor, document)
    assert not deletion.run_once()
    ToolCall.objects.filter(pk=call.pk).update(status="failed", result={"error": "Document not found"})
    assert deletion.run_once() == 1


@pytest.mark.parametrize("status", ["succeeded", "in_doubt"])
def test_calls_of_other_threads_keep_its_id_and_nothing_else(actor, status):
    document, other = put(actor, name="secret.txt"), put(actor, name="open.txt")
    listed = {"documents": [{"document_id": each.pk, "document_name": each.name} for each in (document, other)]}
    listing = talk_about(actor, None, "Here they are.", tool="list_documents", result=listed)
    changed = {"document_id": document.pk, "document_name": "secret.txt"}
    renaming = talk_about(
        actor,
        other,
        "Done.",
        tool="update_document",
        status=status,
        proposed_text=str(changed),
        proposed=changed,
        effective=changed,
        result={**changed, "changed": ["document_name"]},
        preview={"title": "Rename secret.txt"},
        inverse={"service": "uploads.update", "arguments": {**changed}},
    )
    delete_for_good(actor, document)
    purge()
    listing.refresh_from_db()
    renaming.refresh_from_db()
    assert listing.result == {"documents": [{"document_id": document.pk}, listed["documents"][1]]}
    assert renaming.result == renaming.effective == renaming.proposed == {"document_id": document.pk}
    assert "secret" not in f"{renaming.preview}{renaming.proposed_text}{renaming.inverse}"


def test_the_oldest_of_the_same_bytes_takes_the_place_of_the_one_that_goes(actor):
    first, second, third = (put(actor, name=f"{n}.txt") for n in range(3))
    delete_for_good(actor, first)
    purge()
    second.refresh_from_db()
    third.refresh_from_db()
    assert (second.duplicate_of, third.duplicate_of) == (None, second)


@pytest.fixture
def group(actor, organization):
    """A proposal that waits for a decision, of two documents."""
    documents = [put(actor, name=f"{n}.txt", content=str(n).encode(), auto_setup=True) for n in range(2)]
    proposal = Proposal.objects.create(organization=organization, status="proposed", lead=documents[0])
    AutoSetup.objects.update(status="proposed", proposal=proposal)
    return proposal, documents


def test_a_proposal_goes_on_with_the_next_document_of_its_group(actor, group):
    proposal, (lead, other) = group
    delete_for_good(actor, lead)
    purge()
    proposal.refresh_from_db()
    assert (proposal.status, proposal.lead) == ("proposed", other)


def test_a_proposal_ends_with_its_last_document(actor, group):
    proposal, documents = group
    for document in documents:
        delete_for_good(actor, document)
    purge()
    proposal.refresh_from_db()
    assert (proposal.status, proposal.reason) == ("rejected", "Its document was deleted for good.")


def test_a_proposal_that_is_being_made_is_waited_for(actor, group):
    _, (lead, _) = group
    Proposal.objects.update(status="designing")
    delete_for_good(actor, lead)
    assert not deletion.run_once()
    assert Document.objects.filter(pk=lead.pk).exists()
    Proposal.objects.update(status="failed")
    assert deletion.run_once() == 1


# The feed of threads


def old_event(thread, days=31):
    feed.append(thread.pk, "thread.changed", title="x")
    Event.objects.filter(thread=thread).update(created_at=timezone.now() - timedelta(days=days))


def test_old_events_go_but_for_the_newest_of_a_thread(actor, settings):
    settings.EVENT_DAYS = 30
    thread, young, live = threads.create(actor), threads.create(actor), talk_about(actor, None, "Hello.").thread
    Turn.objects.update(status="paused")
    for each, days in ((thread, 31), (thread, 31), (young, 29), (young, 29), (live, 31)):
        old_event(each, days)
    assert old_events.delete_old() == 1
    assert [event.seq for event in thread.events.all()] == [2]
    assert (young.events.count(), live.events.count()) == (2, 2)


def test_old_events_go_in_slices(actor):
    thread = threads.create(actor)
    Event.objects.bulk_create(Event(thread=thread, seq=seq, kind="x") for seq in range(1, 451))
    Thread.objects.filter(pk=thread.pk).update(last_seq=450)
    Event.objects.update(created_at=timezone.now() - timedelta(days=400))
    assert old_events.delete_old() == 449


def test_a_document_that_was_trashed_again_has_its_days_before_it(actor):
    document = put(actor)
    document_changes.trash(actor, document=document)
    trash._expire(document.pk)  # it was listed when its first days were over
    assert Document.objects.in_trash().get() == document

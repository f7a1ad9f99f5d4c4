"""Deleting for good: what is gone, what stays, and what happens to work that is under way."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from django.apps import apps
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import connection
from django.utils import timezone

from accounts.models import AuditEntry, Role
from agent import feed
from agent.conversation import deletion, old_events, threads
from agent.models import Decision, Event, Message, Rule, Thread, ThreadSummary, ToolCall, Turn
from documents import document_changes, extractions
from documents.intake import uploads
from documents.models import (
    AutoSetup,
    Document,
    Extraction,
    FieldEdit,
    MetadataPair,
    Page,
    Proposal,
    Reading,
    Sketch,
    Verification,
)
from documents.reading import lanes, pages, picture_caches, reading, slices
from documents.retention import trash
from kit.errors import Conflict, Denied
from kit.leases import LeaseLost
from kit.processes import remains
from tests import rows

CANARY = "Zaunkönig4711"
pytestmark = pytest.mark.django_db


def put(actor, name="a.txt", content=b"Total 12.50", **extra):
    return uploads.store(actor, name=name, content=ContentFile(content, name=name), **extra)


def delete_for_good(actor, document):
    if document.trashed_at is None:
        document_changes.trash(actor, document=document)
    trash.delete_for_good(actor, document=document)


def purge(maximum=10):
    for _ in range(maximum):
        if not Document.objects.to_purge().exists():
            return
        deletion.run_once()


def in_trash_for(document, days):
    Document.objects.filter(pk=document.pk).update(trashed_at=timezone.now() - timedelta(days=days))


def talk_about(actor, document, text, **call):
    thread = threads.create(actor, document=document, title=text)
    turn = Turn.objects.create(
        thread=thread,
        number=1,
        status="completed",
        model="offline/rules",
        max_rounds=1,
        limit_micros=1,
        partial_text=text,
        code_version="test",
    )
    block = [{"type": "text", "text": text}]
    message = Message.objects.create(thread=thread, turn=turn, number=1, role="assistant", blocks=block)
    feed.append(thread.pk, "thread.changed", title=text)
    ThreadSummary.objects.create(thread=thread, turn=turn, upto=1, text=text, tokens_before=2, tokens_after=1)
    return ToolCall.objects.create(
        **{
            "thread": thread,
            "turn": turn,
            "message": message,
            "round": 1,
            "position": 0,
            "wire_id": "abcdefgh1",
            "tool": "get_ocr_text",
            "status": "succeeded",
            "result": {"text": text},
            **call,
        }
    )


# What is gone


def tables_with(text):
    """The tables in which a row holds this text, by the database's own words."""
    sqlite = connection.vendor == "sqlite"
    with connection.cursor() as cursor:
        for model in apps.get_models(include_auto_created=True):
            table = model._meta.db_table
            for field in model._meta.local_concrete_fields:
                column = f'CAST("{field.column}" AS TEXT)'
                cursor.execute(f'SELECT COUNT(*) FROM "{table}" WHERE {column} LIKE %s', [f"%{text}%"])
                if cursor.fetchone()[0]:
                    yield f"{table}.{field.column}"
    assert sqlite or connection.vendor == "postgresql"


def files_with(*texts):
    """The files of DATA_DIR and of the database in which one of the texts stands, in any encoding that we store."""
    patterns = [text.encode() for text in texts]
    patterns += [text.encode("unicode_escape") for text in texts]
    database = Path(connection.settings_dict["NAME"])
    folders = [Path(default_storage.location), picture_caches.get_folder()]
    paths = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    if connection.vendor == "sqlite":
        paths += database.parent.glob(f"{database.name}*")
    return [path for path in paths if any(text in path.read_bytes() for text in patterns)]


@pytest.mark.django_db(transaction=True)
def test_nothing_of_a_document_is_left_in_any_table_or_file(actor):
    other = put(actor, content=b"of another document")
    document = put(actor, name=f"{CANARY}.txt", content=f"Total {CANARY}".encode(), metadata={"who": CANARY})
    while reading.read_next(holder="test"):
        pass
    run = Extraction.objects.create(
        document=document,
        number=1,
        reading=document.readings.get(),
        status="completed",
        model="offline/rules",
        raw=CANARY,
        result={"who": CANARY},
        current={"who": CANARY},
        provenance={"who": {"text": CANARY}},
    )
    FieldEdit.objects.create(extraction=run, number=1, where="who", old="", new=CANARY, origin="person")
    page = document.readings.get().pages.select_related("reading__document").get()
    picture, as_pdf = pages.draw_image(page, 160), pages.draw_pdf(document)
    talk_about(actor, document, f"It says {CANARY}.")
    talk_about(
        actor,
        None,
        "Here they are.",
        tool="list_documents",
        result={"documents": [{"document_id": document.pk, "document_name": f"{CANARY}.txt"}]},
    )
    assert list(tables_with(CANARY)) and files_with(CANARY)
    picture_bytes = picture.read_bytes()

    delete_for_good(actor, document)
    purge()
    assert remains.overwrite()

    assert not list(tables_with(CANARY))
    # Who did what with it stays, and what it cost, by its id alone.
    assert {where.partition(".")[0] for where in tables_with(document.pk)} == {"accounts_auditentry", "agent_toolcall"}
    assert not files_with(CANARY)
    assert not picture.exists() and not as_pdf.exists() and not default_storage.exists(document.file.name)
    assert not any(path.read_bytes() == picture_bytes for path in picture_caches.get_folder().rglob("*.webp"))
    assert default_storage.exists(other.file.name) and Document.objects.get() == other


def test_it_takes_every_row_of_the_document_and_no_row_of_another(actor):
    others, own = rows.one_of_each(actor), rows.one_of_each(actor)
    document = own[Document]
    Turn.objects.filter(thread__document=document).update(status="completed")
    Proposal.objects.filter(lead=document).update(status="accepted")
    delete_for_good(actor, document)
    purge()
    gone = {model for model, row in own.items() if not model.objects.filter(pk=row.pk).exists()}
    of_document = {Document, MetadataPair, Reading, Page, Sketch, AutoSetup, Extraction, FieldEdit, Verification}
    of_thread = {Thread, Turn, Message, ToolCall, Decision, Event, ThreadSummary}
    assert gone - {Rule} == of_document | of_thread
    assert all(model.objects.filter(pk=row.pk).exists() for model, row in others.items())


def test_it_deletes_a_slice_at_a_time_and_goes_on_where_it_stopped(actor, django_assert_max_num_queries):
    document = put(actor)
    document_reading = document.readings.get()
    document_reading.pages.bulk_create(
        document_reading.pages.model(reading=document_reading, number=n, width=1, height=1, engine="x", words=b"")
        for n in range(450)
    )
    delete_for_good(actor, document)
    left = []
    while Document.objects.filter(pk=document.pk).exists():
        with django_assert_max_num_queries(60):
            deletion.run_once(max_rows=200)
        left.append(Reading.objects.filter(pk=document_reading.pk).exists() and document_reading.pages.count())
    assert left[:3] == [250, 50, 0]


def test_a_file_that_went_before_its_rows_is_no_hindrance(actor):
    document = put(actor)
    delete_for_good(actor, document)
    default_storage.delete(document.file.name)
    purge()
    assert not Document.objects.exists()


# Who may, and when


def test_only_an_admin_deletes_for_good_and_only_from_the_trash(actor, member):
    document = put(actor)
    with pytest.raises(Conflict, match="not in the trash"):
        trash.delete_for_good(actor, document=document)
    document_changes.trash(actor, document=document)
    with pytest.raises(Denied, match="admin"):
        trash.delete_for_good(member(Role.BUILDER), document=document)
    with pytest.raises(Denied):
        trash.empty_trash(member(Role.BUILDER))
    assert list(trash.list_trash(actor)) == [document]


def test_what_is_being_deleted_cannot_be_restored(actor):
    document = put(actor)
    delete_for_good(actor, document)
    with pytest.raises(Conflict):
        document_changes.restore(actor, document=document)
    with pytest.raises(Conflict):
        trash.delete_for_good(actor, document=document)
    assert not trash.list_trash(actor).exists()


def test_emptying_takes_the_trash_of_the_organization_alone(actor, stranger):
    mine, untrashed, other = put(actor), put(actor, name="b.txt"), put(stranger)
    document_changes.trash(actor, document=mine)
    document_changes.trash(stranger, document=other)
    assert trash.empty_trash(actor) == 1
    purge()
    assert set(Document.objects.all()) == {untrashed, other}
    entry = AuditEntry.objects.get(action="deleted for good")
    assert (entry.target_id, entry.user, entry.detail) == (mine.pk, actor.user, {"size": 11})


def test_the_trash_empties_itself_after_its_days(actor, settings):
    settings.TRASH_DAYS = 30
    old, young, back = (put(actor, name=f"{n}.txt") for n in range(3))
    for document in (old, young, back):
        document_changes.trash(actor, document=document)
    for document, days in ((old, 31), (young, 29), (back, 31)):
        in_trash_for(document, days)
    document_changes.restore(actor, document=Document.objects.get(pk=back.pk))
    deletion.run_once()
    assert set(Document.objects.all()) == {young, back}
    entry = AuditEntry.objects.get(action="deleted for good")
    assert (entry.user, entry.origin, entry.organization) == (None, "system", actor.organization)


def test_a_trash_without_days_waits_for_a_person(actor, settings):
    settings.TRASH_DAYS = 0
    document, thread = put(actor), threads.create(actor)
    document_changes.trash(actor, document=document)
    threads.trash(actor, thread=thread)
    in_trash_for(document, 4000)
    Thread.objects.update(trashed_at=timezone.now() - timedelta(days=4000))
    deletion.run_once()
    assert Document.objects.exists() and Thread.objects.exists()


def test_a_thread_in_the_trash_goes_after_its_days(actor, settings):
    settings.TRASH_DAYS = 30
    call = talk_about(actor, None, "Hello.")
    newer = talk_about(actor, None, "Hello.")
    for each, days in ((call, 31), (newer, 29)):
        threads.trash(actor, thread=each.thread)
        Thread.objects.filter(pk=each.thread_id).update(trashed_at=timezone.now() - timedelta(days=days))
    deletion.run_once()
    assert list(Thread.objects.all()) == [newer.thread] and list(ToolCall.objects.all()) == [newer]


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
        slices._count_pages(claimed, Path(__file__))


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

"""Deleting for good: what is gone, what stays, and what happens to work that is under way."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from django.apps import apps
from django.core.files.storage import default_storage, storages
from django.db import connection
from django.utils import timezone

from accounts.models import AuditEntry, Role
from agent.conversation import deletion, threads
from agent.models import (
    Citation,
    Decision,
    Event,
    FocusItem,
    McpClient,
    McpRequest,
    Message,
    ReadingAlias,
    Rule,
    ScopeCheck,
    ScopeProfile,
    StandingWish,
    Thread,
    ThreadSummary,
    ToolCall,
    Turn,
)
from documents import document_changes
from documents.index.words.indexing import index_document
from documents.models import (
    AutoSetup,
    BulkItem,
    CondensedReading,
    CurrentValue,
    Document,
    DuplicateKey,
    Extraction,
    FieldEdit,
    FileChunk,
    HeldRun,
    IndexedPage,
    MetadataPair,
    Page,
    PageChunk,
    PaperMark,
    Proposal,
    ProposalSibling,
    Reading,
    ResultFile,
    Sketch,
    StoredComparison,
    TypeDecision,
    Verification,
)
from documents.reading import derived_files, pages, reading
from documents.retention import trash
from documents.storage.stored_files import DERIVED
from kit.errors import Conflict, Denied
from kit.processes import remains
from tests import rows
from tests.agent.purging_rows import delete_for_good, purge, put, talk_about

pytestmark = [pytest.mark.django_db, pytest.mark.servers]


CANARY = "Zaunkönig4711"
INDEXED = "zaunkonig4711"


def in_trash_for(document, days):
    Document.objects.filter(pk=document.pk).update(trashed_at=timezone.now() - timedelta(days=days))


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
    folders = [Path(storages[alias].location) for alias in ("default", "derived")]
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
    index_document(document)
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
    with picture, as_pdf:
        picture_bytes = picture.read()

    delete_for_good(actor, document)
    purge()
    assert remains.overwrite()

    assert not list(tables_with(CANARY))
    # Who did what with it stays, and what it cost, by its id alone.
    assert {where.partition(".")[0] for where in tables_with(document.pk)} == {"accounts_auditentry", "agent_toolcall"}
    assert not files_with(CANARY, INDEXED)
    assert not DERIVED.exists(derived_files.get_pdf_key(document.pk)) and not default_storage.exists(document.file.name)
    assert not any(path.read_bytes() == picture_bytes for path in Path(storages["derived"].location).rglob("*.webp"))
    assert default_storage.exists(other.file.name) and Document.objects.get() == other


def test_it_takes_every_row_of_the_document_and_no_row_of_another(actor):
    others, own = rows.one_of_each(actor), rows.one_of_each(actor)
    document = own[Document]
    Turn.objects.filter(thread__document=document).update(status="completed")
    Proposal.objects.filter(lead=document).update(status="accepted")
    delete_for_good(actor, document)
    purge()
    gone = {model for model, row in own.items() if not model.objects.filter(pk=row.pk).exists()}
    of_extraction = {Extraction, FieldEdit, Verification, DuplicateKey, CurrentValue}
    of_document = {
        Document,
        MetadataPair,
        BulkItem,
        ResultFile,
        Reading,
        Page,
        PageChunk,
        FileChunk,
        IndexedPage,
        CondensedReading,
        StoredComparison,
    }
    of_document |= {PaperMark, Sketch, TypeDecision, HeldRun, AutoSetup, ProposalSibling, *of_extraction}
    of_thread = {Thread, Turn, Message, ToolCall, Decision, Event, StandingWish, ThreadSummary, FocusItem}
    of_thread |= {McpClient, McpRequest, ScopeCheck, ScopeProfile, ReadingAlias, Citation}
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
        with django_assert_max_num_queries(100):
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

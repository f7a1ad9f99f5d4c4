"""Who waits for whom on PostgreSQL: two who touch the same proposal both end."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from time import monotonic, sleep

import pytest
from django.core.files.base import ContentFile
from django.db import connection, transaction
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import AccessToken
from accounts.services import organizations, tokens, users
from agent.calls import decisions, execution, plans, undo
from agent.conversation import threads
from agent.models import ToolCall
from documents import document_changes
from documents.autosetup import proposals
from documents.autosetup.refining import set_current_run
from documents.bulk.result_files import Writing
from documents.definitions import prompts, schemas, tags
from documents.extractions import post_read_triggers
from documents.intake import uploads
from documents.models import (
    BULK_LEASE,
    AutoSetup,
    BulkAction,
    Document,
    Extraction,
    Proposal,
    Reading,
    ResultFile,
    Schema,
    SchemaRevision,
    Tag,
)
from documents.retention import purging
from kit.errors import Invalid
from tests.agent.conftest import propose_all
from tests.agent.decision_rows import say
from tests.documents.bulk.bulk_rows import ask, make_documents
from tests.documents.proposal_rows import group_of, now, propose, response_format
from tests.documents.reading_rows import add_reading

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]
WAITING = """
    SELECT count(DISTINCT pid) FROM pg_locks WHERE NOT granted AND pid IN (
        SELECT pid FROM pg_locks JOIN pg_database ON pg_database.oid = database WHERE datname = current_database()
    )
"""


def aside(pool: ThreadPoolExecutor, work: Callable[[], object]) -> Future[object]:
    """Begins the work and comes back when it waits for a lock, or has ended."""
    before = waiting()

    def alone() -> object:
        try:
            return work()
        finally:
            connection.close()

    begun, deadline = pool.submit(alone), monotonic() + 120
    while waiting() == before and not begun.done() and monotonic() < deadline:
        sleep(0.01)
    return begun


def waiting() -> int:
    """How many connections to this database wait for a lock: other tests run on the same server."""
    with connection.cursor() as cursor:
        cursor.execute(WAITING)
        return int(cursor.fetchone()[0])


def approved(actor: Actor, document: Document) -> ToolCall:
    """A change of the proposed schema, asked for in chat and approved."""
    thread = threads.create(actor, document=document)
    arguments = {"schema_id": Schema.objects.get().pk, "response_format": response_format("total", "tax")}
    (call,) = propose_all(thread, ("update_schema", arguments))
    say(actor, call)
    return call


def revoke_it(actor: Actor) -> None:
    tokens.revoke(actor.user, token=AccessToken.objects.get(name="stolen"))


def close_its_organization(actor: Actor) -> None:
    organizations.close(actor)


def delete_its_user(actor: Actor) -> None:
    users.create(None, email="root@acme.example", password=None, is_superuser=True)
    users.delete(actor.user, user=actor.user)


@pytest.mark.parametrize("decide", ["accept", "reject"])
def test_a_decision_waits_for_a_refinement_that_runs(actor: Actor, decide: str) -> None:
    lead = group_of(actor, 1)[0]
    propose(actor, lead)
    call = approved(actor, lead.document)
    with ThreadPoolExecutor(2) as pool:
        with transaction.atomic():  # whoever needs the schema stands still in the middle of their work
            Schema.objects.select_for_update().get()
            refined = aside(pool, lambda: execution.execute(call.pk, holder="test"))
            decided = aside(pool, lambda: getattr(proposals, decide)(actor, proposal=Proposal.objects.get()))
            assert waiting() == 2
        refined.result(), decided.result()
    call.refresh_from_db()
    assert (call.status, Proposal.objects.get().status) == ("succeeded", f"{decide}ed")
    newest = SchemaRevision.objects.latest("number")
    assert (newest.number, newest.status) == (2, f"{decide}ed")


def test_a_decision_waits_for_a_refinement_that_is_taken_back(actor: Actor) -> None:
    lead = group_of(actor, 1)[0]
    propose(actor, lead)
    call = approved(actor, lead.document)
    execution.execute(call.pk, holder="test")
    call.refresh_from_db()
    with ThreadPoolExecutor(2) as pool:
        with transaction.atomic():
            Schema.objects.select_for_update().get()
            undone = aside(pool, lambda: undo.undo_call(actor, call=call, idempotency_key="click"))
            decided = aside(pool, lambda: proposals.accept(actor, proposal=Proposal.objects.get()))
            assert waiting() == 2
        undone.result(), decided.result()
    assert Schema.objects.get().latest == SchemaRevision.objects.get(number=3)


def test_taking_a_document_out_waits_for_a_run_of_it_that_is_stored(actor: Actor) -> None:
    members = group_of(actor, 2)
    propose(actor, members[0])
    run = Extraction.objects.get(document=members[0].document)
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            Document.objects.select_for_update().get(pk=members[0].document_id)
            taken = aside(pool, lambda: proposals.remove_member(actor, setup=now(members[0])))
            assert waiting() == 1
            set_current_run(run)
        taken.result()
    assert AutoSetup.objects.get(pk=members[0].pk).status == "rejected"


def test_prompts_of_a_reading_wait_while_its_words_are_indexed(actor: Actor) -> None:
    reading = add_reading(uploads.store(actor, name="a.txt", content=ContentFile(b"a")), ["a"])
    Reading.objects.update(prompts_started_at=None)
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            Document.objects.select_for_update(no_key=True).get()
            triggered = aside(pool, post_read_triggers.trigger_prompts)
            assert waiting() == 1
            Reading.objects.update(indexing="done")
        assert triggered.result() == 1
    reading.refresh_from_db()
    assert reading.prompts_started_at and reading.indexing == "done"


def test_who_deletes_a_tag_waits_for_who_gives_it(actor: Actor) -> None:
    tag = tags.create(actor, name="Bill")
    document = uploads.store(actor, name="a.txt", content=ContentFile(b"a"))
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            document_changes.update(actor, document=document, tag_ids=[tag.pk])
            deleted = aside(pool, lambda: tags.delete(actor, tag=Tag.objects.get()))
            assert waiting() == 1
        with pytest.raises(Invalid, match="assigned to one or more documents"):
            deleted.result()
    assert document.tags.get() == tag


def test_who_deletes_a_schema_waits_for_a_prompt_that_takes_it(actor: Actor) -> None:
    schema = schemas.create(actor, name="Invoice", response_format=response_format("total"))
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            prompts.create(actor, name="Read", content="Read it.", schema_revision=schema)
            deleted = aside(pool, lambda: schemas.trash(actor, head=Schema.objects.get()))
            assert waiting() == 1
        with pytest.raises(Invalid, match="is used by the prompt “Read”"):
            deleted.result()
    assert Schema.objects.get().trashed_at is None


@pytest.mark.parametrize("end", [revoke_it, close_its_organization, delete_its_user])
def test_a_token_that_makes_others_meanwhile_still_ends_with_all_of_them(
    actor: Actor, end: Callable[[Actor], None]
) -> None:
    maker, _ = tokens.create(actor.user, name="stolen", organization=actor.organization)
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            tokens.create(actor.user, name="made", organization=actor.organization, made_by=maker)
            ended = aside(pool, lambda: end(actor))
            assert waiting() == 1
        ended.result()
    assert not AccessToken.objects.exists()


def test_a_step_is_tried_when_the_one_before_it_has_taken_effect(actor: Actor) -> None:
    thread = threads.set_mode(actor, thread=threads.create(actor), mode="plan")
    first, second = propose_all(thread, ("create_tag", {"name": "Paid"}), ("create_tag", {"name": "Open"}))
    with transaction.atomic():
        plans.publish_cards(first.turn)
    first.refresh_from_db()
    say(actor, first)
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():  # the step has run, and its end is not seen by others yet
            execution.execute(first.pk, holder="test")
            edited = aside(
                pool, lambda: decisions.simulate_edit(actor, call=second, arguments={"name": "Unpaid"})[0].arguments
            )
        assert edited.result(10) == {"name": "Unpaid"}


def test_a_document_that_is_deleted_while_a_file_of_results_is_named_takes_it_along(actor: Actor) -> None:
    (document,) = make_documents(actor, 1)
    action = ask(actor, "download", [document], content="results", format="csv")
    BulkAction.objects.filter(pk=action.pk).update(status=BulkAction.Status.QUEUED, finished_at=None)
    action.refresh_from_db()
    assert BULK_LEASE.claim(action)
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():  # the documents are counted and the file is named, and others do not see it yet
            Writing(action).run()
            deleted = aside(pool, lambda: delete_for_good(document))
        deleted.result()
    assert not ResultFile.objects.exists()


def delete_for_good(document: Document) -> None:
    Document.objects.filter(pk=document.pk).update(purge_requested_at=timezone.now())
    purging.delete_files(document)

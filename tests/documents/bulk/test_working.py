"""The worker of bulk actions: each item once, whatever happens to who works on it."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from accounts.actor import Actor
from accounts.models import AuditEntry
from documents import bulk
from documents.bulk import retention, working
from documents.models import BULK_LEASE, BulkAction, BulkItem, Document, Tag
from tests.broken_rows import break_row
from tests.documents.bulk.bulk_rows import ask, list_reasons, make_documents, make_tag, work

pytestmark = pytest.mark.django_db


@pytest.fixture
def tag(actor: Actor) -> Tag:
    return make_tag(actor)


def begin(action: BulkAction, items: int) -> working._Slice:
    """A worker that has done so many items, and not more."""
    claimed = working._claim()
    assert claimed == action
    begun = working._Slice(claimed)
    for item in begun._list_next()[:items]:
        assert begun._process(item)
    return begun


def let_it_die(action: BulkAction) -> None:
    BulkAction.objects.filter(pk=action.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert working.requeue_lost_actions() == 1


def count_changes() -> int:
    return AuditEntry.objects.filter(action="changed", target_kind="document").count()


def test_what_a_dead_worker_had_done_is_not_done_again_and_the_rest_is_done(actor: Actor, tag: Tag) -> None:
    action = ask(actor, "tag", make_documents(actor, 5), tag_id=tag.pk)
    begin(action, 2)
    assert not bulk.run_next(holder="other")
    let_it_die(action)
    assert (work(action).status, action.done_count) == ("done", 5)
    assert count_changes() == 5 and Document.objects.filter(tags=tag).count() == 5


def test_an_action_over_which_worker_after_worker_dies_is_given_up(actor: Actor, tag: Tag) -> None:
    action = ask(actor, "tag", make_documents(actor, 3), tag_id=tag.pk)
    begin(action, 1)
    for _ in range(working.MAX_ATTEMPTS):
        let_it_die(action)
        working._claim()
    action.refresh_from_db()
    assert (action.status, action.reason) == ("failed", working.GIVEN_UP)
    assert (action.done_count, action.left_out_count) == (1, 2)


def test_a_worker_that_was_taken_for_dead_changes_nothing_more(actor: Actor, tag: Tag) -> None:
    action = ask(actor, "tag", make_documents(actor, 3), tag_id=tag.pk)
    late = begin(action, 1)
    item = late._list_next()[0]
    let_it_die(action)
    with pytest.raises(working.LeaseLost):
        late._process(item)
    assert count_changes() == 1
    assert work(action).done_count == 3 and count_changes() == 3


@pytest.mark.django_db(transaction=True)
def test_an_effect_is_undone_with_its_item_when_the_item_cannot_be_moved(actor: Actor, tag: Tag) -> None:
    action = ask(actor, "tag", make_documents(actor, 2), tag_id=tag.pk)
    second = action.items.order_by("pk").last()
    assert second is not None
    with break_row(second), connection.execute_wrapper(_let_the_settling_through(second)):
        work(action)
    assert list_reasons(action) == [("done", ""), ("failed", "error")]
    assert (action.done_count, action.failed_count) == (1, 1)
    assert Document.objects.filter(tags=tag).count() == count_changes() == 1


def _let_the_settling_through(item: BulkItem) -> Any:
    """The trigger would refuse the mark of the failure as well."""

    def execute(go_on: Any, sql: str, params: Any, *rest: Any) -> Any:
        if sql.startswith('UPDATE "documents_bulkitem"') and "failed" in (params or ()):
            go_on(DROP[connection.vendor], None, *rest)
            outcome = go_on(sql, params, *rest)
            go_on(AGAIN[connection.vendor], None, *rest)
            return outcome
        return go_on(sql, params, *rest)

    return execute


DROP = {
    "sqlite": "DROP TRIGGER broken_row",
    "postgresql": "DROP TRIGGER broken_row ON documents_bulkitem",
}
AGAIN = {
    "sqlite": "CREATE TRIGGER broken_row BEFORE UPDATE ON documents_bulkitem WHEN 0 BEGIN SELECT 1; END",
    "postgresql": "CREATE TRIGGER broken_row BEFORE UPDATE ON documents_bulkitem "
    "FOR EACH ROW WHEN (false) EXECUTE FUNCTION refuse_row()",
}


def test_a_stop_in_the_middle_keeps_what_was_done(actor: Actor, tag: Tag) -> None:
    action = ask(actor, "tag", make_documents(actor, 4), tag_id=tag.pk)
    begun = begin(action, 1)
    item = begun._list_next()[0]
    action.refresh_from_db()
    bulk.stop(actor, action=action)
    with pytest.raises(working.LeaseLost):
        begun._process(item)
    assert (action.status, action.done_count, action.left_out_count) == ("stopped", 1, 3)
    undo = work(bulk.undo(actor, action=action))
    assert undo.done_count == 1 and not Document.objects.filter(tags=tag).exists()


def test_a_start_after_a_crash_takes_actions_back_at_once(actor: Actor, tag: Tag) -> None:
    action = ask(actor, "tag", make_documents(actor, 2), tag_id=tag.pk)
    begin(action, 1)
    assert BULK_LEASE.void_all() == 1
    working.requeue_lost_actions()
    assert work(action).done_count == 2


def test_an_item_costs_the_same_however_many_there_are(actor: Actor, stranger: Actor) -> None:
    def count_queries(who: Actor, number: int) -> int:
        action = ask(who, "tag", make_documents(who, number), tag_id=make_tag(who).pk)
        with CaptureQueriesContext(connection) as queries:
            begin(action, number)
        return len(queries)

    few, many = count_queries(actor, 5), count_queries(stranger, 25)
    assert (many - few) / 20 < 18


def test_asking_costs_the_same_however_many_are_selected(actor: Actor, tag: Tag) -> None:
    def count_queries(number: int) -> int:
        documents = make_documents(actor, number)
        with CaptureQueriesContext(connection) as queries:
            ask(actor, "tag", documents, tag_id=tag.pk)
        return len(queries)

    assert count_queries(3) == count_queries(60) < 15


def test_the_pages_of_the_organization_are_told_of_the_action_and_not_of_each_document(
    actor: Actor, tag: Tag, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    action, began = ask(actor, "tag", make_documents(actor, 3), tag_id=tag.pk), time.monotonic()
    with django_capture_on_commit_callbacks() as messages:
        work(action)
    # On a slow machine how far it is, too.
    progress = int((time.monotonic() - began) / working.PROGRESS_SECONDS)
    pages_of_the_documents, end_of_the_action = 3, 2  # also whoever waits for it
    assert 0 <= len(messages) - pages_of_the_documents - end_of_the_action <= progress


def test_old_actions_are_deleted_with_their_items(actor: Actor, tag: Tag) -> None:
    old, fresh = (work(ask(actor, "tag", make_documents(actor, 2), tag_id=tag.pk)) for _ in range(2))
    long_ago = timezone.now() - timedelta(days=settings.EVENT_DAYS, hours=1)
    BulkAction.objects.filter(pk=old.pk).update(finished_at=long_ago)
    assert retention.delete_old() == 1
    assert list(BulkAction.objects.all()) == [fresh] and BulkItem.objects.count() == 2

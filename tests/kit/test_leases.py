"""The one lease, as each of its users declares it; on PostgreSQL with all that reaches the database."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from accounts.models import MAIL_LEASE, Organization, OutgoingMail, User
from agent.models import CALL_LEASE, TURN_LEASE, Message, Thread, ToolCall, Turn
from documents.models import (
    BULK_LEASE,
    EXTRACTION_LEASE,
    INDEXING_LEASE,
    READING_LEASE,
    UNPACKING_LEASE,
    BulkAction,
    Document,
    Extraction,
    Reading,
)
from kit.leases import Lease, LeaseLost, count_worked_ms
from kit.rows.fixed_update import update_row

pytestmark = [pytest.mark.django_db, pytest.mark.servers]
LEASES: list[Lease[Any]] = [READING_LEASE, EXTRACTION_LEASE, BULK_LEASE, TURN_LEASE, CALL_LEASE, MAIL_LEASE]
# A state in which each of them may end.
ENDS = {
    Reading: "failed",
    Extraction: "completed",
    BulkAction: "done",
    Turn: "failed",
    ToolCall: "succeeded",
    OutgoingMail: "sent",
}
Make = Callable[[], Any]


@pytest.fixture(params=LEASES, ids=lambda lease: lease.model.__name__)
def lease(request: pytest.FixtureRequest) -> Lease[Any]:
    return request.param  # type: ignore[no-any-return]


@pytest.fixture
def make(lease: Lease[Any]) -> Make:
    """A further row that waits to be claimed."""
    return lambda: make_waiting(lease.model)


def make_waiting(model: type[Any]) -> Any:
    if model is OutgoingMail:
        return model.objects.create(kind="password_reset", email="nia@acme.example")
    organization = Organization.objects.create(name=f"Acme {Organization.objects.count()}")
    if model is BulkAction:
        return BulkAction.objects.create(organization=organization, kind="trash")
    owner = User.objects.create(email=f"{organization.pk}@acme.example")
    document = Document.objects.create(
        organization=organization, name="a.txt", size=1, sha256="0", media_type="", file="a"
    )
    if model in (Reading, Extraction):
        return model.objects.create(document=document, number=1)
    thread = Thread.objects.create(organization=organization, document=document, owner=owner)
    turn = Turn.objects.create(thread=thread, number=1, model="m", max_rounds=1, limit_micros=1, code_version="0")
    if model is Turn:
        return turn
    message = Message.objects.create(thread=thread, turn=turn, number=1, role="assistant")
    about = {"thread": thread, "turn": turn, "message": message, "round": 1, "position": 0, "tool": "t"}
    return ToolCall.objects.create(**about, status="approved", wire_id="abcdefghi")


@pytest.fixture
def holder(lease: Lease[Any], make: Make) -> Any:
    """A row that was claimed: the instance of whoever claimed it."""
    row = make()
    assert lease.claim(row)
    return row


def reload(row: Any) -> Any:
    return type(row).objects.get(pk=row.pk)


def expire(row: Any) -> None:
    type(row).objects.filter(pk=row.pk).update(lease_until=timezone.now() - timedelta(seconds=1))


def state_of(row: Any) -> tuple[str, int, Any]:
    return row.status, row.fence, row.lease_until


def before_the_update(act: Callable[[], object]) -> Any:
    """Something that happens between what is read and the first UPDATE."""
    acts: Iterator[Callable[[], object]] = iter([act])

    def execute(go_on: Callable[..., Any], sql: str, *rest: Any) -> Any:
        if sql.startswith("UPDATE") and (next_act := next(acts, None)):
            next_act()
        return go_on(sql, *rest)

    return connection.execute_wrapper(execute)


def test_a_claim_raises_the_fence_and_begins_the_lease(lease: Lease[Any], make: Make) -> None:
    row, began = make(), timezone.now()
    assert lease.claim(row, attempt=1)
    assert state_of(row) == state_of(reload(row))
    assert (row.status, row.fence, row.attempt) == (lease.working, 1, 1)
    assert began + lease.duration <= row.lease_until <= timezone.now() + lease.duration


def test_a_claim_takes_nothing_that_another_claimed_or_that_was_claimed_in_between(
    lease: Lease[Any], holder: Any
) -> None:
    late = reload(holder)
    late.fence = 0
    assert not lease.claim(late)
    lease.release(holder)
    assert not lease.claim(late)
    assert state_of(reload(holder)) == (lease.waiting, 1, None)
    type(holder).objects.update(status=ENDS[lease.model])
    assert not lease.claim(reload(holder))


def test_a_holder_that_lives_renews_and_writes(lease: Lease[Any], holder: Any) -> None:
    expire(holder)
    assert lease.renew(holder, attempt=7)
    assert reload(holder).attempt == holder.attempt == 7
    assert reload(holder).lease_until == holder.lease_until > timezone.now()
    expire(holder)
    lease.lock(holder)
    assert reload(holder).lease_until > timezone.now()


def assert_it_can_write_nothing(lease: Lease[Any], late: Any) -> None:
    before = state_of(reload(late))
    assert not lease.renew(late, attempt=7)
    for write in (lease.lock, lease.release, lambda row: lease.finish(row, ENDS[lease.model])):
        with pytest.raises(LeaseLost):
            write(late)
    assert state_of(reload(late)) == before and reload(late).attempt == 0
    assert late.attempt == 0


def test_a_late_holder_renews_locks_and_finishes_nothing(lease: Lease[Any], holder: Any) -> None:
    expire(holder)
    present = lease.take_over(holder.pk)
    assert_it_can_write_nothing(lease, holder)
    lease.release(present)
    assert lease.claim(present)
    assert_it_can_write_nothing(lease, holder)


def test_a_holder_whose_row_was_ended_by_another_writes_nothing(lease: Lease[Any], holder: Any) -> None:
    lease.finish(reload(holder), ENDS[lease.model])
    assert_it_can_write_nothing(lease, holder)


def test_the_end_of_a_claim_ends_its_lease(lease: Lease[Any], holder: Any) -> None:
    lease.finish(holder, ENDS[lease.model], attempt=2)
    assert state_of(holder) == state_of(reload(holder)) == (ENDS[lease.model], 1, None)
    assert reload(holder).attempt == 2


def test_a_row_that_is_released_is_the_next_ones_at_once(lease: Lease[Any], holder: Any) -> None:
    lease.release(holder)
    assert lease.claim(reload(holder))
    assert state_of(reload(holder))[:2] == (lease.working, 2)


def test_it_refuses_an_end_that_the_table_does_not_know(lease: Lease[Any], holder: Any) -> None:
    with pytest.raises(ValueError, match=f"does not become {lease.working}"):
        lease.finish(holder, lease.working)


def test_what_is_lost_is_taken_over_once(lease: Lease[Any], holder: Any) -> None:
    expire(holder)
    first: list[Any] = []
    with before_the_update(lambda: first.append(lease.take_over(holder.pk))):
        assert lease.take_over(holder.pk) is None
    assert state_of(first[0]) == state_of(reload(holder)) == (lease.working, 2, reload(holder).lease_until)
    assert first[0].lease_until < timezone.now()


def test_a_holder_that_renews_while_it_is_taken_over_keeps_its_row(lease: Lease[Any], holder: Any) -> None:
    expire(holder)
    with before_the_update(lambda: lease.renew(holder)):
        assert lease.take_over(holder.pk) is None
    lease.finish(holder, ENDS[lease.model])


def test_nothing_is_taken_over_that_is_not_lost(lease: Lease[Any], holder: Any) -> None:
    assert lease.take_over(holder.pk) is None
    expire(holder)
    type(holder).objects.update(status=lease.waiting)
    assert lease.take_over(holder.pk) is None
    assert not lease.list_lost()


def test_it_lists_what_is_lost_the_longest_lost_first(lease: Lease[Any], make: Make, holder: Any) -> None:
    rows = [make(), make(), make()]
    for row in rows[:2]:
        lease.claim(row)
    expire(holder)
    expire(rows[0])
    assert [row.pk for row in lease.list_lost()] == [holder.pk, rows[0].pk]
    assert lease.list_working().count() == 3


def test_after_a_crash_every_lease_ends_and_no_other_time_to_wait(lease: Lease[Any], make: Make, holder: Any) -> None:
    waits = make()
    type(waits).objects.filter(pk=waits.pk).update(lease_until=timezone.now() + lease.duration)
    assert lease.void_all() == 1
    assert lease.void_all() == 0
    assert reload(waits).lease_until > timezone.now()
    assert lease.list_lost().get() == holder


def test_what_nobody_works_on_has_worked_no_longer_than_before() -> None:
    assert (
        count_worked_ms(Extraction(worked_ms=7))
        == count_worked_ms(Extraction(worked_ms=7, claimed_at=timezone.now()))
        == 7
    )


def test_a_fixed_update_writes_what_the_orm_would(lease: Lease[Any], make: Make) -> None:
    first, second = make(), make()
    values = {
        field.attname: {"ä": [1, None]} if "JSON" in type(field).__name__ else getattr(first, field.attname)
        for field in first._meta.concrete_fields
        if not (field.primary_key or field.is_relation)
    }
    values |= {"lease_until": timezone.now(), "status": "50% 'of'"}
    assert update_row(lease.model, values, where={"pk": first.pk}) == []
    lease.model.objects.filter(pk=second.pk).update(**values)
    first, second = reload(first), reload(second)
    assert [getattr(first, name) for name in values] == [getattr(second, name) for name in values]


def test_a_fixed_update_adds_to_what_is_there_and_answers_what_it_has_become(lease: Lease[Any], make: Make) -> None:
    row = make()
    now, read = timezone.now(), ("fence", "lease_until", "status")
    changes = {"fence__add": 3, "lease_until": now}
    assert update_row(lease.model, changes, where={"pk": row.pk}, read=read) == [row.fence + 3, now, row.status]
    assert update_row(lease.model, changes, where={"pk": row.pk, "fence": row.fence}, read=read) is None
    assert reload(row).fence == row.fence + 3


@pytest.mark.parametrize("lease", [INDEXING_LEASE, UNPACKING_LEASE], ids=lambda lease: lease.status)
def test_a_row_is_claimed_for_one_thing_whatever_else_is_done_with_it(lease: Lease[Any]) -> None:
    reading = make_waiting(Reading)
    row = reading if lease.model is Reading else reading.document
    type(row).objects.filter(pk=row.pk).update(**{lease.status: lease.waiting})
    holder, other = reload(row), reload(row)
    assert lease.claim(holder) and not lease.claim(other)
    assert READING_LEASE.claim(reload(reading)) and READING_LEASE.list_working().get() == reading
    assert not lease.list_lost() and lease.take_over(row.pk) is None
    type(row).objects.update(**{lease.lease_until: timezone.now()})
    present = lease.take_over(lease.list_lost().get().pk)
    with pytest.raises(LeaseLost):
        lease.finish(holder, "done")
    lease.finish(present, "done")
    assert getattr(reload(row), lease.status) == "done" and reload(reading).status == "reading"

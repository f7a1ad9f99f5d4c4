"""One bad row keeps no other waiting, and a holder that is late but alive keeps its work: in each sweep."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.db import connection
from django.db.models import Model
from django.utils import timezone

from accounts.actor import Actor
from agent.calls import execution
from agent.conversation import threads
from agent.models import ToolCall, Turn
from agent.toolkit.registry import Registry
from agent.turns import headless, sweep, turn_queue, turns
from documents import extractions
from documents.autosetup import auto_setup
from documents.extractions.post_read_triggers import trigger_prompts
from documents.intake import uploads
from documents.models import AutoSetup, Document, Extraction, Proposal, Reading, Reservation
from documents.reading import reading
from documents.reading.similarity import MAX_COMPARISONS
from documents.retention import trash
from llm.client import Quote
from llm.money import spending
from llm.money.spending import BudgetAccount
from tests.agent.conftest import propose_all
from tests.broken_rows import break_row
from tests.documents.proposal_rows import INVOICE, RECEIPT, group_of, make_auto_setup, make_completed_run, now, propose

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.servers]


def minutes_ago(minutes: int) -> Any:
    return timezone.now() - timedelta(minutes=minutes)


def create_lost_turns(actor: Actor) -> list[Turn]:
    started = [turns.start(actor, thread=threads.create(actor), text="Hi") for _ in range(2)]
    for at, turn in enumerate(started):
        assert turn_queue.claim_turn(turn.pk)
        Turn.objects.filter(pk=turn.pk).update(lease_until=minutes_ago(9 - at))
    return started


def create_lost_calls(actor: Actor) -> list[ToolCall]:
    calls = [propose_all(threads.create(actor), ("look", {"word": "x"}))[0] for _ in range(2)]
    for at, call in enumerate(calls):
        assert execution.claim_call(call.pk)
        ToolCall.objects.filter(pk=call.pk).update(lease_until=minutes_ago(9 - at))
    return calls


def late_cards(actor: Actor) -> list[ToolCall]:
    cards = [propose_all(threads.create(actor), ("note", {"text": "x"}))[0] for _ in range(2)]
    for at, card in enumerate(cards):
        ToolCall.objects.filter(pk=card.pk).update(expires_at=minutes_ago(9 - at))
    return cards


def create_finished_rounds(actor: Actor) -> list[Turn]:
    calls = [propose_all(threads.create(actor), ("look", {"word": "x"}))[0] for _ in range(2)]
    ToolCall.objects.update(status="succeeded")
    return [call.turn for call in calls]


def store(actor: Actor, name: str) -> Document:
    return uploads.store(actor, name=name, content=ContentFile(b"Total 12.50", name=name))


def create_lost_readings(actor: Actor) -> list[Reading]:
    documents = [store(actor, name) for name in ("a.txt", "b.txt")]
    for at, document in enumerate(documents):
        rows = Reading.objects.filter(document=document)
        rows.update(status="reading", fence=1, lease_until=minutes_ago(9 - at))
    return [document.readings.get() for document in documents]


def read_documents(actor: Actor) -> list[Reading]:
    documents = [store(actor, name) for name in ("a.txt", "b.txt")]
    while reading.read_next(holder="test"):
        pass
    return [document.readings.get() for document in documents]


def create_lost_runs(actor: Actor) -> list[Extraction]:
    runs = [extractions.start(actor, document=each.document) for each in read_documents(actor)]
    for at, run in enumerate(runs):
        Extraction.objects.filter(pk=run.pk).update(status="running", fence=1, lease_until=minutes_ago(9 - at))
    return runs


def without_groups(actor: Actor) -> list[AutoSetup]:
    return [
        make_auto_setup(actor, INVOICE.format(n=1, who="Acme")),
        make_auto_setup(actor, RECEIPT.format(n=1, who="Shop")),
    ]


def create_ended_members(actor: Actor) -> list[AutoSetup]:
    lead, *others = group_of(actor)
    prompt = propose(actor, lead).prompt_revision
    for each in others:
        run = make_completed_run(each.document, prompt)
        Extraction.objects.filter(pk=run.pk).update(finished_at=timezone.now())
        AutoSetup.objects.filter(pk=each.pk).update(status="running", extraction=run)
    return others


def create_designing(actor: Actor) -> list[Proposal]:
    leads = without_groups(actor)
    auto_setup.assign_waiting()
    return [now(lead).proposal for lead in leads]


def create_expired_reservations(actor: Actor) -> list[Reservation]:
    account = BudgetAccount(actor.organization, "agent", "t1")
    reservations = [account.reserve(Quote("openai/x", 900), seconds=60).reservation for _ in range(2)]
    for at, hold in enumerate(reservations):
        Reservation.objects.filter(pk=hold.pk).update(expires_at=minutes_ago(9 - at))
    return reservations


def long_trashed(actor: Actor) -> list[Document]:
    documents = [store(actor, name) for name in ("a.txt", "b.txt")]
    for at, document in enumerate(documents):
        Document.objects.filter(pk=document.pk).update(trashed_at=minutes_ago(60 * 24 * 400 - at))
    return documents


def status_of(row: Model) -> Any:
    return type(row)._default_manager.values_list("status", flat=True).get(pk=row.pk)


def is_followed(row: Model) -> Any:
    return Reading.objects.get(pk=row.pk).prompts_started_at is not None


def has_group(row: Model) -> Any:
    return AutoSetup.objects.get(pk=row.pk).proposal_id is not None


def has_turn(row: Model) -> Any:
    return AutoSetup.objects.get(proposal=row.pk).turn_id != ""


def is_to_be_deleted(row: Model) -> Any:
    return Document.objects.to_purge().filter(pk=row.pk).exists()


@pytest.mark.parametrize(
    ("rows", "run", "what", "after"),
    [
        (create_lost_turns, sweep.run_once, status_of, "queued"),
        (create_lost_calls, sweep.run_once, status_of, "approved"),
        (late_cards, sweep.run_once, status_of, "expired"),
        (create_finished_rounds, sweep.run_once, status_of, "queued"),
        (create_lost_readings, reading.requeue_lost_readings, status_of, "queued"),
        (create_lost_runs, extractions.requeue_lost_extractions, status_of, "queued"),
        (read_documents, trigger_prompts, is_followed, True),
        (without_groups, auto_setup.assign_waiting, has_group, True),
        (create_ended_members, auto_setup.finish_members, status_of, "proposed"),
        (create_designing, headless.sweep, has_turn, True),
        (create_expired_reservations, spending.book_expired, status_of, "estimated"),
        (long_trashed, trash.expire, is_to_be_deleted, True),
    ],
    ids=lambda value: getattr(value, "__name__", "") if getattr(value, "__module__", "") == __name__ else "",
)
def test_a_row_that_fails_keeps_no_other_waiting(
    actor: Actor,
    tools: Registry,
    rows: Callable[[Actor], list[Any]],
    run: Callable[[], object],
    what: Callable[[Model], Any],
    after: object,
    caplog: pytest.LogCaptureFixture,
) -> None:
    bad, good = rows(actor)
    before = what(bad)
    with break_row(bad):
        run()
        run()
    assert (what(bad), what(good)) == (before, after)
    assert f"{bad.pk} failed" in caplog.text and "Traceback" in caplog.text
    failures = re.findall(r"ERROR\s+kit.rows.row_guard:\S+ (.*) failed and will be tried again", caplog.text)
    assert failures and len(failures) == len(set(failures))  # it rests


def renew_just_before(row: Any) -> Callable[..., Any]:
    """The holder writes first, however late the sweep looked."""
    renewed: list[str] = []

    def execute(go_on: Callable[..., Any], sql: str, *rest: Any) -> Any:
        if sql.startswith(f'UPDATE "{row._meta.db_table}"') and not renewed:
            renewed.append(sql)
            type(row).objects.filter(pk=row.pk).update(lease_until=timezone.now() + timedelta(minutes=1))
        return go_on(sql, *rest)

    return execute


@pytest.mark.parametrize(
    ("rows", "run", "status"),
    [
        (create_lost_turns, sweep.run_once, "running"),
        (create_lost_calls, sweep.run_once, "executing"),
        (create_lost_readings, reading.requeue_lost_readings, "reading"),
        (create_lost_runs, extractions.requeue_lost_extractions, "running"),
    ],
)
def test_a_holder_that_renews_at_the_last_moment_keeps_its_work(
    actor: Actor, tools: Registry, rows: Callable[[Actor], list[Any]], run: Callable[[], object], status: str
) -> None:
    late, gone = rows(actor)
    with connection.execute_wrapper(renew_just_before(late)):
        run()
    before = type(late).objects.get(pk=late.pk)
    assert before.status == status and before.lease_until > timezone.now()
    assert status_of(gone) not in ("running", "executing", "reading")


def test_a_setup_compares_documents_before_it_locks_anything(actor: Actor) -> None:
    compared: list[bool] = []

    def note(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        if sql.startswith("SELECT") and "documents_sketch" in sql and "documents_extraction" in sql:
            compared.append(connection.in_atomic_block)
        return execute(sql, *rest)

    create_designing(actor)
    with connection.execute_wrapper(note):
        headless.sweep()
    assert Turn.objects.count() == 2
    assert compared and not any(compared)


def test_a_sketch_is_drawn_before_the_organization_is_locked(actor: Actor) -> None:
    locked: list[bool] = []

    def note(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        if sql.startswith("SELECT") and "documents_page" in sql:
            locked.append(connection.in_atomic_block)
        return execute(sql, *rest)

    make_auto_setup(actor)
    with connection.execute_wrapper(note):
        auto_setup.assign_waiting()
    assert AutoSetup.objects.get().proposal_id and locked and not any(locked)


def test_no_more_than_the_newest_groups_are_compared(actor: Actor) -> None:
    first, receipt = make_auto_setup(actor), make_auto_setup(actor, RECEIPT.format(n=1, who="Shop"))
    second, third = (make_auto_setup(actor, INVOICE.format(n=n, who="Zebra")) for n in (2, 3))
    for each in (first, receipt, second):
        auto_setup.assign(each.pk)
    assert now(second).proposal_id == now(first).proposal_id
    Document.objects.filter(pk=receipt.document.pk).update(document_type=None)
    newer = [Proposal(organization=actor.organization, lead=receipt.document) for _ in range(MAX_COMPARISONS - 1)]
    Proposal.objects.bulk_create(newer)
    auto_setup.assign(third.pk)
    assert now(third).proposal_id not in (None, now(first).proposal_id)


def test_calls_of_who_has_none_under_way_come_first_and_then_the_oldest(
    actor: Actor, stranger: Actor, tools: Registry
) -> None:
    owners = (actor, actor, actor, stranger)
    busy, first, second, other = (propose_all(threads.create(owner), ("look", {"word": "x"}))[0].pk for owner in owners)
    assert execution.claim_call(busy)
    assert list(sweep.find_runnable_calls().values_list("pk", flat=True)) == [other, first, second]


@pytest.mark.parametrize("rows", [turn_queue.find_runnable_turns, sweep.find_runnable_calls])
def test_a_fair_queue_counts_what_is_under_way_once_and_not_for_each_row(
    actor: Actor, tools: Registry, rows: Callable[[], Any]
) -> None:
    create_lost_turns(actor), create_lost_calls(actor)
    assert str(rows().query).count("SELECT") == 1

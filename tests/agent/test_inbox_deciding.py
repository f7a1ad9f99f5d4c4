"""The inbox after a decision, and for who may not decide."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Role
from agent import feed
from agent.calls import execution, undo
from agent.conversation import threads
from agent.inbox import inbox
from agent.models import Message, ToolCall, Turn
from agent.turns import turns
from documents.models import (
    Document,
)
from kit import events
from tests.agent.conftest import propose_all
from tests.agent.decision_rows import say
from tests.agent.inbox_pages import (
    NOTE,
    badge,
    create_failed_document,
    create_paused_turn,
    each_kind,
    keys,
    read_inbox,
)
from tests.agent.test_pages import address, as_member, browser, decision  # noqa: F401 - browser is a fixture
from tests.agent.test_socket import open_socket

pytestmark = pytest.mark.django_db


HTMX = {"HTTP_HX_REQUEST": "true"}


# --- Deciding ---


def test_after_a_decision_the_next_item_is_chosen(browser, actor, propose):  # noqa: F811
    first, second, third = propose(NOTE, ("note", {"text": "b"}), ("note", {"text": "c"}))
    browser.post(address("call-decide", actor, second.pk), decision(second))
    query = f"item=card-{second.pk}&next=card-{third.pk}"
    html = browser.get(f"{address('inbox', actor)}?{query}", **HTMX).content.decode()
    assert keys(html) == [f"card-{first.pk}", f"card-{third.pk}"] and f'data-key="card-{third.pk}" data-waits' in html
    assert "<b>Approved</b>" in html and "You, " in html
    # Its next one was decided as well: the first that still waits.
    browser.post(address("call-decide", actor, third.pk), decision(third, "rejected", reason="Not this one."))
    html = browser.get(f"{address('inbox', actor)}?{query}", **HTMX).content.decode()
    assert f'data-key="card-{first.pk}" data-waits' in html and ": “Not this one.”" in html


def test_what_somebody_else_decided_shows_the_decision_that_was_made(browser, actor, member, propose):  # noqa: F811
    (call,) = propose(NOTE)
    other = member(Role.BUILDER)
    say(other, call, "rejected")
    answer = browser.post(address("call-decide", actor, call.pk), decision(call), **HTMX)
    assert answer.status_code == 409 and "was rejected by" in answer.content.decode()
    html = browser.get(f"{address('inbox', actor)}?item=card-{call.pk}", **HTMX).content.decode()
    assert f'data-key="card-{call.pk}">' in html and f"Rejected by {other.user.shown_name}" in html
    assert keys(html) == []


def test_a_stale_card_leads_to_its_new_revision(browser, actor, propose, tools):  # noqa: F811
    (call,) = propose(NOTE)
    say(actor, call)
    (between,) = propose_all(threads.create(actor, document=call.thread.document), NOTE)
    say(actor, between)
    execution.execute(between.pk, holder="test")
    execution.execute(call.pk, holder="test")
    newest = ToolCall.objects.get(replaces=call)
    html = read_inbox(browser, actor, f"item=card-{call.pk}")
    assert f'data-key="card-{newest.pk}" data-waits' in html and keys(html) == [f"card-{newest.pk}"]


def test_decided_today_offers_undo_once(browser, actor, document, thread):  # noqa: F811
    (call,) = propose_all(thread, ("update_document", {"document_name": "better.pdf"}))
    say(actor, call)
    execution.execute(call.pk, holder="test")
    html = read_inbox(browser, actor)
    address_of_undo = address("call-undo", actor, call.pk)
    assert html.count(f'hx-post="{address_of_undo}"') == 2 and "data-takes-back" in html
    undo.undo_call(actor, call=ToolCall.objects.get(pk=call.pk), idempotency_key="u")
    html = read_inbox(browser, actor)
    assert address_of_undo not in html and ">Undone<" in html


def test_a_line_names_its_document_once(browser, actor, document, thread):  # noqa: F811
    (call,) = propose_all(thread, ("update_document", {"document_name": "better.pdf"}))
    title = f"Run “Invoice” on {document.name}"
    ToolCall.objects.filter(pk=call.pk).update(preview={"title": title, "done": title.replace("Run", "Ran")})
    line = re.search(r'<article class="todo.*?todo-acts', read_inbox(browser, actor), re.DOTALL)
    assert line and line[0].count(document.name) == 1
    say(actor, call, kind="rejected")
    decided = re.search(r'id="decided".*?</section>', read_inbox(browser, actor), re.DOTALL)
    assert decided and title in decided[0] and decided[0].count(document.name) == 1


def test_a_turn_goes_on_from_its_case(browser, actor, document):  # noqa: F811
    turn = create_paused_turn(threads.create(actor, document=document))
    assert browser.post(address("turn-resume", actor, turn.pk), **HTMX).status_code == 204
    html = browser.get(f"{address('inbox', actor)}?item=paused-{turn.pk}&next=", **HTMX).content.decode()
    assert keys(html) == [] and "<b>Resumed</b>" in html


# --- Many ---


def many(actor: Actor, document: Document, count: int) -> list[str]:
    thread = threads.create(actor, document=document)
    turn = create_paused_turn(thread)
    message = Message.objects.create(thread=thread, turn=turn, number=1, round=1, role="assistant")
    start = timezone.now() - timedelta(hours=5)
    rows = [
        ToolCall(
            thread=thread,
            turn=turn,
            message=message,
            round=1,
            position=at,
            wire_id=f"w{at:08}",
            tool="note",
            status="pending",
            effective={"text": "x"},
            preview={"title": f"Note {at}"},
            reach="document",
            expires_at=start + timedelta(days=9),
            created_at=start + timedelta(seconds=at // 2),
        )
        for at in range(count)
    ]
    ToolCall.objects.bulk_create(rows)
    order = ToolCall.objects.order_by("created_at", "pk")
    Turn.objects.filter(pk=turn.pk).update(status=Turn.Status.AWAITING_APPROVAL, pause_reason="")
    return [f"card-{pk}" for pk in order.values_list("pk", flat=True)]


def test_many_items_are_paged_by_key_counted_up_to_a_cap_and_cost_no_more(browser, actor, document, tools):  # noqa: F811
    with CaptureQueriesContext(connection) as few:
        failed = create_failed_document(actor)
        read_inbox(browser, actor, f"item=unread-{failed.pk}")
    all_keys = many(actor, document, 1010)
    with CaptureQueriesContext(connection) as seen:
        html = read_inbox(browser, actor, f"item=unread-{failed.pk}")
    assert keys(html)[:-1] == all_keys[:20] and "1,000+" in html and "and 981+ more" in html
    assert len(seen) <= len(few) + 1
    assert badge(browser, actor) == "99+"


def test_pages_follow_each_other_without_gaps_or_doubles(browser, actor, document, tools):  # noqa: F811
    all_keys = many(actor, document, 250)
    listed_keys: list[str] = []
    query = "kind=cards"
    while query:
        html = read_inbox(browser, actor, query)
        listed_keys += keys(html)
        after = re.search(r"after=(card-\w+)\">Next<", html)
        query = f"kind=cards&after={after[1]}" if after else ""
    assert listed_keys == all_keys and "Oldest" in html


def test_the_count_is_one_query_that_stops_at_its_cap(actor, document, propose):
    each_kind(actor, document, propose)
    with CaptureQueriesContext(connection) as seen:
        assert inbox.count_waiting(actor) == 5
    assert len(seen) == 1 and seen[0]["sql"].count("LIMIT 100") == 7
    many(actor, document, 150)
    with CaptureQueriesContext(connection) as seen:
        assert inbox.count_waiting(actor) == inbox.MAX_COUNTED
    assert len(seen) == 1


# --- Live ---


@pytest.mark.django_db(transaction=True)
async def test_the_organizations_pages_hear_of_what_begins_or_ceases_to_wait_and_of_nothing_else(
    actor, document, thread, propose
):
    (card,) = await sync_to_async(propose)(NOTE)
    (read,) = await sync_to_async(propose_all)(
        await sync_to_async(threads.create)(actor, document=document), ("look", {"word": "x"})
    )
    turn = await sync_to_async(create_paused_turn)(await sync_to_async(threads.create)(actor, document=document))
    async with open_socket(actor, f"/ws/orgs/{actor.organization.pk}") as socket:
        steps = (
            lambda: feed.report_round(card.turn, card.message_id, [card]),
            lambda: say(actor, card, "rejected"),
            lambda: turns.resume(actor, turn=turn),
            lambda: turns.cancel(actor, turn=turn),
            lambda: threads.trash(actor, thread=thread),
        )
        for step in steps:
            await sync_to_async(step)()
            assert "inbox.changed" in await hear_kinds(socket, actor)
        for quiet in (lambda: feed.report_call(read), lambda: feed.report_turn(read.turn)):
            await sync_to_async(quiet)()
            assert "inbox.changed" not in await hear_kinds(socket, actor)


async def hear_kinds(socket: WebsocketCommunicator, actor: Actor) -> list[str]:
    """The kinds of all that came before this was asked."""
    await events.send_async(events.organization_group(actor.organization.pk), {"kind": "asked"})
    kinds: list[str] = []
    while "asked" not in kinds:
        kinds.append((await socket.receive_json_from())["kind"])
    return kinds

"""The inbox through its doors: what it lists, for whom, at what cost, and what its items offer."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

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
from agent.models import Message, Thread, ToolCall, Turn
from agent.turns import turns
from documents.definitions import schemas
from documents.extractions import edits
from documents.models import (
    AutoSetup,
    Document,
    Extraction,
    Prompt,
    PromptRevision,
    Proposal,
    SchemaRevision,
    Verification,
)
from kit import events
from kit.processes import heartbeats
from tests.agent.conftest import propose_all
from tests.agent.test_decisions import Propose, say
from tests.agent.test_pages import address, as_member, browser, decision  # noqa: F401 - browser is a fixture
from tests.agent.test_socket import open_socket
from tests.page_client import PageClient

pytestmark = pytest.mark.django_db
HTMX = {"HTTP_HX_REQUEST": "true"}
Members = Callable[..., Actor]
NOTE = ("note", {"text": "hello"})


def read_inbox(client: PageClient, actor: Actor, query: str = "") -> str:
    return client.get(f"{address('inbox', actor)}?{query}").content.decode()


def keys(html: str) -> list[str]:
    return re.findall(r'id="row-([a-z]+-\w+)"', html)


def badge(client: PageClient, actor: Actor) -> str:
    html = client.get(address("inbox-count", actor)).content.decode()
    return "" if " hidden" in html else re.sub(r"<span class=\"sr\">.*?</span>|<[^>]+>", "", html).strip()


def test_it_says_that_the_agent_is_away_until_it_begins_to_work(browser: PageClient, actor: Actor) -> None:  # noqa: F811
    assert "The agent is not running" not in read_inbox(browser, actor)
    heartbeats.forget("agent")
    assert "The agent is not running at the moment. Nothing is lost: what you decide is kept" in read_inbox(
        browser, actor
    )
    heartbeats.note_start("agent")
    assert "The agent is not running" not in read_inbox(browser, actor)


def create_failed_document(actor: Actor, state: str = Document.State.OCR_FAILED, **facts: Any) -> Document:
    return Document.objects.create(
        organization=actor.organization,
        name=facts.pop("name", "broken.pdf"),
        sha256="1" * 64,
        size=1,
        file="none",
        media_type="application/pdf",
        state=state,
        state_reason="The file ends in the middle.",
        **facts,
    )


def create_proposal(actor: Actor, lead: Document) -> Proposal:
    prompt = Prompt.objects.create(organization=actor.organization, name="Cash receipt", created_by=actor.user)
    revision = PromptRevision.objects.create(
        prompt=prompt, number=1, content="Read it.", status="proposed", created_by=actor.user
    )
    proposal = Proposal.objects.create(
        organization=actor.organization, status="proposed", lead=lead, prompt_revision=revision
    )
    AutoSetup.objects.create(document=lead, status="proposed", proposal=proposal, requested_by=actor.user)
    return proposal


def schema_revision(actor: Actor) -> SchemaRevision:
    fields = {"total": {"type": "string", "description": "The total"}}
    inner = {"type": "object", "properties": fields, "required": ["total"]}
    response_format = {"type": "json_schema", "json_schema": {"name": "receipt", "schema": inner, "strict": False}}
    return schemas.create(actor, name="Receipt", response_format=response_format)


def create_paused_turn(thread: Thread, why: str = Turn.Pause.BUDGET, **facts: Any) -> Turn:
    return Turn.objects.create(
        thread=thread,
        number=thread.turns.count() + 1,
        status=Turn.Status.PAUSED,
        pause_reason=why,
        model="none",
        reason="The turn paused at $1.00.",
        max_rounds=10,
        limit_micros=1_000_000,
        spent_micros=1_000_000,
        code_version="test",
        started_by=thread.owner,
        **facts,
    )


def each_kind(actor: Actor, document: Document, propose: Propose) -> dict[str, str]:
    """One of each that waits: kind to key, in the order of the page."""
    (card,) = propose(NOTE)
    (doubt,) = propose_all(threads.create(actor, document=document), ("send", {"to": "x"}))
    ToolCall.objects.filter(pk=doubt.pk).update(status=ToolCall.Status.IN_DOUBT)
    turn = create_paused_turn(threads.create(actor, document=document))
    rows = {
        "card": card,
        "proposal": create_proposal(actor, document),
        "doubt": doubt,
        "paused": turn,
        "unread": create_failed_document(actor),
    }
    return {kind: f"{kind}-{row.pk}" for kind, row in rows.items()}


# --- What it lists ---


def test_each_kind_that_waits_is_a_line_and_a_case(browser, actor, document, propose):  # noqa: F811
    row_keys = each_kind(actor, document, propose)
    html = read_inbox(browser, actor)
    assert keys(html) == list(row_keys.values())
    assert badge(browser, actor) == "5"
    for title in ("Changes to approve", "Proposals", "Stopped", "Failed"):
        assert f">{title} <span" in html
    words = {
        "card": ["Write a note", "data-approve", "Asked by the agent in"],
        "proposal": ["Cash receipt"],
        "doubt": ["Outcome unknown: ", "Report outcome", "It did not happen"],
        "paused": ["Budget reached", "Add $1.00 and go on", "Stop for good", "The turn paused at $1.00."],
        "unread": ["This file could not be read", "Read again", "Move to trash", "The file ends in the middle."],
    }
    for kind, phrases in words.items():
        case = read_inbox(browser, actor, f"item={row_keys[kind]}")
        assert f'data-key="{row_keys[kind]}" data-waits' in case
        assert [word for word in phrases if word not in case] == [], kind


def test_an_empty_inbox_says_so_and_has_no_badge(browser, actor):  # noqa: F811
    assert "Nothing waits" in read_inbox(browser, actor) and badge(browser, actor) == ""
    assert "data-inbox-count hidden" in browser.get(address("documents", actor)).content.decode()


def test_the_badge_stands_in_the_navigation_of_other_pages(browser, actor, propose):  # noqa: F811
    propose(NOTE)
    for name in ("documents", "schemas", "settings"):
        html = browser.get(address(name, actor)).content.decode()
        assert html.count('data-inbox-count>1<span class="sr"> waiting</span>') == 2, name


def test_a_failed_extraction_is_run_again_with_its_prompt(browser, actor, document):  # noqa: F811
    proposal = create_proposal(actor, create_failed_document(actor, name="other.pdf"))
    Proposal.objects.all().delete()
    run = Extraction.objects.create(
        document=document, number=1, model="none", status="failed", prompt_revision=proposal.prompt_revision
    )
    Document.objects.filter(pk=document.pk).update(state=Document.State.LLM_FAILED, state_reason="No such model.")
    html = read_inbox(browser, actor, f"item=failed-{document.pk}")
    assert "The extraction failed" in html and "Cash receipt v1" in html
    assert f'name="prompt_revision" value="{run.prompt_revision_id}"' in html and "Run again" in html


def test_what_nobody_has_verified_comes_last_and_is_not_counted(browser, actor, document):  # noqa: F811
    proposal = create_proposal(actor, create_failed_document(actor))
    Document.objects.filter(pk=document.pk).update(state=Document.State.LLM_COMPLETED)
    run = Extraction.objects.create(
        document=document,
        number=1,
        model="none",
        status="completed",
        prompt_revision=proposal.prompt_revision,
        schema_revision=schema_revision(actor),
        result={"total": "12.00"},
        current={"total": "12.00"},
        finished_at=timezone.now(),
    )
    html = read_inbox(browser, actor, f"item=verify-{document.pk}")
    assert keys(html)[-1] == f"verify-{document.pk}" and badge(browser, actor) == "2"
    assert "1 uncertain, 0 of 1 values verified" in html
    assert "1 value to look at" in html and "Verify beside the pages" in html and "12.00" in html
    edits.verify(actor, extraction=run)
    assert "To verify <span" not in read_inbox(browser, actor)
    html = read_inbox(browser, actor, f"item=verify-{document.pk}")
    assert "Verified by" in html and "Verify beside the pages" not in html
    # What is only proposed is decided first.
    Verification.objects.all().delete()
    AutoSetup.objects.create(document=document, status="proposed", proposal=proposal, requested_by=actor.user)
    assert f"verify-{document.pk}" not in keys(read_inbox(browser, actor))


def test_headless_turns_and_documents_in_the_trash_wait_for_nobody(actor, document, propose):
    propose(NOTE)
    create_paused_turn(threads.create(actor, document=document), origin=Turn.Origin.HEADLESS)
    create_failed_document(actor, trashed_at=timezone.now())
    assert inbox.count_waiting(actor) == 1
    Document.objects.filter(pk=document.pk).update(trashed_at=timezone.now())
    assert inbox.count_waiting(actor) == 1  # One's own thread still shows its card, which can be rejected.
    ToolCall.objects.update(status=ToolCall.Status.EXPIRED)
    assert inbox.count_waiting(actor) == 0


# --- For whom ---


def test_mine_is_what_i_started_or_uploaded(browser, actor, member, document, tools):  # noqa: F811
    other = member(Role.BUILDER)
    (mine,) = propose_all(threads.create(actor, document=document), NOTE)
    (theirs,) = propose_all(threads.create(other, document=document), NOTE)
    my_file, their_file = (
        create_failed_document(actor, uploaded_by=actor.user),
        create_failed_document(actor, uploaded_by=other.user),
    )
    everyone = [f"card-{mine.pk}", f"card-{theirs.pk}", f"unread-{my_file.pk}", f"unread-{their_file.pk}"]
    assert keys(read_inbox(browser, actor)) == everyone
    assert keys(read_inbox(browser, actor, "whose=mine")) == everyone[::2]
    assert keys(read_inbox(browser, actor, "kind=failed&whose=mine")) == everyone[2:3]


def test_age_narrows_and_a_wrong_filter_is_named(browser, actor, propose):  # noqa: F811
    old, new = propose(NOTE, ("note", {"text": "later"}))
    ToolCall.objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(days=2))
    assert keys(read_inbox(browser, actor, "older=day")) == [f"card-{old.pk}"]
    assert keys(read_inbox(browser, actor, "older=week")) == []
    assert "Nothing that these filters leave" in read_inbox(browser, actor, "older=week")
    answer = browser.get(f"{address('inbox', actor)}?older=year")
    assert answer.status_code == 400 and "The filter older cannot be" in answer.content.decode()
    assert keys(read_inbox(browser, actor)) == [f"card-{old.pk}", f"card-{new.pk}"]


def test_another_organizations_rows_are_never_seen(stranger, actor, document, propose):
    row_keys = each_kind(actor, document, propose)
    client = PageClient()
    client.force_login(stranger.user)
    assert keys(read_inbox(client, stranger)) == [] and badge(client, stranger) == ""
    for key in row_keys.values():
        html = read_inbox(client, stranger, f"item={key}")
        assert 'data-key=""' in html and "Write a note" not in html and "broken.pdf" not in html
        assert client.get(f"{address('inbox', actor)}?item={key}").status_code == 404


def test_private_threads_are_their_owners(browser, actor, member, tools):  # noqa: F811
    other = member(Role.ADMIN)
    (call,) = propose_all(threads.create(other), NOTE)
    assert (
        keys(read_inbox(browser, actor)) == [] and inbox.count_waiting(actor) == 0 and inbox.count_waiting(other) == 1
    )
    assert 'data-key=""' in read_inbox(browser, actor, f"item=card-{call.pk}")
    say(other, call, "rejected")
    assert "Decided today" not in read_inbox(browser, actor)


def test_who_may_not_decide_sees_no_buttons(member, actor, document, propose):
    row_keys = each_kind(actor, document, propose)
    viewer = as_member(member, Role.VIEWER)
    assert keys(read_inbox(viewer, actor)) == list(row_keys.values()) and badge(viewer, actor) == ""
    for key in row_keys.values():
        case = read_inbox(viewer, actor, f"item={key}").partition('id="inbox"')[2].partition("</main>")[0]
        assert "hx-post" not in case and "<button" not in case, key
    reviewer = as_member(member, Role.REVIEWER)
    for kind, word in {"doubt": "It happened", "paused": "Go on", "unread": "Move to trash"}.items():
        assert word not in read_inbox(reviewer, actor, f"item={row_keys[kind]}"), kind


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
    assert f'id="undo-{call.pk}"' in html and "data-undo" in html
    undo.undo_call(actor, call=ToolCall.objects.get(pk=call.pk), idempotency_key="u")
    html = read_inbox(browser, actor)
    assert f'id="undo-{call.pk}"' not in html and ">Undone<" in html


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
    assert keys(html) == [] and "<b>Let go on</b>" in html


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
    assert len(seen) == 1 and seen[0]["sql"].count("LIMIT 100") == 6
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
            lambda: feed.round_added(card.turn, card.message_id, [card]),
            lambda: say(actor, card, "rejected"),
            lambda: turns.resume(actor, turn=turn),
            lambda: turns.cancel(actor, turn=turn),
            lambda: threads.trash(actor, thread=thread),
        )
        for step in steps:
            await sync_to_async(step)()
            assert "inbox.changed" in await hear_kinds(socket, actor)
        for quiet in (lambda: feed.call_changed(read), lambda: feed.turn_changed(read.turn)):
            await sync_to_async(quiet)()
            assert "inbox.changed" not in await hear_kinds(socket, actor)


async def hear_kinds(socket: WebsocketCommunicator, actor: Actor) -> list[str]:
    """The kinds of all that came before this was asked."""
    await events.send_async(events.organization_group(actor.organization.pk), {"kind": "asked"})
    kinds: list[str] = []
    while "asked" not in kinds:
        kinds.append((await socket.receive_json_from())["kind"])
    return kinds

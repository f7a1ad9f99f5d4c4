"""The inbox through its doors: what it lists, for whom, at what cost, and what its items offer."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Role
from agent.conversation import threads
from agent.inbox import inbox
from agent.inbox.sections import UNCOUNTED
from agent.models import ToolCall, Turn
from documents.definitions import schemas
from documents.extractions import edits
from documents.models import (
    AutoSetup,
    Document,
    Extraction,
    Proposal,
    SchemaRevision,
    Verification,
)
from documents.review.status import refresh_review
from kit.processes import heartbeats
from tests.agent.conftest import propose_all
from tests.agent.decision_rows import say
from tests.agent.inbox_pages import (
    NOTE,
    badge,
    create_failed_document,
    create_paused_turn,
    create_proposal,
    each_kind,
    keys,
    read_inbox,
)
from tests.agent.test_pages import address, as_member, browser, decision  # noqa: F401 - browser is a fixture
from tests.documents.review.review_rows import make_documents
from tests.page_client import PageClient

pytestmark = pytest.mark.django_db


Members = Callable[..., Actor]


def test_it_says_that_the_agent_is_away_until_it_begins_to_work(browser: PageClient, actor: Actor) -> None:  # noqa: F811
    assert "The agent is not running" not in read_inbox(browser, actor)
    heartbeats.forget("agent")
    assert "The agent is not running at the moment. Nothing is lost: what you decide is kept" in read_inbox(
        browser, actor
    )
    heartbeats.note_start("agent")
    assert "The agent is not running" not in read_inbox(browser, actor)


def schema_revision(actor: Actor) -> SchemaRevision:
    fields = {"total": {"type": "string", "description": "The total"}}
    inner = {"type": "object", "properties": fields, "required": ["total"]}
    response_format = {"type": "json_schema", "json_schema": {"name": "receipt", "schema": inner, "strict": False}}
    return schemas.create(actor, name="Receipt", response_format=response_format)


# --- What it lists ---


def test_each_kind_that_waits_is_a_line_and_a_case(browser, actor, document, propose):  # noqa: F811
    row_keys = each_kind(actor, document, propose)
    html = read_inbox(browser, actor)
    assert keys(html) == list(row_keys.values())
    assert badge(browser, actor) == "5"
    for title in ("Changes to approve", "Proposals", "Stopped", "Failed"):
        assert f">{title} <span" in html
    assert "<b>Set up Cash receipt for 1 document</b>" in html
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
    assert "All caught up" in read_inbox(browser, actor) and badge(browser, actor) == ""
    assert "data-inbox-count hidden" in browser.get(address("documents", actor)).content.decode()


def test_the_badge_stands_in_the_navigation_of_other_pages(browser, actor, propose):  # noqa: F811
    propose(NOTE)
    for name in ("documents", "schemas", "settings"):
        html = browser.get(address(name, actor)).content.decode()
        assert html.count('data-inbox-count>1<span class="sr"> to decide</span>') == 2, name


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


def test_what_nobody_has_verified_is_not_counted(browser, actor, document):  # noqa: F811
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
    refresh_review(document.pk)
    html = read_inbox(browser, actor, f"item=verify-{document.pk}")
    assert f"verify-{document.pk}" in keys(html) and badge(browser, actor) == "2"
    assert "Total 12.00 · 1 uncertain, 0 of 1 verified" in html
    assert "1 value to look at" in html and "Open with pages" in html and "12.00" in html
    edits.verify(actor, extraction=run)
    assert "To verify <span" not in read_inbox(browser, actor)
    html = read_inbox(browser, actor, f"item=verify-{document.pk}")
    assert "Verified by" in html and "Open with pages" not in html
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
        create_failed_document(actor, Document.State.LLM_FAILED, uploaded_by=other.user),
    )
    everyone = [f"card-{mine.pk}", f"card-{theirs.pk}", f"failed-{their_file.pk}", f"unread-{my_file.pk}"]
    assert keys(read_inbox(browser, actor)) == everyone
    assert keys(read_inbox(browser, actor, "whose=mine")) == everyone[::3]
    assert keys(read_inbox(browser, actor, "kind=failed&whose=mine")) == everyone[3:]


def test_age_narrows_and_a_wrong_filter_is_named(browser, actor, propose):  # noqa: F811
    old, new = propose(NOTE, ("note", {"text": "later"}))
    ToolCall.objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(days=2))
    assert keys(read_inbox(browser, actor, "older=day")) == [f"card-{old.pk}"]
    assert keys(read_inbox(browser, actor, "older=week")) == []
    assert "Nothing matches these filters" in read_inbox(browser, actor, "older=week")
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
    (call,) = propose_all(threads.create(other, private=True), NOTE)
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


def test_the_two_numbers_are_those_of_the_groups_and_of_the_navigation(browser, actor, document, propose):  # noqa: F811
    each_kind(actor, document, propose)
    make_documents(actor, ["a.txt", "b.txt"])
    html = read_inbox(browser, actor)
    groups = dict(re.findall(r'<h2 id="section-(\w+)" data-version="(\d+)">', html))
    verify = sum(int(groups.pop(name, 0)) for name in UNCOUNTED)
    decide = sum(map(int, groups.values()))
    assert f"<b>{decide}</b> to decide, <b>{verify}</b> to verify" in html
    assert badge(browser, actor) == str(decide) and (decide, verify) == (5, 2)

"""The Agent tab through its doors: what it shows, and what its buttons do."""

from __future__ import annotations

import pytest
from django.urls import reverse

from accounts.models import Role
from agent.calls import decisions
from agent.conversation import threads
from agent.models import Thread, ToolCall, Turn
from agent.templatetags.agent_text import markdown
from llm.money.budgets import format_dollars
from tests.page_client import PageClient

pytestmark = pytest.mark.django_db


@pytest.fixture
def browser(actor):
    client = PageClient()
    client.force_login(actor.user)
    return client


def as_member(member, role):
    other = member(role)
    client = PageClient()
    client.force_login(other.user)
    return client


def address(name, actor, *ids):
    return reverse(name, args=(actor.organization.pk, *ids))


def decision(call, kind="approved", **extra):
    face = {"version": call.version, "shown_hash": call.shown_hash, "idempotency_key": f"key-{kind}"}
    return {"kind": kind, **face, **extra}


def test_an_empty_tab_offers_a_beginning(browser, actor, document):
    page = browser.get(address("document-agent", actor, document.pk)).content.decode()
    assert "Set up extraction for this document" in page and 'role="tab"' in page


def test_the_first_message_makes_a_thread_and_its_address(browser, actor, document, thread):
    answer = browser.post(
        address("thread-begin", actor, document.pk),
        {"text": "Set up extraction", "mode": "auto"},
        HTTP_HX_REQUEST="true",
    )
    new_thread = Thread.objects.exclude(pk=thread.pk).get()
    assert answer["HX-Push-Url"].endswith(f"?thread={new_thread.pk}")
    assert (new_thread.title, new_thread.mode, new_thread.turns.get().status) == (
        "Set up extraction",
        "auto",
        Turn.Status.QUEUED,
    )
    assert "Set up extraction" in answer.content.decode()


def test_an_empty_message_makes_nothing(browser, actor, document, thread):
    answer = browser.post(address("thread-begin", actor, document.pk), {"text": "  "}, HTTP_HX_REQUEST="true")
    assert answer.status_code == 400 and "The message is empty." in answer.content.decode()
    assert Thread.objects.count() == 1


def test_a_model_that_cannot_be_used_is_said_and_leaves_no_empty_thread(browser, actor, document, thread, settings):
    settings.DEFAULT_MODEL = "anthropic/claude-nobody-knows"
    answer = browser.post(address("thread-begin", actor, document.pk), {"text": "Set up"}, HTTP_HX_REQUEST="true")
    assert answer.status_code == 400 and "claude-nobody-knows" in answer.content.decode()
    assert Thread.objects.count() == 1


def test_the_tab_opens_at_ones_own_thread_where_a_card_waits(browser, actor, document, thread, propose):
    propose(("note", {"text": "x"}))
    newer = threads.create(actor, document=document, title="Newer")
    page = browser.get(address("document-agent", actor, document.pk)).content.decode()
    assert address("thread-items", actor, thread.pk) in page and newer.title in page
    assert "waits</span>" in page and '<span class="count"' in page


def test_a_waiting_card_shows_its_face_and_its_buttons(browser, actor, propose, thread):
    (call,) = propose(("note", {"text": "<b>bold</b>"}))
    html = browser.get(address("thread-items", actor, thread.pk)).content.decode()
    assert "card-wait" in html and "Approve" in html and "1 change waits" in html
    assert "&lt;b&gt;bold" in html and "<b>bold" not in html
    assert call.shown_hash in html


def test_a_viewer_sees_the_card_without_buttons(member, actor, propose, thread):
    propose(("note", {"text": "x"}))
    html = as_member(member, Role.VIEWER).get(address("thread-items", actor, thread.pk)).content.decode()
    assert "card-wait" in html and "data-approve" not in html


def test_approving_moves_the_call_and_tells_the_page(browser, actor, propose):
    (call,) = propose(("note", {"text": "x"}))
    answer = browser.post(address("call-decide", actor, call.pk), decision(call))
    call.refresh_from_db()
    assert (answer.status_code, answer["HX-Trigger"], call.status) == (204, "thread-changed", "approved")


def test_rejecting_with_a_reason_shows_it(browser, actor, propose, thread):
    (call,) = propose(("note", {"text": "x"}))
    browser.post(address("call-decide", actor, call.pk), decision(call, "rejected", reason="not this supplier"))
    html = browser.get(address("thread-items", actor, thread.pk)).content.decode()
    assert "Rejected by you, " in html and "“not this supplier”" in html


def test_a_card_that_was_decided_already_says_by_whom(browser, actor, member, propose):
    (call,) = propose(("note", {"text": "x"}))
    other = member(Role.BUILDER)
    decisions.decide(
        other, call=call, kind="rejected", version=call.version, shown_hash=call.shown_hash, idempotency_key="theirs"
    )
    answer = browser.post(address("call-decide", actor, call.pk), decision(call), HTTP_HX_REQUEST="true")
    assert answer.status_code == 409
    assert f"This card was rejected by {other.user.shown_name} already." in answer.content.decode()


def test_the_same_click_twice_is_one_decision(browser, actor, propose):
    (call,) = propose(("note", {"text": "x"}))
    answers = [browser.post(address("call-decide", actor, call.pk), decision(call)).status_code for _ in range(2)]
    assert answers == [204, 204] and call.decisions.count() == 1


def test_an_incomplete_decision_decides_nothing(browser, actor, propose):
    (call,) = propose(("note", {"text": "x"}))
    answer = browser.post(address("call-decide", actor, call.pk), {"kind": "approved"}, HTTP_HX_REQUEST="true")
    call.refresh_from_db()
    assert answer.status_code == 400 and call.status == ToolCall.Status.PENDING


def test_cards_of_another_organization_do_not_exist(stranger, actor, propose):
    (call,) = propose(("note", {"text": "x"}))
    client = PageClient()
    client.force_login(stranger.user)
    for organization in (stranger, actor):
        assert client.post(address("call-decide", organization, call.pk), decision(call)).status_code == 404


def test_stopping_ends_a_turn_that_waits(browser, actor, propose, thread):
    (call,) = propose(("note", {"text": "x"}))
    assert browser.post(address("turn-cancel", actor, call.turn_id)).status_code == 204
    call.refresh_from_db()
    assert call.status == ToolCall.Status.CANCELLED
    assert "Stopped before it ran." in browser.get(address("thread-items", actor, thread.pk)).content.decode()


@pytest.mark.parametrize(
    ("partial", "length", "shown", "held"),
    [
        ("The invoice says ÄÖ€", 20, ">The invoice says ÄÖ€<", ""),
        ("It rose by 5.00 [D1:1.6, D2:1.6]. And [D2:1.", 44, ">It rose by 5.00. And<", " [D2:1."),
        ("Two of [3", 9, ">Two of [3<", ""),
    ],
)
def test_the_text_under_way_is_there_after_a_reload(browser, actor, thread, partial, length, shown, held):
    turn = Turn.objects.create(
        thread=thread,
        number=1,
        model="none",
        max_rounds=9,
        limit_micros=1,
        status="running",
        code_version="test",
        partial_text=partial,
        round=2,
    )
    html = browser.get(address("thread-items", actor, thread.pk)).content.decode()
    assert f'id="live-{turn.pk}-3"' in html and f'data-length="{length}" data-held="{held}"{shown}' in html


def test_only_the_owner_talks_in_a_thread(member, actor, thread):
    answer = as_member(member, Role.BUILDER).post(address("thread-say", actor, thread.pk), {"text": "hello"})
    assert answer.status_code == 403


def test_a_long_thread_costs_the_same_queries(browser, actor, propose, thread, django_assert_max_num_queries):
    for _ in range(6):
        propose(("look", {"word": "x"}), ("note", {"text": "x"}))
        Turn.objects.update(status=Turn.Status.COMPLETED)
    with django_assert_max_num_queries(25):
        browser.get(address("thread-items", actor, thread.pk))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("**bold**", "<strong>bold</strong>"),
        ("<script>alert(1)</script>", "&lt;script&gt;"),
        ("![x](https://evil.example/?q=secret)", ""),
        ("[x](javascript:alert(1))", "[x](javascript:alert(1))"),
        ("# Title", "<h3>Title</h3>"),
        ("[x](https://evil.example/a?d=1)", "<p>x (https://evil.example/a?d=1)</p>"),
        ("[**x** y](//evil.example)", "<p><strong>x</strong> y (//evil.example)</p>"),
        ("[x](mailto:a@evil.example)", "<p>x (mailto:a@evil.example)</p>"),
        ("<https://good.example/a>", "<p>https://good.example/a</p>"),
        ("[x](data:text/html,x)", "[x](data:text/html,x)"),
        ("```\n</pre><b>\n```", '<pre tabindex="0"><code>&lt;/pre&gt;&lt;b&gt;'),
        ("```\nx\n```", "data-copy-code"),
    ],
)
def test_markdown_of_a_model_is_made_safe(text, expected):
    html = markdown(text)
    assert expected in html and "<script" not in html and "<img" not in html and "<a" not in html


@pytest.mark.parametrize(
    ("micros", "dollars_text"),
    [
        (0, "$0.00"),
        (7, "$0.0001"),
        (420, "$0.0004"),
        (12_345, "$0.012"),
        (230_000, "$0.23"),
        (1_230_000_000, "$1,230.00"),
    ],
)
def test_money_is_shown_in_dollars(micros, dollars_text):
    assert format_dollars(micros) == dollars_text

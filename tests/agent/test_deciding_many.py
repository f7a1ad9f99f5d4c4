"""Many cards decided at once, and always-allow, on a page."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Role
from agent.calls import execution
from agent.conversation import threads
from agent.models import Rule, ToolCall, Turn
from agent.policy import rules
from agent.toolkit.registry import Registry
from documents.models import Document, Schema
from tests.agent.conftest import propose_all
from tests.agent.deciding_rows import HTMX, page
from tests.agent.decision_rows import Propose, say
from tests.agent.test_pages import address, as_member, browser, decision  # noqa: F401 - browser is a fixture
from tests.agent.undo_rows import SCHEMA
from tests.page_client import PageClient

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("card", [[], ["x"], ["a:b:c"], ["a:1"]])
def test_a_list_of_no_cards_decides_nothing(browser, actor, propose, thread, card):  # noqa: F811
    propose(("note", {"text": "a"}))
    sent = {"kind": "approved", "idempotency_key": "all", "card": card}
    assert browser.post(address("thread-decide-all", actor, thread.pk), sent, **HTMX).status_code == 400


# --- Always allow, and the rules ---


def test_always_allow_is_offered_apart_and_makes_its_rule(browser, actor, propose, thread):  # noqa: F811
    (call,) = propose(("note", {"text": "x"}))
    html = page(browser, actor, thread)
    assert (
        'value="thread"' in html and "in this thread" in html and f"for everybody in {actor.organization.name}" in html
    )
    sent = decision(call) | {"scope": "thread", "days": "7"}
    assert browser.post(address("call-allow", actor, call.pk), sent, **HTMX).status_code == 204
    rule = Rule.objects.get()
    assert (rule.scope, rule.thread, rule.verdict) == ("thread", thread, "allow")
    assert 6 < (rule.expires_at - timezone.now()).days + 1 <= 7
    Turn.objects.update(status="completed")
    (ran,) = propose_all(thread, ("note", {"text": "y"}))
    execution.execute(ran.pk, holder="test")
    html = page(browser, actor, thread)
    assert "Ran without asking: allowed by a rule for this thread." in html and "See the rules" in html


def test_where_it_cannot_help_the_card_says_so(browser, actor, propose, thread):  # noqa: F811
    propose(("send", {"to": "x"}))
    html = page(browser, actor, thread)
    assert "Always allow" not in html and "It cannot always be allowed." in html


def test_the_page_of_rules_makes_lists_and_revokes(browser, actor, thread):  # noqa: F811
    sent = {"scope": "organization", "tool": "note", "verdict": "deny", "days": "1"}
    assert browser.post(address("rule-new", actor), sent).status_code == 302
    html = browser.get(address("rules", actor)).content.decode()
    assert re.search(r"Write a note</span> never runs for everybody in Acme", html) and "The rule is in force" in html
    assert "Revoke" in html and "Admin" in html
    rule = Rule.objects.get()
    listed = browser.get(address("rules", actor), **HTMX).content.decode()
    assert "<html" not in listed and rule.pk in listed
    assert browser.post(address("rule-revoke", actor, rule.pk)).status_code == 302
    assert "No rule is in force." in browser.get(address("rules", actor), **HTMX).content.decode()


def test_what_makes_no_rule_is_said_on_the_page(browser, actor, member, thread):  # noqa: F811
    rules.create_rule(actor, scope="user", tool="note", verdict="ask")
    again = browser.post(address("rule-new", actor), {"scope": "user", "tool": "note", "verdict": "ask"})
    assert again.status_code == 422 and "This rule is in force already." in again.content.decode()
    below = as_member(member, Role.BUILDER)
    denied = below.post(address("rule-new", actor), {"scope": "organization", "tool": "note", "verdict": "ask"})
    assert denied.status_code == 422 and "Only admins make rules for the organization." in denied.content.decode()
    assert "for everybody" not in below.get(address("rules", actor)).content.decode()


def test_a_card_that_a_rule_denies_by_now_can_only_be_rejected(browser, actor, propose, thread):  # noqa: F811
    (call,) = propose(("note", {"text": "x"}))
    rules.create_rule(actor, scope="organization", tool="note", verdict="deny")
    html = page(browser, actor, thread)
    assert "A rule of the organization denies this tool." in html
    assert f'id="approve-{call.pk}"' not in html and f'id="reject-{call.pk}"' in html


# --- Afterwards ---


def test_undo_stands_on_the_card_until_it_is_undone(browser, actor, propose, thread):  # noqa: F811
    (call,) = propose(("create_schema", {"name": "Invoice", "response_format": SCHEMA}))
    say(actor, call)
    execution.execute(call.pk, holder="test")
    html = page(browser, actor, thread)
    assert f'id="undo-{call.pk}"' in html
    assert browser.post(address("call-undo", actor, call.pk), {"idempotency_key": "u"}, **HTMX).status_code == 204
    html = page(browser, actor, thread)
    assert re.search(r"Undone by you, \d\d:\d\d\.", html) and f'id="undo-{call.pk}"' not in html
    assert not Schema.objects.filter(trashed_at=None).exists()
    again = browser.post(address("call-undo", actor, call.pk), {"idempotency_key": "v"}, **HTMX)
    assert again.status_code == 409 and "taken back already" in again.content.decode()


def test_a_person_says_on_the_card_what_became_of_a_call_in_doubt(browser, actor, propose, thread):  # noqa: F811
    (call,) = propose(("send", {"to": "x"}))
    ToolCall.objects.update(status="in_doubt")
    Turn.objects.update(status="paused", pause_reason="in_doubt")
    html = page(browser, actor, thread)
    assert "It happened" in html and "It did not happen" in html
    assert browser.post(address("call-resolve", actor, call.pk), {"happened": "maybe"}, **HTMX).status_code == 400
    assert browser.post(address("call-resolve", actor, call.pk), {"happened": "yes"}, **HTMX).status_code == 204
    html = page(browser, actor, thread)
    assert "Admin reported: it happened." in html
    assert "It happened</button>" not in html and Turn.objects.get().status == "queued"


def test_a_card_near_its_end_says_when(browser, actor, propose, thread):  # noqa: F811
    propose(("note", {"text": "x"}))
    assert "Expires" not in page(browser, actor, thread)
    ToolCall.objects.update(expires_at=timezone.now() + timezone.timedelta(hours=30))
    assert re.search(r"Expires [^.]+\. Nothing runs then\.", page(browser, actor, thread))


def test_a_card_whose_time_is_over_offers_no_decision(browser, actor, propose, thread):  # noqa: F811
    (call,) = propose(("note", {"text": "x"}))
    ToolCall.objects.update(expires_at=timezone.now())
    html = page(browser, actor, thread)
    assert "The time to decide this card is over" in html and "data-approve" not in html
    call.refresh_from_db()
    sent = {"kind": "approved", "version": 1, "shown_hash": call.shown_hash, "idempotency_key": "k"}
    answer = browser.post(address("call-decide", actor, call.pk), sent, **HTMX)
    assert answer.status_code == 409 and "The time to decide this card is over" in answer.content.decode()


def test_a_card_whose_owner_has_left_says_so(
    actor: Actor, member: Callable[[Role], Actor], document: Document, tools: Registry
) -> None:
    leaver = member(Role.BUILDER)
    thread = threads.create(leaver, document=document)
    propose_all(thread, ("note", {"text": "x"}))
    actor.organization.memberships.filter(user=leaver.user).delete()
    client = PageClient()
    client.force_login(actor.user)
    assert "The owner of this thread has left the organization" in page(client, actor, thread)


def test_the_words_of_a_card_that_came_back_name_what_has_changed(browser, actor, propose: Propose, thread):  # noqa: F811
    one, two = propose(("note", {"text": "first"}), ("note", {"text": "second"}))
    for call in (one, two):
        say(actor, call, key=call.pk)
    for call in (one, two):
        execution.execute(call.pk, holder="test")
    html = page(browser, actor, thread)
    assert "Changed since this card was made: what it rests on. It did not run, and asks again" in html

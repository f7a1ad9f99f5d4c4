"""What the buttons of a card do, and what the page shows then."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from html import unescape

import pytest
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Role
from agent.calls import execution
from agent.conversation import threads
from agent.models import Rule, Thread, ToolCall, Turn
from agent.policy import rules
from agent.toolkit.registry import Registry
from documents.models import Document, Schema, Tag
from tests.agent.conftest import propose_all
from tests.agent.test_decisions import Propose, say
from tests.agent.test_pages import address, as_member, browser, decision  # noqa: F401 - browser is a fixture
from tests.agent.test_undo import SCHEMA
from tests.page_client import PageClient

pytestmark = pytest.mark.django_db
HTMX = {"HTTP_HX_REQUEST": "true"}


def page(browser: PageClient, actor: Actor, thread: Thread) -> str:  # noqa: F811
    return browser.get(address("thread-items", actor, thread.pk)).content.decode()


def inputs(html: str) -> dict[str, str]:
    """The form's fields as a browser would send them."""
    values = dict(re.findall(r'<input[^>]*name="([^"]+)" value="([^"]*)"', html))
    for name, text in re.findall(r'<textarea[^>]*name="([^"]+)"[^>]*>\n?(.*?)</textarea>', html, re.S):
        values[name] = text
    for name, options in re.findall(r'<select[^>]*name="([^"]+)"[^>]*>(.*?)</select>', html, re.S):
        chosen = re.search(r'value="([^"]*)" selected', options)
        values[name] = chosen[1] if chosen else ""
    return {name: unescape(value) for name, value in values.items()}


# --- Edit ---


def test_a_card_opens_as_a_form_and_is_approved_as_typed(browser, actor, propose, thread):  # noqa: F811
    (call,) = propose(("note", {"text": "hello"}))
    form = inputs(browser.get(address("call-edit", actor, call.pk)).content.decode())
    assert form["arg-text"] == "hello"
    answer = browser.post(address("call-approve-edited", actor, call.pk), form | {"arg-text": "better"}, **HTMX)
    assert answer.status_code == 204 and answer["HX-Trigger"] == "thread-changed"
    execution.execute(call.pk, holder="test")
    call.refresh_from_db()
    assert (call.decided, call.result) == ({"text": "better"}, {"noted": "better"})
    assert "Approved by you with edits" in page(browser, actor, thread)


def test_an_untouched_form_is_no_edit(browser, actor, propose):  # noqa: F811
    (call,) = propose(("note", {"text": "hello"}))
    form = inputs(browser.get(address("call-edit", actor, call.pk)).content.decode())
    browser.post(address("call-approve-edited", actor, call.pk), form, **HTMX)
    call.refresh_from_db()
    assert call.status == "approved" and call.decided is None and not call.decisions.get().edited


def test_the_card_follows_what_is_typed_and_keeps_nothing_of_it(browser, actor, propose, thread):  # noqa: F811
    (call,) = propose(("create_schema", {"name": "Invoice", "response_format": SCHEMA}))
    form = inputs(browser.get(address("call-edit", actor, call.pk)).content.decode())
    html = browser.post(address("call-preview", actor, call.pk), form | {"arg-name": "Bill"}, **HTMX).content.decode()
    assert "Create schema “Bill”" in html and f'id="face-{call.pk}" hx-swap-oob="innerHTML"' in html
    call.refresh_from_db()
    assert call.preview["title"] == "Create schema “Invoice”" and not Schema.objects.exists()
    assert "Create schema “Invoice”" in page(browser, actor, thread)


@pytest.mark.parametrize(
    ("typed", "place", "sentence"),
    [
        ({"arg-name": "Taken"}, "name", "There is a schema named “Taken” already."),
        ({"arg-response_format": "{"}, "response_format", "This is not JSON"),
        ({"arg-response_format": '{"type": "array"}'}, "response_format", "json_schema"),
        ({"arg-name": "x" * 300}, "", "The name has 300 characters"),
    ],
)
@pytest.mark.parametrize("door", ["call-preview", "call-approve-edited"])
def test_a_problem_is_said_at_its_field_and_decides_nothing(
    browser,  # noqa: F811
    actor,
    propose,
    typed,
    place,
    sentence,
    door,
):
    (call,) = propose(("create_schema", {"name": "Invoice", "response_format": SCHEMA}))
    Schema.objects.create(organization=actor.organization, name="Taken", created_by=actor.user)
    form = inputs(browser.get(address("call-edit", actor, call.pk)).content.decode())
    answer = browser.post(address(door, actor, call.pk), form | typed, **HTMX)
    html = answer.content.decode()
    assert answer.status_code == (422 if door == "call-approve-edited" else 200) and answer["HX-Reswap"] == "none"
    problems = dict(re.findall(r'id="problem-\w+-(\w*)" role="alert" hx-swap-oob="true">(.*?)</p>', html, re.S))
    assert sentence in problems[place] and set(problems) == {"", "name", "response_format"}
    assert not any(text for name, text in problems.items() if name != place)
    call.refresh_from_db()
    assert call.status == "pending"


def test_fields_become_json_and_fields_again_without_a_loss(browser, actor, propose):  # noqa: F811
    (call,) = propose(("create_schema", {"name": "Invoice “A” & co", "response_format": SCHEMA}))
    url = address("call-edit", actor, call.pk)
    form = inputs(browser.get(url).content.decode())
    as_json = inputs(browser.post(url, form | {"view": "json"}, **HTMX).content.decode())
    whole = json.loads(as_json["json"])
    assert whole == call.effective
    back = inputs(browser.post(url, {"json": json.dumps(whole), "view": "fields"}, **HTMX).content.decode())
    assert back == form | {"idempotency_key": back["idempotency_key"], "view": "fields"}
    lost = browser.post(url, {"json": '{"nmae": "x"}', "view": "fields"}, **HTMX)
    assert lost.status_code == 422 and "There is no argument called nmae" in lost.content.decode()


def test_rows_are_chosen_by_their_names(browser, actor, propose):  # noqa: F811
    tags = [Tag.objects.create(organization=actor.organization, name=name) for name in ("Invoices", "Receipts")]
    (call,) = propose(("create_prompt", {"name": "Read", "content": "Read it.", "tag_ids": [tags[0].pk]}))
    html = browser.get(address("call-edit", actor, call.pk)).content.decode()
    assert re.search(rf'value="{tags[0].pk}" checked> Invoices', html) and f'value="{tags[1].pk}"> Receipts' in html
    form = inputs(html) | {"arg-tag_ids": [tags[0].pk, tags[1].pk, ""]}
    html = browser.post(address("call-preview", actor, call.pk), form, **HTMX).content.decode()
    assert "Invoices, Receipts" in html and "changes more than this document" in html
    browser.post(address("call-approve-edited", actor, call.pk), form | {"arg-tag_ids": [""]}, **HTMX)
    call.refresh_from_db()
    assert call.status == "approved" and call.effective["tag_ids"] == []


def test_a_card_that_was_decided_is_edited_no_more(browser, actor, propose):  # noqa: F811
    (call,) = propose(("note", {"text": "x"}))
    form = inputs(browser.get(address("call-edit", actor, call.pk)).content.decode())
    say(actor, call, "rejected")
    for door, status in (("call-edit", 409), ("call-preview", 204)):
        assert browser.post(address(door, actor, call.pk), form, **HTMX).status_code == status
    answer = browser.post(address("call-approve-edited", actor, call.pk), form, **HTMX)
    assert answer.status_code == 409 and "This card was rejected by Admin already." in answer.content.decode()


def test_who_may_not_decide_it_sees_no_form(member, actor, propose):
    (call,) = propose(("send", {"to": "x"}))
    answer = as_member(member, Role.REVIEWER).get(address("call-edit", actor, call.pk), **HTMX)
    assert answer.status_code == 403 and "needs the role builder" in answer.content.decode()


# --- Several at once ---


def cards_of(*calls: ToolCall) -> list[str]:
    return [f"{call.pk}:{call.version}:{call.shown_hash}" for call in calls]


def test_the_bar_decides_what_the_page_showed(browser, actor, propose, thread):  # noqa: F811
    calls = propose(("note", {"text": "a"}), ("draft", {"text": "b"}))
    html = page(browser, actor, thread)
    assert re.findall(r'name="card" value="([^"]+)"', html) == cards_of(*calls) * 2
    sent = {"kind": "rejected", "idempotency_key": "all", "reason": "Not now.", "card": cards_of(*calls)}
    assert browser.post(address("thread-decide-all", actor, thread.pk), sent, **HTMX).status_code == 204
    assert page(browser, actor, thread).count("“Not now.”") == 2


def test_what_could_not_be_decided_is_named(browser, actor, propose, thread):  # noqa: F811
    one, two = propose(("note", {"text": "a"}), ("draft", {"text": "b"}))
    cards = cards_of(one, two)
    say(actor, one, "rejected", key="earlier")
    sent = {"kind": "approved", "idempotency_key": "all", "card": cards}
    answer = browser.post(address("thread-decide-all", actor, thread.pk), sent, **HTMX)
    assert answer.status_code == 409
    assert "1 of 2 cards approved. Write a note: This card was rejected by Admin already." in answer.content.decode()
    two.refresh_from_db()
    assert two.status == "approved"


@pytest.mark.parametrize("card", [[], ["x"], ["a:b:c"], ["a:1"]])
def test_a_list_of_no_cards_decides_nothing(browser, actor, propose, thread, card):  # noqa: F811
    propose(("note", {"text": "a"}))
    sent = {"kind": "approved", "idempotency_key": "all", "card": card}
    assert browser.post(address("thread-decide-all", actor, thread.pk), sent, **HTMX).status_code == 400


# --- Always allow, and the rules ---


def test_always_allow_is_offered_apart_and_makes_its_rule(browser, actor, propose, thread):  # noqa: F811
    (call,) = propose(("note", {"text": "x"}))
    html = page(browser, actor, thread)
    assert 'value="thread">in this thread' in html and f"for everybody in {actor.organization.name}" in html
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
    assert re.search(r"Write a note</span> never runs for everybody in Acme", html) and "The rule holds" in html
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

"""What the buttons of a card do, and what the page shows then."""

from __future__ import annotations

import json
import re
from html import unescape

import pytest

from accounts.models import Role
from agent.calls import execution
from agent.models import ToolCall
from documents.models import Schema, Tag
from tests.agent.deciding_rows import HTMX, page
from tests.agent.decision_rows import say
from tests.agent.test_pages import address, as_member, browser, decision  # noqa: F401 - browser is a fixture
from tests.agent.undo_rows import SCHEMA

pytestmark = pytest.mark.django_db


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
    assert sentence in problems[place] and set(problems) == {"", "name", "response_format", "template", "value_checks"}
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

"""Each decision that can be taken back says so in the inbox, is taken back from there, and leaves no undo of itself."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from html import unescape

import pytest
from django.urls import reverse

from accounts.actor import Actor
from accounts.models import Role
from agent.conversation import threads
from agent.policy import rules
from documents.definitions import prompts, tags
from documents.document_changes import change_tags, rename
from documents.extractions import edits
from documents.models import BulkAction, Document
from documents.retention import families
from tests.agent.inbox_pages import read_inbox
from tests.agent.test_inbox import schema_revision
from tests.agent.test_pages import browser  # noqa: F401 - browser is a fixture
from tests.documents.bulk.bulk_rows import ask, work
from tests.documents.review.review_rows import get_run, make_documents
from tests.page_client import PageClient

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}
BUTTON = re.compile(r'<button[^>]*data-takes-back="([^"]*)"[^>]*hx-post="([^"]*)"[^>]*hx-vals="([^"]*)"')


@pytest.fixture
def document(actor: Actor) -> Document:
    [row] = make_documents(actor, ["a.txt"])
    run = get_run(row)
    run.schema_revision = schema_revision(actor)
    run.result = run.current = {"total": "12.00"}
    run.save()
    return row


def read_decided(browser: PageClient, actor: Actor) -> str:  # noqa: F811
    found = re.search(r'<section[^>]*id="decided".*?</section>', read_inbox(browser, actor), re.DOTALL)
    return found[0] if found else ""


def press_undo(browser: PageClient, html: str) -> None:  # noqa: F811
    [(key, address, values)] = BUTTON.findall(html)
    assert key.startswith("decided-")
    answer = browser.post(unescape(address), json.loads(unescape(values)), headers=HTMX)
    assert answer.status_code in (200, 204), answer.content


def verify_value(actor: Actor, document: Document) -> None:
    edits.verify(actor, extraction=get_run(document), where="total")


def change_value(actor: Actor, document: Document) -> None:
    edits.set_field(actor, extraction=get_run(document), where="total", value="15.00")


def set_tag(actor: Actor, document: Document) -> None:
    change_tags(actor, document=document, add=[tags.create(actor, name="Paid").pk])


def remove_tag(actor: Actor, document: Document) -> None:
    document.tags.add(tag := tags.create(actor, name="Paid"))
    change_tags(actor, document=document, remove=[tag.pk])


def make_rule(actor: Actor, document: Document) -> None:
    rules.create_rule(actor, scope="organization", tool="update_document", verdict="deny")


def trash_thread(actor: Actor, document: Document) -> None:
    threads.trash(actor, thread=threads.create(actor, document=document))


def trash_prompt(actor: Actor, document: Document) -> None:
    prompts.trash(actor, head=prompts.create(actor, name="Letter", content="Read it.").prompt)


def tag_many(actor: Actor, document: Document) -> None:
    work(ask(actor, BulkAction.Kind.TAG, [document], tag_id=tags.create(actor, name="Paid").pk))


def read_state(document: Document) -> object:
    """All of the document that the decisions below change."""
    document.refresh_from_db()
    run = get_run(document)
    marks = list(run.verifications.filter(cleared_at=None).values_list("where", flat=True))
    carried = list(document.tags.values_list("name", flat=True))
    return run.current, marks, carried, document.name, document.metadata, document.trashed_at


DECISIONS: dict[str, tuple[Callable[[Actor, Document], object], str]] = {
    "document": (lambda actor, row: edits.verify(actor, extraction=get_run(row)), "Verified"),
    "value": (verify_value, "Verified 1 value of"),
    "edit": (change_value, "Total, 12.00 → 15.00"),
    "row name": (lambda actor, row: rename(actor, document=row, name="b.txt"), "a.txt to b.txt"),
    "tag": (set_tag, "Set the tag Paid on"),
    "tag removed": (remove_tag, "Removed the tag Paid from"),
    "trash": (lambda actor, row: families.trash(actor, document=row), "Moved to the trash:"),
    "rule": (make_rule, "Made the rule:"),
    "thread": (trash_thread, "Moved to the trash:"),
    "prompt": (trash_prompt, "Letter"),
    "many": (tag_many, "Tag as Paid:"),
}


@pytest.mark.parametrize("name", DECISIONS)
def test_it_is_listed_and_taken_back_once(browser, actor: Actor, document: Document, name: str):  # noqa: F811
    decide, words = DECISIONS[name]
    before = read_state(document)
    decide(actor, document)
    html = read_decided(browser, actor)
    assert words in unescape(html) and html.count("<li") == 1
    assert 'id="just-decided"' in read_inbox(browser, actor)
    press_undo(browser, html)
    for action in BulkAction.objects.filter(undo_of__isnull=False):
        work(action)
    html = read_decided(browser, actor)
    assert html.count(">Undone<") == 1 and not BUTTON.findall(html) and "just-decided" not in html
    if name not in ("tag removed", "many"):
        assert read_state(document) == before


def test_values_of_one_document_are_one_decision(browser, actor: Actor, document: Document):  # noqa: F811
    run = get_run(document)
    run.schema_revision, run.current = None, {"total": "12.00", "vendor": "Acme"}
    run.result = run.current
    run.save()
    before = read_state(document)
    for where, value in (("total", "15.00"), ("vendor", "Ace"), ("total", "18.00")):
        edits.set_field(actor, extraction=get_run(document), where=where, value=value)
    html = unescape(read_decided(browser, actor))
    assert html.count("<li") == 1 and "Changed 3 values of" in html and "Total, Vendor" in html
    press_undo(browser, read_decided(browser, actor))
    press_undo(browser, read_decided(browser, actor))
    assert read_state(document) == before and not BUTTON.findall(read_decided(browser, actor))
    for where in ("total", "vendor"):
        edits.verify(actor, extraction=get_run(document), where=where)
    html = read_decided(browser, actor)
    assert html.count("<li") == 2 and "Verified 2 values of" in html
    press_undo(browser, html)
    assert read_state(document) == before


def test_what_another_decided_has_no_key(browser, actor: Actor, document: Document, member):  # noqa: F811
    verify_value(member(Role.REVIEWER), document)
    [(key, *_)] = BUTTON.findall(read_decided(browser, actor))
    assert key == ""


def test_a_viewer_takes_nothing_back(signed_in, actor: Actor, document: Document, member):
    verify_value(actor, document)
    viewer = signed_in(PageClient(), member(Role.VIEWER))
    html = read_decided(viewer, actor)
    assert "Verified 1 value of" in html and not BUTTON.findall(html)
    address = reverse("field-verify", args=(actor.organization.pk, document.pk, get_run(document).pk))
    assert viewer.post(address, {"where": "total", "on": "false"}).status_code == 403

"""What failed in the inbox: above what can be verified, by cause, with one action for all of a cause."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Role
from documents import bulk
from documents.models import BulkAction, Document, Extraction, Reading
from tests.agent.inbox_pages import badge, create_failed_document, create_proposal, keys, read_inbox
from tests.agent.test_pages import address, as_member, browser  # noqa: F401 - browser is a fixture
from tests.documents.review.review_rows import make_documents
from tests.page_client import PageClient

pytestmark = [pytest.mark.django_db, pytest.mark.servers]
HTMX = {"HX-Request": "true"}


def fail_all(actor: Actor, number: int, **facts: str) -> list[Document]:
    documents = [create_failed_document(actor, name=f"{at}.eml", **facts) for at in range(number)]
    for document in documents:
        Reading.objects.create(document=document, number=1, status="failed", is_permanent=True)
    return documents


def ask(browser: PageClient, actor: Actor, document: Document, kind: str):  # noqa: F811
    return browser.post(address("inbox-failures", actor), {"document": document.pk, "kind": kind}, headers=HTMX)


def work() -> None:
    while bulk.run_next(holder="test"):
        pass


def test_what_the_badge_counts_stands_above_what_can_be_verified(browser, actor):  # noqa: F811
    (failed,) = fail_all(actor, 1)
    (good,) = make_documents(actor, ["a.txt"])
    assert keys(read_inbox(browser, actor)) == [f"unread-{failed.pk}", f"verify-{good.pk}"]


def test_one_cause_is_one_line_and_its_documents_are_named(browser, actor):  # noqa: F811
    first, *_ = fail_all(actor, 12)
    other = create_failed_document(actor, name="other.pdf")
    Document.objects.filter(pk=other.pk).update(state_reason="It is locked.")
    html = read_inbox(browser, actor)
    # The cause that came last is first.
    assert keys(html) == [f"unread-{other.pk}", f"unread-{first.pk}"]
    assert "12 files could not be read" in html and ">13</span>" in html
    case = read_inbox(browser, actor, f"item=unread-{first.pk}")
    assert "12 documents failed for the same reason" in case and "7.eml</a>" in case and "and 4 more" in case
    # One by one where only failures are listed.
    assert len(keys(read_inbox(browser, actor, "kind=failed"))) == 13


def test_what_failed_long_ago_waits_behind_what_can_be_verified_until_it_is_tried(browser, actor):  # noqa: F811
    (failed,), (good,) = fail_all(actor, 1), make_documents(actor, ["a.txt"])
    Document.objects.filter(pk=failed.pk).update(created_at=timezone.now() - timedelta(days=8))
    html = read_inbox(browser, actor)
    assert keys(html) == [f"verify-{good.pk}", f"unread-{failed.pk}"] and "Failed long ago" in html
    assert "<b>1</b> to decide, <b>1</b> to verify" in html and badge(browser, actor) == "1"
    failed.readings.update(finished_at=timezone.now())
    assert keys(read_inbox(browser, actor)) == [f"unread-{failed.pk}", f"verify-{good.pk}"]


def test_each_locked_file_of_a_cause_has_a_form_for_its_own_password(browser, actor):  # noqa: F811
    first, second = fail_all(actor, 2, state_code="password_missing")
    case = read_inbox(browser, actor, f"item=unread-{first.pk}")
    forms = {
        each.pk: case.partition(address("document-unlock", actor, each.pk))[2].partition("</form>")[0]
        for each in (first, second)
    }
    assert all(f'id="password-{pk}"' in form and 'type="password"' in form for pk, form in forms.items())
    # One of them is pressed by A, and no press reads all with nothing.
    assert "data-approve" in forms[first.pk] and "data-approve" not in forms[second.pk]
    assert "again" not in case and "Move all 2 to the trash" in case
    wrong = browser.post(address("document-unlock", actor, second.pk), {"password": ""}, headers=HTMX)
    assert wrong.status_code == 422 and f'id="problem-{second.pk}"' in wrong.text
    assert "data-approve" not in wrong.text


def test_what_the_inbox_moves_to_the_trash_leads_nowhere_and_is_taken_back(browser, actor):  # noqa: F811
    (failed,) = fail_all(actor, 1)
    answer = browser.post(address("document-trash", actor, failed.pk), {"quietly": "1"}, headers=HTMX)
    assert answer.status_code == 204 and "HX-Redirect" not in answer.headers
    html = read_inbox(browser, actor)
    assert keys(html) == [] and "Decided today" in html and failed.name in html and "Undo" in html


def test_a_press_in_passing_reads_again_and_never_trashes(browser, actor):  # noqa: F811
    first, *_ = fail_all(actor, 2)
    case = read_inbox(browser, actor, f"item=unread-{first.pk}")
    assert "Read all 2 again" in case and "Move all 2 to the trash" in case and "data-approve" not in case
    Reading.objects.update(is_permanent=False)
    pressed = read_inbox(browser, actor, f"item=unread-{first.pk}").split("data-approve")[1:]
    assert len(pressed) == 1 and "Read all 2 again" in pressed[0].partition("</button>")[0]


def test_all_of_a_cause_are_moved_to_the_trash_at_once(browser, actor):  # noqa: F811
    first, *_ = fail_all(actor, 3)
    assert ask(browser, actor, first, "trash").status_code == 204
    assert "Moving to the trash: 0 of 3 done." in read_inbox(browser, actor, f"item=unread-{first.pk}")
    work()
    assert not Document.objects.for_org(actor.organization).exists()
    assert keys(read_inbox(browser, actor)) == []


def test_all_of_a_cause_are_tried_again_each_in_its_way(browser, actor):  # noqa: F811
    unread, *_ = fail_all(actor, 2)
    ask(browser, actor, unread, "retry")
    run = create_proposal(actor, create_failed_document(actor, name="lead.pdf")).prompt_revision
    failed = create_failed_document(actor, Document.State.LLM_FAILED, name="b.pdf")
    Reading.objects.create(document=failed, number=1, status="completed", page_count=1, pages_read=1)
    Extraction.objects.create(document=failed, number=1, model="offline/rules", status="failed", prompt_revision=run)
    ask(browser, actor, failed, "retry")
    work()
    assert Reading.objects.filter(status="queued").count() == 2
    assert failed.extractions.get(number=2).prompt_revision == run
    assert not BulkAction.objects.filter(failed_count__gt=0).exists()


def test_what_was_tried_again_meanwhile_is_left_out(browser, actor):  # noqa: F811
    first, second = fail_all(actor, 2)
    ask(browser, actor, first, "retry")
    Document.objects.filter(pk=second.pk).update(state=Document.State.LLM_COMPLETED)
    work()
    items = dict(BulkAction.objects.get().items.values_list("document", "code"))
    assert items == {first.pk: "", second.pk: "not_failed"}


def test_bad_requests_get_a_sentence_and_change_nothing(browser, actor):  # noqa: F811
    (first,) = fail_all(actor, 1)
    assert "tried again or moved to the trash" in ask(browser, actor, first, "restore").text
    Document.objects.filter(pk=first.pk).update(state=Document.State.LLM_COMPLETED)
    assert "does not wait any more" in ask(browser, actor, first, "retry").text
    assert not BulkAction.objects.exists()


def test_a_reviewer_cannot_empty_a_cause_into_the_trash(browser, actor, member):  # noqa: F811
    first, *_ = fail_all(actor, 2)
    reviewer = as_member(member, Role.REVIEWER)
    assert "to the trash" not in read_inbox(reviewer, actor, f"item=unread-{first.pk}")
    assert ask(reviewer, actor, first, "trash").status_code == 403 and not BulkAction.objects.exists()

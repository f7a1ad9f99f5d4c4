"""Many documents of the trash: restored, or deleted for good once somebody has said so."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import AuditEntry, Role
from documents import bulk, document_changes
from documents.models import BulkAction, Document
from documents.templatetags.words import days_left
from kit.errors import Denied
from tests.documents.bulk.bulk_rows import ask, list_reasons, make_documents, work
from tests.page_client import PageClient

pytestmark = pytest.mark.django_db
SignIn = Callable[[Client, Actor], Client]


def trash_documents(actor: Actor, number: int) -> list[Document]:
    documents = make_documents(actor, number)
    for document in documents:
        document_changes.trash(actor, document=document)
    return documents


def test_what_lies_in_the_trash_is_deleted_for_good_and_nothing_else(actor: Actor) -> None:
    trashed = trash_documents(actor, 3)
    [kept] = make_documents(actor, 1)
    action = ask(actor, "delete", [*trashed, kept])
    document_changes.restore(actor, document=trashed[0])
    assert (work(action).status, action.total_count, action.done_count) == ("done", 3, 2)
    assert sorted(list_reasons(action)) == [("done", ""), ("done", ""), ("left_out", "conflict")]
    assert set(Document.objects.filter(purge_requested_at=None)) == {trashed[0], kept}
    assert AuditEntry.objects.filter(action="deleted for good", target_kind="document").count() == 2
    assert not bulk.is_undoable(action)


def test_what_was_changed_since_it_was_selected_is_not_deleted_for_good(actor: Actor) -> None:
    same, changed = trash_documents(actor, 2)
    action = ask(actor, "delete", [same, changed])
    document_changes.restore(actor, document=changed)
    document_changes.update(actor, document=changed, metadata={"keep": "this"})
    document_changes.trash(actor, document=Document.objects.get(pk=changed.pk))
    assert work(action).done_count == 1
    left = action.items.get(document=changed)
    assert (left.code, left.reason) == ("changed_since", "Somebody has changed it since.")
    assert list(Document.objects.filter(purge_requested_at=None)) == [changed]


def test_what_is_gone_by_now_counts_as_done(actor: Actor) -> None:
    documents = trash_documents(actor, 3)
    action = ask(actor, "delete", documents)
    documents[0].delete()
    assert (work(action).done_count, action.left_out_count) == (3, 0)


def test_only_an_admin_deletes_for_good(actor: Actor, member: Callable[[Role], Actor]) -> None:
    with pytest.raises(Denied):
        ask(member(Role.BUILDER), "delete", trash_documents(actor, 1))


@pytest.fixture
def page(client: PageClient, actor: Actor, signed_in: SignIn) -> Client:
    client.defaults["HTTP_HX_REQUEST"] = "true"
    return signed_in(client, actor)


def test_the_page_asks_before_it_deletes_and_not_before_it_restores(page: Client, actor: Actor) -> None:
    first, second = trash_documents(actor, 2)
    place = [actor.organization.pk]
    question = page.post(reverse("bulk-preview", args=place), {"action": "delete", "ids": second.pk}).text
    assert "Delete 1 document for good" in question and "Nobody can bring it back." in question
    assert not BulkAction.objects.exists()
    assert page.post(reverse("bulk-count", args=place), {"action": "restore", "all": "1"}).text == "2"
    page.post(reverse("bulk-preview", args=place), {"action": "restore", "ids": first.pk})
    work(BulkAction.objects.get())
    assert list(Document.objects.for_org(actor.organization)) == [first]


def test_its_rows_have_a_tick_and_say_how_many_days_are_left(page: Client, actor: Actor, settings: Any) -> None:
    settings.TRASH_DAYS = 30
    [document] = trash_documents(actor, 1)
    rows = page.get(reverse("trash", args=[actor.organization.pk])).text
    assert f'aria-label="Select {document.name}"' in rows and "Today" in rows and "30 days left" in rows
    assert "<html" not in rows


@pytest.mark.parametrize(
    ("hours", "words"), [(0, "30 days left"), (28.5 * 24, "2 days left"), (29.5 * 24, "less than a day left")]
)
def test_days_left_are_words(hours: float, words: str) -> None:
    assert days_left(timezone.now() - timedelta(hours=hours), 30) == words

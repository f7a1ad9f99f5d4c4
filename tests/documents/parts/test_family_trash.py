"""A whole and its parts in the trash: apart, or as one."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from accounts.actor import Actor
from accounts.models import Role
from documents import bulk, document_changes
from documents.intake import splitting
from documents.intake.splitting import PartPages
from documents.models import Document
from documents.retention import families
from kit.errors import Denied
from tests.conftest import ApiClient
from tests.documents.bulk.bulk_rows import ask, work
from tests.documents.parts.split_rows import put_whole

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


@pytest.fixture
def whole(actor: Actor) -> Document:
    """Of two parts, of which the second has been split again."""
    document = put_whole(actor)
    _, last = splitting.split(actor, document=document, parts=[PartPages(1, 2), PartPages(3, 5)])
    splitting.split(actor, document=last, parts=[PartPages(2, 3)])
    return document


def count_listed(actor: Actor) -> int:
    return Document.objects.for_org(actor.organization).count()


def at(name: str, document: Document) -> str:
    return reverse(name, args=[document.organization_id, document.pk])


def test_what_went_together_comes_back_together_and_nothing_else(actor: Actor, whole: Document) -> None:
    earlier = whole.list_parts()[0]
    document_changes.trash(actor, document=earlier)
    assert families.trash(actor, document=whole) == 2 and count_listed(actor) == 0
    assert len(families.restore(actor, document=whole)) == 2
    earlier.refresh_from_db()
    assert count_listed(actor) == 3 and earlier.trashed_at is not None


def test_what_is_being_deleted_for_good_does_not_come_back(actor: Actor, whole: Document) -> None:
    families.trash(actor, document=whole)
    Document.objects.exclude(pk=whole.pk).update(purge_requested_at=whole.trashed_at)
    assert families.restore(actor, document=whole) == []


def test_who_may_not_move_the_whole_moves_no_part(
    member: Callable[[Role], Actor], actor: Actor, whole: Document
) -> None:
    with pytest.raises(Denied):
        families.trash(member(Role.REVIEWER), document=whole)
    assert count_listed(actor) == 4


def test_the_list_moves_the_whole_with_its_parts_and_says_so(
    actor: Actor, client: Client, signed_in: Callable[[Client, Actor], Client], whole: Document
) -> None:
    page = signed_in(client, actor)
    notice = page.post(at("document-trash", whole), headers=HTMX).text
    assert ", with 3 documents in it." in " ".join(notice.split()) and count_listed(actor) == 0
    page.post(at("document-restore", whole), headers=HTMX)
    assert count_listed(actor) == 4


def test_the_page_moves_the_whole_with_what_is_in_it_and_says_so(
    actor: Actor, client: Client, signed_in: Callable[[Client, Actor], Client], whole: Document
) -> None:
    page = signed_in(client, actor)
    assert "Move to trash with what is in it" in page.get(at("document", whole)).text
    answer = page.post(at("document-trash", whole), {"next": "list"}, follow=True)
    assert f"Moved to the trash: {whole.name}, with 3 documents in it." in answer.text and count_listed(actor) == 0


def test_the_administration_moves_a_whole_and_brings_it_back_with_its_parts(
    actor: Actor, admin_client: Client, whole: Document
) -> None:
    place = reverse("admin:documents_document_changelist")
    admin_client.post(place, {"action": "trash", "_selected_action": [whole.pk]})
    assert count_listed(actor) == 0
    admin_client.post(place, {"action": "restore", "_selected_action": [whole.pk]})
    assert count_listed(actor) == 4


@pytest.mark.parametrize("number", [1, 2, 4])
def test_in_bulk_a_whole_goes_and_comes_back_with_its_parts(actor: Actor, whole: Document, number: int) -> None:
    """Whether some of them were selected too or not."""
    chosen = list(Document.objects.order_by("created_at"))[:number]
    work(ask(actor, "trash", chosen))
    assert count_listed(actor) == 0
    work(ask(actor, "restore", [whole]))
    assert count_listed(actor) == 4


def test_undoing_it_in_bulk_brings_all_back(actor: Actor, whole: Document) -> None:
    action = work(ask(actor, "trash", [whole]))
    work(bulk.undo(actor, action=action))
    assert count_listed(actor) == 4


def test_undoing_a_restoration_in_bulk_leaves_what_was_restored_on_its_own(actor: Actor, whole: Document) -> None:
    families.trash(actor, document=whole)
    own = Document.objects.filter(parent=whole).earliest("created_at")
    document_changes.restore(actor, document=own)
    action = work(ask(actor, "restore", [whole]))
    work(bulk.undo(actor, action=action))
    assert list(Document.objects.for_org(actor.organization)) == [own]


def test_a_program_deletes_a_whole_with_its_parts_and_is_told(
    api_as: Callable[[Actor], ApiClient], actor: Actor, whole: Document
) -> None:
    answer = api_as(actor).delete(f"/v0/orgs/{actor.organization.pk}/documents/{whole.pk}")
    assert answer.json() == {"message": "Document deleted successfully, with 3 documents in it"}
    assert count_listed(actor) == 0

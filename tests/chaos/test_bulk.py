"""Workers of a bulk action, killed with SIGKILL while they tag or rename documents."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta

import pytest
from django.db.models import Q
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import AuditEntry
from documents import bulk
from documents.bulk import working
from documents.models import BULK_LEASE, BulkAction, BulkItem, Document
from tests.chaos.killing import Victims
from tests.chaos.test_agent import SEED
from tests.documents.bulk.bulk_rows import ask, make_documents, make_tag, work

pytestmark = [pytest.mark.chaos, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("fork_server")]
PATIENCE = timedelta(seconds=0.5)
DOCUMENTS = 100


def schedule(slowness: float) -> None:
    """As the scheduler does, only that a lease counts as over sooner, and that nobody is given up."""
    silent = timezone.now() + BULK_LEASE.duration - PATIENCE * slowness
    BulkAction.objects.filter(status="running", lease_until__lt=silent).update(lease_until=timezone.now())
    working.requeue_lost_actions()
    BulkAction.objects.update(attempt=0)


def count_left() -> int:
    return BulkItem.objects.filter(status="pending").count() + BulkAction.objects.filter(finished_at=None).count()


@pytest.mark.parametrize("kind", ["tag", "change"])
def test_each_document_is_changed_once_and_changed_back_once_whoever_is_killed(kind: str, actor: Actor) -> None:
    documents, tag = make_documents(actor, DOCUMENTS), make_tag(actor)
    names = {document.pk: f"new {document.name}" for document in documents}
    action = ask(actor, kind, documents, **({"tag_id": tag.pk} if kind == "tag" else {"names": names}))
    victims = Victims("bulk", number=2, life=0.8, seed=SEED)
    try:
        victims.torment(left=count_left, between=schedule)
        kills = victims.kills
        action.refresh_from_db()
        assert (action.status, action.done_count) == ("done", DOCUMENTS)
        assert set(count_changes().values()) == {1} and len(count_changes()) == DOCUMENTS
        undo = bulk.undo(actor, action=action)
        victims.torment(left=count_left, between=schedule)
    finally:
        victims.end()
    print(f"{kills} and {victims.kills - kills} kills")
    assert kills >= 2
    assert work(undo).done_count == DOCUMENTS
    assert not Document.objects.filter(Q(tags=tag) | Q(name__startswith="new")).exists()
    assert set(count_changes().values()) == {2}


def count_changes() -> Counter[str]:
    """How often each document was changed."""
    rows = AuditEntry.objects.filter(action="changed", target_kind="document")
    return Counter(rows.values_list("target_id", flat=True))

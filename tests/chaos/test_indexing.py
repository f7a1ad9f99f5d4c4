"""Workers that index words, killed with SIGKILL while documents come, go and are read again."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.actor import Actor
from documents.models import INDEXING_LEASE
from tests.chaos.killing import Victims
from tests.chaos.test_agent import SEED
from tests.documents.find.moving_documents import MovingDocuments, check_index

pytestmark = [pytest.mark.chaos, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("fork_server")]
PATIENCE = timedelta(seconds=1)


def schedule(documents: MovingDocuments, slowness: float) -> None:
    """A lease counts as over sooner."""
    silent = timezone.now() + INDEXING_LEASE.duration - PATIENCE * slowness
    INDEXING_LEASE.list_working().filter(indexing_lease_until__lt=silent).update(indexing_lease_until=timezone.now())
    documents.change_some(5)


def test_nothing_is_missing_and_nothing_foreign_whoever_is_killed(actor: Actor, stranger: Actor) -> None:
    documents = MovingDocuments((actor, stranger), seed=SEED, number=40, changes=60)
    victims = Victims("index", number=2, life=0.4, seed=SEED)
    try:
        victims.torment(left=documents.count_left, between=lambda slowness: schedule(documents, slowness))
    finally:
        victims.end()
    print(f"{victims.kills} kills; {dict(documents.counts)}")
    assert victims.kills >= 2
    check_index(actor, stranger)
    check_index(stranger, actor)

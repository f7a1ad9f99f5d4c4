"""Workers that index words, killed with SIGKILL while documents come, go and are read again."""

from __future__ import annotations

import pytest

from accounts.actor import Actor
from tests.chaos.killing import Victims
from tests.chaos.test_agent import SEED
from tests.documents.search.moving_documents import MovingDocuments, check_index

pytestmark = [pytest.mark.chaos, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("fork_server")]


def test_nothing_is_missing_and_nothing_foreign_whoever_is_killed(actor: Actor, stranger: Actor) -> None:
    documents = MovingDocuments((actor, stranger), seed=SEED, number=40, changes=60)
    victims = Victims("index", number=2, life=0.4, seed=SEED)
    try:
        victims.torment(left=documents.count_left, between=lambda slowness: documents.change_some(5))
    finally:
        victims.end()
    print(f"{victims.kills} kills; {dict(documents.counts)}")
    assert victims.kills >= 2
    check_index(actor, stranger)
    check_index(stranger, actor)

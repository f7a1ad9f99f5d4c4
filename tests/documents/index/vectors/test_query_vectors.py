"""A search as numbers: made once, kept for a while, and never a reason to wait long."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.actor import Actor
from documents.index.vectors import query_vectors
from documents.index.vectors.query_vectors import VectorQuery, vectorize_by_worker, vectorize_here
from documents.models import Budget, QueryVector, Usage
from llm.money.spending import BudgetAccount
from tests.documents.index.vectors.embedded import MODEL, embed_concepts
from tests.scripted_model import ScriptedModel, fails
from tests.worker_thread import keep_working

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.servers]


@pytest.fixture
def never_late(monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy the machine is."""
    monkeypatch.setattr(query_vectors, "WAIT_SECONDS", 600)
    monkeypatch.setattr(query_vectors, "CALL_SECONDS", 600)


def vectorize(actor: Actor, text: str) -> VectorQuery:
    return vectorize_here(actor, BudgetAccount(actor.organization, "search", "turn"))(text)


def test_the_same_search_is_paid_once(concepts: ScriptedModel, actor: Actor, never_late: None) -> None:
    concepts.will(embed_concepts)
    first, second = vectorize(actor, "the  lease"), vectorize(actor, "the lease ")
    assert first == second and first.model == MODEL and len(first.vector) == 8 and not first.note
    assert Usage.objects.values_list("purpose", "subject_id").get() == ("search", "turn")


def test_an_old_one_is_made_anew_and_deleted(concepts: ScriptedModel, actor: Actor, never_late: None) -> None:
    concepts.will(embed_concepts, embed_concepts)
    vectorize(actor, "lease")
    QueryVector.objects.update(created_at=timezone.now() - timedelta(hours=1))
    assert vectorize(actor, "lease").vector and len(concepts.requests) == 2
    QueryVector.objects.update(created_at=timezone.now() - timedelta(hours=1))
    query_vectors.delete_old()
    assert not QueryVector.objects.exists()


def test_a_failure_is_a_note_and_is_not_repeated_at_once(
    concepts: ScriptedModel, actor: Actor, never_late: None
) -> None:
    concepts.will(fails(500))
    for _ in range(2):
        query = vectorize(actor, "lease")
        assert not query.vector and query.note.startswith("Words alone were searched. ")
    assert len(concepts.requests) == 1


def test_a_used_up_budget_says_so(concepts: ScriptedModel, actor: Actor, unpriced: None) -> None:
    Budget.objects.update_or_create(organization=actor.organization, defaults={"limit_micros": 0})
    assert "this month's budget" in vectorize(actor, "lease").note and not concepts.requests


def test_without_a_key_it_says_so(actor: Actor, settings: Any) -> None:
    settings.EMBEDDING_MODEL = "mistral/mistral-embed"
    assert "MISTRAL_API_KEY" in vectorize(actor, "lease").note


def test_without_a_model_there_is_nothing_to_say(actor: Actor) -> None:
    assert vectorize(actor, "lease") == vectorize_by_worker(actor)("lease") == VectorQuery()


def test_the_web_gets_it_from_a_worker(concepts: ScriptedModel, actor: Actor, never_late: None) -> None:
    concepts.will(embed_concepts)

    def embed_queries() -> None:
        for row in QueryVector.objects.filter(vector=None):
            query_vectors.embed_query(row.pk)

    with keep_working(embed_queries):
        assert len(vectorize_by_worker(actor)("lease").vector) == 8
    assert vectorize_by_worker(actor)("lease").vector and len(concepts.requests) == 1


def test_nobody_waits_long_for_a_worker_that_is_away(
    concepts: ScriptedModel, actor: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(query_vectors, "WAIT_SECONDS", 0.01)
    assert vectorize_by_worker(actor)("lease").note == query_vectors.TOO_SLOW
    QueryVector.objects.update(created_at=timezone.now() - timedelta(seconds=5))
    # Would not end: the next search does not wait at all.
    monkeypatch.setattr(query_vectors, "WAIT_SECONDS", 4)
    monkeypatch.setattr(query_vectors, "LOOK_SECONDS", 3_600)
    assert vectorize_by_worker(actor)("boiler").note == query_vectors.TOO_SLOW


def test_the_job_leaves_what_is_made_or_gone(concepts: ScriptedModel, actor: Actor, never_late: None) -> None:
    concepts.will(embed_concepts)
    vectorize(actor, "lease")
    query_vectors.embed_query(QueryVector.objects.get().pk)
    query_vectors.embed_query("0" * 24)
    assert len(concepts.requests) == 1

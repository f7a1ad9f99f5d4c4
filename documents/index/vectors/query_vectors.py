"""A search as numbers, kept for some minutes: made here by a worker, or asked of one and waited for a little.

The web process does not load what calls models. Whatever fails is a sentence in `note`, and words alone are searched.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import TypeAlias

from django.db import transaction
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Organization
from documents.index.vectors.choice import find_model
from documents.index.vectors.numbers import pack_vector
from documents.models import QueryVector
from kit import jobs
from kit.errors import AppError
from kit.jobs import Job
from kit.rows.connections import release_connection
from llm.client.wordless.embedding import embed
from llm.money.spending import BudgetAccount

PURPOSE = "search"
KEEP_FOR = timedelta(minutes=10)
# What failed is tried anew after this.
KEEP_FAILURE_FOR = timedelta(seconds=30)
CALL_SECONDS, WAIT_SECONDS, LOOK_SECONDS = 5.0, 2.5, 0.05
TOO_SLOW = "Words alone were searched: the embedding model did not answer in time."
FAILED = "Words alone were searched. {sentence}"


@dataclass(frozen=True)
class VectorQuery:
    """What a search is compared by. Without `vector` there is nothing to compare, and `note` may say why."""

    model: str = ""
    vector: bytes = b""
    note: str = ""


Vectorize: TypeAlias = Callable[[str], VectorQuery]
"""Makes the numbers of a search's words."""


def vectorize_here(actor: Actor, account: BudgetAccount) -> Vectorize:
    """For workers: calls the model, within `account`."""

    def vectorize(text: str) -> VectorQuery:
        row = _prepare_row(actor.organization, text)
        return _describe(_make_vector(row, account)) if row else VectorQuery()

    return vectorize


def vectorize_by_worker(actor: Actor) -> Vectorize:
    """For the web: a worker makes them. Nobody waits while others have waited in vain."""

    def vectorize(text: str) -> VectorQuery:
        row = _prepare_row(actor.organization, text)
        if row is None:
            return VectorQuery()
        if not _is_ready(row):
            with transaction.atomic():
                jobs.enqueue(Job.EMBED_QUERY, row.pk)
            _wait_for(row)
        return _describe(row)

    return vectorize


def recall_vector(actor: Actor) -> Vectorize:
    """What was asked for in the last minutes; nothing is asked of anybody."""

    def vectorize(text: str) -> VectorQuery:
        rows = QueryVector.objects.filter(organization=actor.organization, model=find_model(actor.organization))
        row = rows.filter(text=_clean(text), created_at__gt=timezone.now() - KEEP_FOR).first()
        return VectorQuery(row.model, bytes(row.vector)) if row and row.vector is not None else VectorQuery()

    return vectorize


def embed_query(row_id: str) -> None:
    """For the job."""
    row = QueryVector.objects.select_related("organization").filter(pk=row_id, vector=None, problem="").first()
    if row is not None:
        _make_vector(row, BudgetAccount(row.organization, PURPOSE, row.pk))


def delete_old() -> None:
    """For the scheduler."""
    QueryVector.objects.filter(created_at__lt=timezone.now() - KEEP_FOR).delete()


def _prepare_row(organization: Organization, text: str) -> QueryVector | None:
    model = find_model(organization)
    text = _clean(text)
    if not model or not text:
        return None
    now = timezone.now()
    old = QueryVector.objects.filter(organization=organization, model=model, text=text)
    old.filter(created_at__lt=now - KEEP_FOR).delete()
    old.filter(vector=None, created_at__lt=now - KEEP_FAILURE_FOR).delete()
    return QueryVector.objects.get_or_create(organization=organization, model=model, text=text)[0]


def _clean(text: str) -> str:
    return " ".join(text.split())[: QueryVector.MAX_LETTERS]


def _make_vector(row: QueryVector, account: BudgetAccount) -> QueryVector:
    if _is_ready(row):
        return row
    try:
        embedding = embed(row.model, [row.text], account=account, deadline_seconds=CALL_SECONDS)
        row.vector = pack_vector(embedding.vectors[0])
    except AppError as error:
        row.problem = FAILED.format(sentence=error.sentence)[:300]
    QueryVector.objects.filter(pk=row.pk).update(vector=row.vector, problem=row.problem)
    return row


def _wait_for(row: QueryVector) -> None:
    until = time.monotonic() + (0 if _is_late(row) else WAIT_SECONDS)
    while not _is_ready(row) and time.monotonic() < until:
        release_connection()
        time.sleep(LOOK_SECONDS)
        row = _read_again(row)


def _read_again(row: QueryVector) -> QueryVector:
    stored = QueryVector.objects.filter(pk=row.pk).first()
    if stored is not None:
        row.vector, row.problem = stored.vector, stored.problem
    return row


def _is_late(row: QueryVector) -> bool:
    """Whether an earlier search still waits, so that waiting for this one is in vain as well."""
    now = timezone.now()
    waiting = QueryVector.objects.filter(organization=row.organization, vector=None, problem="").exclude(pk=row.pk)
    limits = (now - KEEP_FAILURE_FOR, now - timedelta(seconds=WAIT_SECONDS))
    return waiting.filter(created_at__range=limits).exists()


def _is_ready(row: QueryVector) -> bool:
    return row.vector is not None or bool(row.problem)


def _describe(row: QueryVector) -> VectorQuery:
    if row.vector is None:
        return VectorQuery(row.model, note=row.problem or TOO_SLOW)
    return VectorQuery(row.model, bytes(row.vector))

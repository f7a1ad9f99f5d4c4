"""The documents whose values wait to be verified, and handing them out one by one."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Exists, OuterRef, QuerySet

from accounts.actor import Actor
from documents.catalog.filters.terms import TO_VERIFY, list_failing_runs
from documents.models import AutoSetup, Document
from documents.review import presence

Rows = QuerySet[Document, Document]
# So many that others are at are passed over.
MAX_PASSED = 50


def filter_to_verify(rows: Rows) -> Rows:
    """What is only proposed is decided first: to accept it is to look at its values."""
    offered = AutoSetup.objects.filter(document=OuterRef("pk"), status=AutoSetup.Status.PROPOSED)
    return rows.filter(TO_VERIFY, ~Exists(offered))


def filter_failing(rows: Rows) -> Rows:
    """Those with a run of which a value check fails."""
    return rows.filter(pk__in=list_failing_runs().values("document_id"))


def exclude_failing(rows: Rows) -> Rows:
    """Asked row by row: most of them have no such run."""
    return rows.filter(~Exists(list_failing_runs().filter(document=OuterRef("pk"))))


def hand_out(actor: Actor, document_ids: Iterable[str]) -> str | None:
    """The first of these that nobody else verifies; from then on the actor does."""
    return next((document_id for document_id in document_ids if presence.claim(actor, document_id)), None)

"""Filters for the documents whose values wait to be verified."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, QuerySet

from documents.find.filters.terms import TO_VERIFY, list_failing_runs
from documents.models import AutoSetup, Document

Rows = QuerySet[Document, Document]


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

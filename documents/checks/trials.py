"""What a check that is not saved yet would say of documents that are there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import OuterRef, Subquery

from documents.checks.findings import CheckResult
from documents.checks.results import try_checks
from documents.models import Document, Extraction, SchemaRevision
from kit.json_types import JsonObject

MAX_DOCUMENTS = 10


@dataclass(frozen=True)
class Trial:
    document: Document
    extraction: Extraction
    results: list[CheckResult]


def try_on_documents(revision: SchemaRevision, checks: Sequence[JsonObject]) -> list[Trial]:
    """Of the newest documents that have values of this schema. Nothing is stored. Raises Invalid."""
    return [
        Trial(run.document, run, try_checks(run, revision, checks)) for run in _list_newest_runs(revision.schema_id)
    ]


def _list_newest_runs(schema_id: str) -> list[Extraction]:
    """The newest of each document."""
    completed = Extraction.objects.filter(status=Extraction.Status.COMPLETED, schema_revision__schema=schema_id)
    latest = completed.filter(document=OuterRef("document")).order_by("-number").values("pk")[:1]
    newest = completed.filter(pk=Subquery(latest), document__trashed_at=None)
    return list(newest.select_related("document").order_by("-created_at", "-pk")[:MAX_DOCUMENTS])

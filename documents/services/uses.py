"""How many prompts and documents use a schema or prompt: one query for a page of rows. The trash does not count."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Count, Model, QuerySet

from documents.models import Extraction, Prompt, PromptRevision, Schema

Counts = dict[str, int]


def prompts_of_schemas(schemas: Iterable[Schema]) -> Counts:
    """Old revisions of a prompt count too: a schema that one of them uses cannot be deleted either."""
    using = PromptRevision.objects.filter(schema_revision__schema__in=list(schemas), prompt__trashed_at=None)
    return _counted(using, "schema_revision__schema", "prompt")


def documents_of_prompts(prompts: Iterable[Prompt]) -> Counts:
    """Documents with a finished extraction of any revision."""
    runs = _finished().filter(prompt_revision__prompt__in=list(prompts))
    return _counted(runs, "prompt_revision__prompt", "document")


def documents_of_schema(schema: Schema) -> int:
    runs = _finished().filter(prompt_revision__schema_revision__schema=schema)
    return runs.aggregate(number=Count("document", distinct=True))["number"]  # type: ignore[no-any-return]


def _finished() -> QuerySet[Extraction]:
    return Extraction.objects.filter(status=Extraction.Status.COMPLETED, document__trashed_at=None)


def _counted(rows: QuerySet[Model], owner: str, counted: str) -> Counts:
    pairs = rows.order_by().values(owner).annotate(number=Count(counted, distinct=True))
    return dict(pairs.values_list(owner, "number"))

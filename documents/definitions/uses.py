"""How many prompts and documents use a schema, prompt or tag: one query for a page of rows. The trash does not count.

What counts documents is remembered until something changes: a tag can be on half of all there are.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Count, Model, QuerySet

from documents.models import Document, Extraction, Prompt, PromptRevision, Schema, Tag
from kit.events import organization_group
from kit.group_cache import get_or_compute, query_key

Counts = dict[str, int]
Owners = Sequence[Schema] | Sequence[Prompt] | Sequence[Tag]


def count_prompts_of_schemas(schemas: Sequence[Schema]) -> Counts:
    """Old revisions of a prompt count too: a schema that one of them uses cannot be deleted either."""
    using = PromptRevision.objects.filter(schema_revision__schema__in=schemas, prompt__trashed_at=None)
    return _count_by_owner(schemas, using, "schema_revision__schema", "prompt")


def count_prompts_of_tags(tags: Sequence[Tag]) -> Counts:
    """Old revisions count here as well."""
    carrying = PromptRevision.tags.through.objects.filter(tag__in=tags, promptrevision__prompt__trashed_at=None)
    return _count_by_owner(tags, carrying, "tag", "promptrevision__prompt")


def count_documents_of_tags(tags: Sequence[Tag]) -> Counts:
    return _count_by_owner(
        tags, Document.tags.through.objects.filter(tag__in=tags, document__trashed_at=None), "tag", "pk"
    )


def count_documents_of_prompts(prompts: Sequence[Prompt]) -> Counts:
    """Documents with a finished extraction of any revision."""
    runs = _list_finished().filter(prompt_revision__prompt__in=prompts)
    return _count_by_owner(prompts, runs, "prompt_revision__prompt", "document")


def count_documents_of_schema(schema: Schema) -> int:
    runs = _list_finished().filter(prompt_revision__schema_revision__schema=schema)
    return _count_by_owner([schema], runs, "prompt_revision__schema_revision__schema", "document").get(schema.pk, 0)


def _list_finished() -> QuerySet[Extraction]:
    return Extraction.objects.filter(status=Extraction.Status.COMPLETED, document__trashed_at=None)


def _count_by_owner(owners: Owners, rows: QuerySet[Model], owner: str, counted: str) -> Counts:
    """Of owners that belong to one organization."""
    if not owners:
        return {}
    numbers = rows.order_by().values(owner).annotate(number=Count(counted, distinct=True))
    pairs = numbers.values_list(owner, "number")
    return get_or_compute(organization_group(owners[0].organization_id), query_key(pairs), lambda: dict(pairs))

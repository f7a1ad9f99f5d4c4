"""From a document to the tag that starts its extraction: document, schema, prompt, tag, each where it is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from documents.definitions import uses
from documents.models import Document, Prompt, PromptRevision, Schema, Tag


@dataclass(frozen=True)
class Chain:
    """What is missing is None; `further` is how many other prompts there are. `documents` counts those behind it.

    `current` is the link that the page is about: document, schema, prompt or tag.
    """

    current: str
    document: Document | None = None
    documents: int = 0
    schema: Schema | None = None
    prompt: Prompt | None = None
    further: int = 0
    tag: Tag | None = None


def trace_document(document: Document, revision: PromptRevision | None) -> Chain:
    """`revision` is what was run on it; without one the prompt that its tags would start."""
    tags = list(document.tags.all())
    prompt = _fetch_prompt(revision.prompt_id) if revision else _list_prompts_of_tags(tags).first()
    used = revision or (prompt.latest if prompt else None)
    own = [tag for tag in _list_tags(prompt) if tag in tags]
    return Chain("document", document, 0, _get_schema(used), prompt, 0, next(iter(own or _list_tags(prompt)), None))


def trace_prompt(prompt: Prompt, shown: PromptRevision) -> Chain:
    documents = uses.count_documents_of_prompts([prompt]).get(prompt.pk, 0)
    return Chain("prompt", None, documents, _get_schema(shown), prompt, 0, next(iter(_list_tags(prompt)), None))


def trace_schema(schema: Schema) -> Chain:
    using = Prompt.objects.for_org(schema.organization).filter(latest__schema_revision__schema=schema)
    prompts = _with_latest(using)
    prompt = prompts.first()
    tag = next(iter(_list_tags(prompt)), None)
    return Chain("schema", None, uses.count_documents_of_schema(schema), schema, prompt, _count_further(prompts), tag)


def trace_tag(tag: Tag) -> Chain:
    prompts = _list_prompts_of_tags([tag])
    prompt = prompts.first()
    documents = uses.count_documents_of_tags([tag]).get(tag.pk, 0)
    schema = _get_schema(prompt.latest if prompt else None)
    return Chain("tag", None, documents, schema, prompt, _count_further(prompts), tag)


def _list_prompts_of_tags(tags: Sequence[Tag]) -> QuerySet[Prompt]:
    if not tags:
        return Prompt.objects.none()
    carrying = PromptRevision.tags.through.objects.filter(tag__in=tags).values("promptrevision")
    return _with_latest(Prompt.objects.for_org(tags[0].organization).filter(latest__in=carrying))


def _with_latest(prompts: QuerySet[Prompt]) -> QuerySet[Prompt]:
    related = prompts.select_related("latest__schema_revision__schema").prefetch_related("latest__tags")
    return related.defer("latest__content").order_by("name_folded", "pk")


def _fetch_prompt(prompt_id: str) -> Prompt | None:
    return _with_latest(Prompt.objects.filter(pk=prompt_id, trashed_at=None)).first()


def _list_tags(prompt: Prompt | None) -> list[Tag]:
    """That start it: those of its latest revision."""
    return list(prompt.latest.tags.all()) if prompt and prompt.latest else []


def _get_schema(revision: PromptRevision | None) -> Schema | None:
    schema = revision.schema_revision.schema if revision and revision.schema_revision else None
    return schema if schema and schema.trashed_at is None else None


def _count_further(prompts: QuerySet[Prompt]) -> int:
    return max(0, prompts.count() - 1)

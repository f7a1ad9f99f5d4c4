"""How far a change of something shared reaches: this document alone, or others of the organization too.

What another person than the thread's owner has made always counts as used elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Q, QuerySet

from agent.toolkit.registry import Reach, ToolContext
from agent.toolkit.signatures import Arguments
from documents.models import Document, Extraction, Prompt, PromptRevision, Schema, Tag

OTHER = "This is another document than the one of this thread."


def warn_of_other(context: ToolContext, document: Document | None) -> list[str]:
    """Where the thread is about no document, every card is for another one, and its title says which."""
    own_id = context.thread.document_id
    return [OTHER] if own_id and document and document.pk != own_id else []


def of_named_document(context: ToolContext, arguments: Arguments) -> Reach:
    """Of the tools whose `document` may name another one than the thread's."""
    return _reach("document" in arguments or context.thread.document_id is None)


def of_document(context: ToolContext, document_id: str) -> Reach:
    return _reach(document_id != context.thread.document_id)


def of_tags_added(context: ToolContext, tags: Iterable[Tag]) -> Reach:
    """A tag that a prompt runs on starts it."""
    prompts = Prompt.objects.for_org(context.actor.organization)
    return _reach(prompts.filter(latest__tags__in=list(tags)).exists())


def of_schema(context: ToolContext, schema: Schema) -> Reach:
    prompts = Prompt.objects.for_org(schema.organization).filter(revisions__schema_revision__schema=schema).distinct()
    elsewhere = _runs_elsewhere(context, Q(schema_revision__schema=schema))
    return _reach(
        _is_others(context, schema) or elsewhere or any(_serves_others(context, prompt) for prompt in prompts)
    )


def of_prompt(context: ToolContext, prompt: Prompt) -> Reach:
    return _reach(_serves_others(context, prompt))


def of_shared(context: ToolContext, arguments: object) -> Reach:
    """A tag is in everybody's list from the moment it is made, and what is deleted is gone for everybody."""
    return Reach.ORGANIZATION


def _serves_others(context: ToolContext, prompt: Prompt) -> bool:
    tagged = PromptRevision.tags.through.objects.filter(promptrevision_id=prompt.latest_id)
    return _is_others(context, prompt) or tagged.exists() or _runs_elsewhere(context, Q(prompt_revision__prompt=prompt))


def _runs_elsewhere(context: ToolContext, which: Q) -> bool:
    runs: QuerySet[Extraction] = Extraction.objects.for_org(context.actor.organization).filter(which)
    return runs.exclude(status=Extraction.Status.WITHDRAWN).exclude(document=context.thread.document_id).exists()


def _is_others(context: ToolContext, row: Schema | Prompt) -> bool:
    return row.created_by_id != context.thread.owner_id


def _reach(further: bool) -> Reach:
    return Reach.ORGANIZATION if further else Reach.DOCUMENT

"""Prompts, read: which there are, and what one says."""

from __future__ import annotations

from django.conf import settings

from agent.toolkit.registry import Result, ToolContext, tool
from agent.tools import lookup
from agent.tools.definitions.shared import resolve_revision, summarize_revision
from agent.tools.listing import build_list, read_window, summarize_list
from documents.definitions import prompts
from documents.definitions.definitions import describe_ids
from documents.find import lists
from documents.models import Prompt, PromptRevision
from documents.reading.page_text import make_data_block
from kit.paging import part_of
from kit.rows.grid import arrange


@tool(
    category="definition",
    access="read",
    title="List prompts",
    icon="i-message-square-text",
    summary=summarize_list("prompt"),
    is_rare=True,
)
def list_prompts(
    context: ToolContext,
    skip: int | None = None,
    limit: int | None = None,
    name_search: str | None = None,
    document_id: str | None = None,
    tag_ids: list[str] | None = None,
) -> Result:
    """The prompts of the organization in their latest version, the newest first, without their text.

    skip: how many to leave out from the start
    limit: how many to show, 1 to 100; without it 20
    name_search: part of the name, taken literally; case does not matter
    document_id: only prompts that share a tag with this document, which are those that run on it by themselves
    tag_ids: only prompts that carry all of these tags
    """
    document = lookup.find_document(context, document_id) if document_id else None
    carried = [tag.pk for tag in lookup.find_tags(context, tag_ids or [])]
    rows = lists.list_prompts(context.actor, tag_ids=carried, document=document)
    rows = rows.select_related("organization", "latest__schema_revision__schema")
    at = read_window(skip, limit)
    return build_list(
        "prompts", part_of(arrange(rows, lists.PROMPTS, name_search=name_search or ""), at), at, _describe_row
    )


def _describe_row(prompt: Prompt) -> Result:
    assert prompt.latest is not None  # noqa: S101 - the list leaves out prompts without one
    prompt.latest.prompt = prompt
    return describe_revision(prompt.latest)


def describe_revision(revision: PromptRevision) -> Result:
    """All but the text."""
    schema = revision.schema_revision
    return {
        "name": revision.prompt.name,
        **describe_ids(revision),
        "schema": {
            "schema_id": schema.schema_id,
            "schema_revid": schema.pk,
            "schema_version": schema.number,
            "name": schema.schema.name,
        }
        if schema
        else None,
        "model": revision.model or "the organization's own",
        "tags": [{"tag_id": tag.pk, "name": tag.name} for tag in revision.tags.all()],
    }


@tool(
    category="definition",
    access="read",
    title="Read a prompt",
    icon="i-message-square-text",
    resolve=resolve_revision("prompt", lookup.find_prompt_revision, but=lookup.DEFAULT),
    summary=summarize_revision("prompt"),
)
def get_prompt(context: ToolContext, prompt_revid: str) -> Result:
    """One version of a prompt with its text, schema, model and tags.

    prompt_revid: a prompt or one of its versions; "default" is the built-in summary
    """
    if prompt_revid == lookup.DEFAULT:
        return _describe_built_in(context)
    revision = lookup.find_prompt_revision(context, prompt_revid)
    result = {**describe_revision(revision), "content": make_data_block("prompt", revision.content)}
    latest = revision.prompt.latest_id
    return {**result, "latest_prompt_revid": latest} if latest not in (None, revision.pk) else result


def _describe_built_in(context: ToolContext) -> Result:
    model = settings.EXTRACTION_MODEL
    result = {"name": prompts.DEFAULT_NAME, "prompt_revid": lookup.DEFAULT, "prompt_version": 1}
    return {**result, "schema": None, "model": model, "tags": [], "content": prompts.DEFAULT_CONTENT}

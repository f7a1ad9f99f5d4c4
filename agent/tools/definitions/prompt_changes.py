"""Prompts, changed: create one, save a new version, move one to the trash."""

from __future__ import annotations

from collections.abc import Mapping

from django.db.models import prefetch_related_objects

from agent.toolkit.registry import Reach, Result, ToolContext, tool
from agent.toolkit.signatures import Arguments
from agent.tools import lookup, reach
from agent.tools.definitions.prompt_previews import (
    find_named_schema,
    find_prompt_changes,
    find_schema_after,
    get_base,
    is_proposed,
    preview_creation,
    preview_prompt_change,
    preview_prompt_deletion,
)
from agent.tools.definitions.shared import move_to_trash, preconditions_of_change, save_change
from agent.tools.hooks import (
    inverse_by,
    keep_changed,
    preconditions_of,
    preconditions_of_free_name,
    resolve_id,
)
from documents.definitions import prompts
from documents.definitions.definitions import describe_ids
from documents.definitions.prompts import PromptContent
from documents.models import PromptRevision
from kit.errors import Invalid
from kit.json_types import Json

PARTS = ("name", "content", "schema_id", "tag_ids", "model")
MAX_REPLACEMENTS = 50
NOTHING = "Nothing would change: give a name, content, schema_id, tag_ids or model that differs from now."


def _pin_schema(context: ToolContext, arguments: Arguments) -> Arguments:
    """With the schema's version and the tags' ids written out: what is called so later is not what was approved."""
    if arguments.get("tag_ids"):
        arguments = {**arguments, "tag_ids": [tag.pk for tag in lookup.find_tags(context, arguments["tag_ids"])]}
    if not arguments.get("schema_id"):
        return {name: value for name, value in arguments.items() if not name.startswith("schema_")}
    schema_id, version = arguments["schema_id"], arguments.get("schema_version")
    revision = lookup.find_schema_revision(context, schema_id, version)
    in_force = revision.schema.latest
    if in_force and version is None and schema_id == revision.schema_id and not context.is_headless:
        revision = in_force  # A new prompt is no part of a proposal.
    return {**arguments, "schema_id": revision.schema_id, "schema_version": revision.number}


def _reach_of_new(context: ToolContext, arguments: Arguments) -> Reach:
    schema = find_named_schema(context, arguments.get("schema_id"), arguments.get("schema_version"))
    further = arguments.get("tag_ids") or (is_proposed(schema) and not context.is_headless)
    return Reach.ORGANIZATION if further else Reach.DOCUMENT


@tool(
    category="definition",
    access="write",
    title="Create prompt",
    icon="i-message-square-text",
    creates=True,
    unlisted=("schema_version", "model"),
    resolve=_pin_schema,
    reach=_reach_of_new,
    preconditions=preconditions_of_free_name("prompt"),
    preview=preview_creation,
    inverse=inverse_by("prompts.trash", "prompt", ["name", "definition"]),
)
def create_prompt(
    context: ToolContext,
    name: str,
    content: str,
    schema_id: str | None = None,
    schema_version: int | None = None,
    model: str | None = None,
    tag_ids: list[str] | None = None,
) -> Result:
    """Creates a prompt, the instructions for extractions, under a name that is free.

    name: mostly the name of its schema
    content: what kind of document this is, what to look for and how to tell similar values apart
    schema_id: the schema whose fields it fills
    schema_version: without it the latest
    model: without it the organization's own
    tag_ids: it runs by itself on what gets one of these tags
    """
    revision = prompts.create(
        context.actor,
        name=name,
        content=content,
        model=model or "",
        tags=lookup.find_tags(context, tag_ids or []),
        schema_revision=find_named_schema(context, schema_id, schema_version),
        proposed=context.is_headless,
    )
    context.remember(prompt_revid=revision.pk)
    return describe_ids(revision)


def _pin_change(context: ToolContext, arguments: Arguments) -> Arguments:
    """With the id of the schema's version in the place of the schema's: a later version is not what was approved."""
    prompt = lookup.find_prompt(context, arguments["prompt_id"])
    latest = get_base(context, prompt)
    pinned = {**_follow_schema(context, latest, _write_out_text(latest, arguments)), "prompt_id": prompt.pk}
    if pinned.get("schema_id"):
        pinned["schema_id"] = lookup.find_schema_revision(context, pinned["schema_id"]).pk
    if "tag_ids" in pinned:
        pinned["tag_ids"] = [tag.pk for tag in lookup.find_tags(context, pinned["tag_ids"])]
    return keep_changed(pinned, find_prompt_changes(latest, pinned), PARTS)


def _write_out_text(latest: PromptRevision, arguments: Arguments) -> Arguments:
    """With the whole new text in the place of single replacements: that is what the card shows and what is approved."""
    plain = {part: value for part, value in arguments.items() if part != "replace"}
    if "replace" not in arguments:
        return plain
    if "content" in plain:
        raise Invalid("Give either the whole content or replace, not both.")
    return {**plain, "content": _replace(latest.content, arguments["replace"])}


def _replace(text: str, replacements: Mapping[str, Json]) -> str:
    """One after the other. Raises Invalid for a text that is there never or more than once."""
    if len(replacements) > MAX_REPLACEMENTS:
        raise Invalid(f"There are {len(replacements)} replacements; {MAX_REPLACEMENTS} are the most. Give the content.")
    for old, new in replacements.items():
        count = text.count(old) if old else 0
        if count != 1:
            there = f"{count} times" if count else "nowhere"
            raise Invalid(f"{old[:80]!r} is {there} in the prompt. Give a part that is there once, as it is.")
        if not isinstance(new, str):
            raise Invalid(f"What replaces {old[:80]!r} has to be text; an empty text takes it out.")
        text = text.replace(old, new)
    return text


def _follow_schema(context: ToolContext, latest: PromptRevision, arguments: Arguments) -> Arguments:
    """With the schema's newest version, and its name, written out where `follow_schema` asks for them.

    A turn that nobody watches renames nothing that is in force: of such a prompt it proposes a version alone.
    """
    plain = {part: value for part, value in arguments.items() if part != "follow_schema"}
    if not arguments.get("follow_schema"):
        return plain
    if latest.schema_revision is None:
        raise Invalid(f"The prompt “{latest.prompt.name}” has no schema to follow. Give a schema_id.")
    schema = latest.schema_revision.schema
    named = {} if context.is_headless and latest.prompt.latest_id else {"name": schema.name}
    return {"schema_id": schema.pk, **named, **plain}


def _reach(context: ToolContext, arguments: Arguments) -> Reach:
    prompt = lookup.find_prompt(context, arguments["prompt_id"])
    latest = get_base(context, prompt)
    if "tag_ids" in find_prompt_changes(latest, arguments):
        return Reach.ORGANIZATION
    # A proposed revision changes nothing for anybody else.
    if context.proposes(prompt):
        return Reach.DOCUMENT
    filled = find_schema_after(context, latest, arguments)
    return Reach.ORGANIZATION if is_proposed(filled) else reach.of_prompt(context, prompt)


@tool(
    category="definition",
    access="write",
    title="Change prompt",
    icon="i-message-square-text",
    unlisted=("model",),
    resolve=_pin_change,
    reach=_reach,
    preconditions=preconditions_of_change("prompt", {part: part for part in PARTS}),
    preview=preview_prompt_change,
    inverse=inverse_by("prompts.return_to", "prompt", {"name": "name", "prompt_revid": "definition"}),
)
def update_prompt(
    context: ToolContext,
    prompt_id: str,
    content: str | None = None,
    schema_id: str | None = None,
    tag_ids: list[str] | None = None,
    model: str | None = None,
    name: str | None = None,
    follow_schema: bool = False,
    replace: dict[str, str] | None = None,
) -> Result:
    """Saves a new version of a prompt, or renames it. The rest stays as it is.

    prompt_id: its id or name
    content: the whole new text
    schema_id: the schema that it fills; an empty text takes it away
    tag_ids: all its tags from then on; it runs by itself on what gets one of them
    model: as list_llm_models gives it; an empty text means the organization's own
    name: the new one
    follow_schema: true takes the latest version and the name of the schema that it has
    replace: in place of content: parts of the text that are there once, and what comes in their place
    """
    prompt = lookup.find_prompt(context, prompt_id)
    latest = get_base(context, prompt)
    prefetch_related_objects([latest], "tags")
    # `follow_schema` and `replace` were written out as schema_id, name and content before anybody approved them.
    new: PromptContent = {"content": content, "model": model}
    requested = {"name": name, "content": content, "tag_ids": tag_ids, "model": model}
    if schema_id is not None:
        schema = new["schema_revision"] = find_named_schema(context, schema_id)
        requested["schema_id"] = schema.pk if schema else ""
    changes = find_prompt_changes(latest, requested)
    if not changes:
        raise Invalid(NOTHING)
    new["tags"] = None if tag_ids is None else lookup.find_tags(context, tag_ids)
    return describe_ids(save_change(context, prompts.PROMPTS, prompt, latest, changes, new))


@tool(
    category="definition",
    access="destructive",
    title="Delete prompt",
    icon="i-trash-2",
    resolve=resolve_id("prompt", lookup.find_prompt),
    reach=reach.of_shared,
    # Not what it extracted: that stays, and extractions end by themselves while a card waits.
    preconditions=preconditions_of("prompt", ["name", "version"]),
    preview=preview_prompt_deletion,
    inverse=inverse_by("prompts.restore", "prompt", ["trash"]),
    is_rare=True,
)
def delete_prompt(context: ToolContext, prompt_id: str) -> Result:
    """Moves a prompt with all its versions to the trash. Its results stay.

    prompt_id: its id or name
    """
    return move_to_trash(context, prompts.PROMPTS, lookup.find_prompt(context, prompt_id))

"""Prompts, changed: create one, save a new version, move one to the trash."""

from __future__ import annotations

from typing import Any

from django.db.models import prefetch_related_objects

from agent.toolkit.preconditions import base_revision
from agent.toolkit.previews import ArgumentRow, ChangeRow, Preview, change_row, format_count, quote_names
from agent.toolkit.registry import Reach, Result, ToolContext, tool
from agent.toolkit.signatures import Arguments
from agent.tools import lookup, reaching
from agent.tools.hooks import (
    Changes,
    find_changes,
    inverse_by,
    keep_changed,
    preconditions_of,
    preconditions_of_changed,
    preconditions_of_free_name,
    resolve_id,
)
from agent.tools.prompts import describe_ids
from documents.autosetup import refining
from documents.definitions import prompts
from documents.definitions.definitions import Keep, get_newest_revision, get_next_number
from documents.definitions.text_changes import list_changed_lines
from documents.model_access import models_catalogue
from documents.models import Document, Extraction, Prompt, PromptRevision, Revision, SchemaRevision, Tag
from kit.errors import Invalid

STARTS_NOTHING = "No tag starts it: it runs when somebody asks for it."
PARTS = ("content", "schema_id", "tag_ids", "model")


def _pin_schema(context: ToolContext, arguments: Arguments) -> Arguments:
    """With the schema's version written out: a later version is not what was approved."""
    if not arguments.get("schema_id"):
        return {name: value for name, value in arguments.items() if not name.startswith("schema_")}
    schema_id, version = arguments["schema_id"], arguments.get("schema_version")
    revision = lookup.find_schema_revision(context, schema_id, version)
    in_force = revision.schema.latest
    if in_force and version is None and schema_id == revision.schema_id and not context.is_headless:
        revision = in_force  # A new prompt is no part of a proposal.
    return {**arguments, "schema_id": revision.schema_id, "schema_version": revision.number}


def _reach_of_new(context: ToolContext, arguments: Arguments) -> Reach:
    schema = _find_schema(context, arguments.get("schema_id"), arguments.get("schema_version"))
    further = arguments.get("tag_ids") or (_is_proposed(schema) and not context.is_headless)
    return Reach.ORGANIZATION if further else Reach.DOCUMENT


def _is_proposed(schema: SchemaRevision | None) -> bool:
    """A prompt in force puts such a schema in force with it, for everybody: that is for a person to decide."""
    return schema is not None and schema.status == Revision.Status.PROPOSED


def _puts_in_force(schema: SchemaRevision | None, *, proposes: bool) -> list[str]:
    if schema is None or proposes or not _is_proposed(schema):
        return []
    return [f"Puts version {schema.number} of the schema “{schema.schema.name}” into force: it is only proposed yet."]


def _preview_creation(context: ToolContext, arguments: Arguments) -> Preview:
    schema = _find_schema(context, arguments.get("schema_id"), arguments.get("schema_version"))
    tags = lookup.find_tags(context, arguments.get("tag_ids") or [])
    rows: list[ArgumentRow] = [
        {"name": "Schema", "value": _schema_words(schema)},
        {"name": "Model", "value": _model_words(context, arguments.get("model") or "")},
    ]
    if tags:
        rows.append({"name": "Tags", "value": _tag_words(tags)})
    return {
        "title": f"Create prompt “{arguments['name']}”",
        "done": f"Created prompt “{arguments['name']}”",
        "subtitle": format_count(len(arguments["content"].split()), "word"),
        "rows": rows,
        "text": arguments["content"],
        "effect": f"Adds one prompt. {_describe_triggers(context, tags)}",
        "warnings": _puts_in_force(schema, proposes=context.is_headless),
    }


def _find_schema(context: ToolContext, schema_id: str | None, version: int | None = None) -> SchemaRevision | None:
    return lookup.find_schema_revision(context, schema_id, version) if schema_id else None


def _schema_words(revision: SchemaRevision | None) -> str:
    return f"{revision.schema.name}, version {revision.number}" if revision else "none: the answer is plain text"


def _model_words(context: ToolContext, model: str) -> str:
    return model or f"{models_catalogue.default_extraction_model(context.actor.organization)} (the default)"


def _tag_words(tags: list[Tag]) -> str:
    return ", ".join(sorted(tag.name for tag in tags)) or "none"


def _describe_triggers(context: ToolContext, tags: list[Tag]) -> str:
    if not tags:
        return STARTS_NOTHING
    now = Document.objects.for_org(context.actor.organization).filter(tags__in=tags).distinct().count()
    names = quote_names([tag.name for tag in tags])
    carrying = f"{format_count(now, 'document')} carr{'ies' if now == 1 else 'y'}" if now else "No document carries"
    return f"It runs on each new document tagged {names}. {carrying} such a tag now."


@tool(
    group="prompts",
    access="write",
    title="Create prompt",
    icon="i-message-square-text",
    creates=True,
    resolve=_pin_schema,
    reach=_reach_of_new,
    preconditions=preconditions_of_free_name("prompt"),
    preview=_preview_creation,
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
    """Creates a prompt, the instructions for extractions. A name that exists is refused; answers prompt_revid.
    help_prompts has the rules.

    name: what people call it, mostly the name of its schema
    content: what kind of document this is, what to look for and how to tell similar values apart
    schema_id: the schema whose fields it fills
    schema_version: without it the latest
    model: without it the organization's own
    tag_ids: the prompt then runs by itself on each new document with one of these tags
    """
    revision = prompts.create(
        context.actor,
        name=name,
        content=content,
        model=model or "",
        tags=lookup.find_tags(context, tag_ids or []),
        schema_revision=_find_schema(context, schema_id, schema_version),
        proposed=context.is_headless,
    )
    context.remember(prompt_revid=revision.pk)
    return describe_ids(revision)


def _pin_change(context: ToolContext, arguments: Arguments) -> Arguments:
    """With the id of the schema's version in the place of the schema's: a later version is not what was approved."""
    prompt = lookup.find_prompt(context, arguments["prompt_id"])
    pinned = {**arguments, "prompt_id": prompt.pk}
    if pinned.get("schema_id"):
        pinned["schema_id"] = lookup.find_schema_revision(context, pinned["schema_id"]).pk
    if "tag_ids" in pinned:
        pinned["tag_ids"] = [tag.pk for tag in lookup.find_tags(context, pinned["tag_ids"])]
    return keep_changed(pinned, _find_changes(base_revision(context, prompt), pinned), PARTS)


def _find_changes(revision: PromptRevision, arguments: Arguments) -> Changes:
    """Schema and tags as ids."""
    was = {
        "content": revision.content,
        "schema_id": revision.schema_revision_id or "",
        "model": revision.model,
        "tag_ids": sorted(tag.pk for tag in revision.tags.all()),
    }
    tag_ids = arguments.get("tag_ids")
    return find_changes(was, {**arguments, "tag_ids": None if tag_ids is None else sorted(tag_ids)})


def _reach(context: ToolContext, arguments: Arguments) -> Reach:
    prompt = lookup.find_prompt(context, arguments["prompt_id"])
    latest = base_revision(context, prompt)
    if "tag_ids" in _find_changes(latest, arguments):
        return Reach.ORGANIZATION
    # A proposed revision changes nothing for anybody else.
    if context.proposes(prompt):
        return Reach.DOCUMENT
    filled = _find_schema_after(context, latest, arguments)
    return Reach.ORGANIZATION if _is_proposed(filled) else reaching.of_prompt(context, prompt)


def _find_schema_after(context: ToolContext, latest: PromptRevision, arguments: Arguments) -> SchemaRevision | None:
    """The schema that it has after the change."""
    if arguments.get("schema_id") is not None:
        return _find_schema(context, arguments["schema_id"])
    return latest.schema_revision


def _preview_change(context: ToolContext, arguments: Arguments) -> Preview:
    prompt = lookup.find_prompt(context, arguments["prompt_id"])
    latest, number = base_revision(context, prompt), get_next_number(prompt)
    prefetch_related_objects([latest], "tags")
    changed = _find_changes(latest, arguments)
    in_force = _puts_in_force(_find_schema_after(context, latest, arguments), proposes=context.proposes(prompt))
    lines = list_changed_lines(*changed["content"]) if "content" in changed else []
    tags = lookup.find_tags(context, arguments["tag_ids"]) if "tag_ids" in changed else list(latest.tags.all())
    return {
        "title": f"Change prompt “{prompt.name}”",
        "done": f"Changed prompt “{prompt.name}”",
        "subtitle": f"version {latest.number} → {number}",
        "changes": [
            _build_change_row(context, latest, part, changed[part][1]) for part in changed if part != "content"
        ],
        "lines": [{"kind": line.kind, "text": line.text} for line in lines],
        "used_by": _list_uses(prompt),
        "effect": f"Adds version {number}. {_describe_triggers(context, tags)} Earlier extractions stay.",
        "warnings": [*in_force, *_list_warnings(latest, changed)],
    }


def _build_change_row(context: ToolContext, latest: PromptRevision, part: str, new: Any) -> ChangeRow:
    if part == "schema_id":
        schema = _find_schema(context, new)
        return change_row("Schema", _schema_words(latest.schema_revision), _schema_words(schema))
    if part == "model":
        return change_row("Model", _model_words(context, latest.model), _model_words(context, new))
    return change_row("Tags", _tag_words(list(latest.tags.all())), _tag_words(lookup.find_tags(context, new)))


def _list_uses(prompt: Prompt) -> list[str]:
    done = Extraction.objects.filter(prompt_revision__prompt=prompt, status=Extraction.Status.COMPLETED)
    documents = done.filter(document__trashed_at=None).values("document").distinct().count()
    return [f"{format_count(documents, 'document')} with an extraction by it"] if documents else []


def _list_warnings(latest: PromptRevision, changed: Changes) -> list[str]:
    """A prompt stays with the version of its schema that it names; a person may expect otherwise."""
    used = latest.schema_revision
    newer = used.schema.latest if used else None
    if "schema_id" in changed or used is None or newer is None or newer.number <= used.number:
        return []
    return [f"It keeps version {used.number} of the schema “{used.schema.name}”. There is a newer one."]


@tool(
    group="prompts",
    access="write",
    title="Change prompt",
    icon="i-message-square-text",
    resolve=_pin_change,
    reach=_reach,
    preconditions=preconditions_of_changed("prompt", {part: part for part in PARTS}),
    preview=_preview_change,
    inverse=inverse_by("prompts.return_to", "prompt", ["definition"]),
)
def update_prompt(
    context: ToolContext,
    prompt_id: str,
    content: str | None = None,
    schema_id: str | None = None,
    tag_ids: list[str] | None = None,
    model: str | None = None,
) -> Result:
    """Saves a new version of a prompt; answers prompt_revid. What is not given stays as it is.

    prompt_id: as list_prompts gives it
    content: the whole new text; start from what get_prompt gives
    schema_id: the schema whose fields it fills, in its latest version; a schema_revid names another version; an empty text takes the schema away
    tag_ids: all tags that it carries from then on; it runs by itself on each new document with one of them
    model: as list_llm_models gives it; an empty text means the organization's own
    """  # noqa: E501 - one line a parameter
    prompt = lookup.find_prompt(context, prompt_id)
    latest = base_revision(context, prompt)
    prefetch_related_objects([latest], "tags")
    schema = Keep.AS_IS if schema_id is None else _find_schema(context, schema_id)
    wished = {"content": content, "tag_ids": tag_ids, "model": model}
    if schema is not Keep.AS_IS:
        wished["schema_id"] = schema.pk if schema else ""
    if not _find_changes(latest, wished):
        raise Invalid("Nothing would change: give a content, schema_id, tag_ids or model that differs from now.")
    context.before |= {"prompt_revid": latest.pk}
    revision = prompts.save_version(
        context.actor,
        prompt=prompt,
        content=content,
        schema_revision=schema,
        model=model,
        base=latest,
        tags=None if tag_ids is None else lookup.find_tags(context, tag_ids),
        proposed=context.proposes(prompt),
    )
    if not context.is_headless:
        refining.adopt_revision(context.document, revision)
    context.remember(prompt_revid=revision.pk)
    return describe_ids(revision)


def _preview_deletion(context: ToolContext, arguments: Arguments) -> Preview:
    prompt = lookup.find_prompt(context, arguments["prompt_id"])
    latest = get_newest_revision(prompt)
    tags = list(latest.tags.all())
    stops = f"New documents tagged {quote_names([tag.name for tag in tags])} are no longer read with it."
    return {
        "title": f"Delete prompt “{prompt.name}”",
        "done": f"Moved prompt “{prompt.name}” to the trash",
        "subtitle": format_count(prompt.revisions.count(), "version"),
        "rows": [
            {"name": "Schema", "value": _schema_words(latest.schema_revision)},
            {"name": "Tags", "value": _tag_words(tags)},
        ],
        "used_by": _list_uses(prompt),
        "effect": "Moves it to the trash with all its versions. What it extracted stays. It can be taken out again.",
        "warnings": [stops] if tags else [],
    }


@tool(
    group="prompts",
    access="destructive",
    title="Delete prompt",
    icon="i-trash-2",
    resolve=resolve_id("prompt", lookup.find_prompt),
    reach=reaching.of_shared,
    # Not what it extracted: that stays, and extractions end by themselves while a card waits.
    preconditions=preconditions_of("prompt", ["name", "version"]),
    preview=_preview_deletion,
    inverse=inverse_by("prompts.restore", "prompt", ["trash"]),
)
def delete_prompt(context: ToolContext, prompt_id: str) -> Result:
    """Moves a prompt with all its versions to the trash. What it extracted stays.

    prompt_id: as list_prompts gives it
    """
    prompt = lookup.find_prompt(context, prompt_id)
    prompts.trash(context.actor, prompt=prompt)
    context.forget(*prompt.revisions.values_list("pk", flat=True))
    return {"deleted": prompt.pk, "name": prompt.name}

"""Tags: names with a colour that bring documents to the prompts that run on them."""

from __future__ import annotations

from typing import Any

from agent.toolkit.previews import ArgumentRow, ChangeRow, Preview, change_row, format_count
from agent.toolkit.registry import Result, ToolContext, tool
from agent.toolkit.signatures import Arguments
from agent.tools import lookup, reach
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
from agent.tools.listing import build_list, read_window, summarize_list
from documents.definitions import tags
from documents.find import lists
from documents.models import Document, Tag
from kit.errors import Invalid
from kit.json_types import JsonObject
from kit.paging import part_of
from kit.rows.grid import arrange
from kit.rows.models import fold_case

PARTS = ("name", "color", "description")
ITSELF = {part: part for part in PARTS}
NAMES = {"name": "Name", "color": "Colour", "description": "Description"}


def describe_tag(tag: Tag) -> Result:
    return {"tag_id": tag.pk, **_read_parts(tag)}


def _summarize(arguments: Arguments, result: Result) -> str:
    return str(result.get("name", ""))


@tool(category="definition", access="read", title="Read a tag", icon="i-tag", summary=_summarize, is_rare=True)
def get_tag(context: ToolContext, tag_id: str) -> Result:
    """A tag, how many documents carry it, and the prompts that run on new documents with it.

    tag_id: its id or name
    """
    tag = lookup.find_tag(context, tag_id)
    runs = [{"prompt_id": prompt.pk, "name": prompt.name} for prompt in tags.list_prompts_with(tag)]
    return {**describe_tag(tag), "document_count": _count_documents(tag), "prompts": runs}


@tool(
    category="definition", access="read", title="List tags", icon="i-tags", summary=summarize_list("tag"), is_rare=True
)
def list_tags(
    context: ToolContext,
    skip: int | None = None,
    limit: int | None = None,
    name_search: str | None = None,
    sort: list[JsonObject] | None = None,
    filters: JsonObject | None = None,
) -> Result:
    """The tags of the organization, with the number of documents and prompts that carry each.

    skip: how many to leave out from the start
    limit: how many to show, 1 to 100; without it 20
    name_search: part of the name, taken literally; case does not matter
    sort: such as [{"field": "name", "sort": "asc"}]; fields: name, description, color, created_at
    filters: such as {"items": [{"field": "description", "operator": "contains", "value": "invoice"}]}
    """
    rows = arrange(
        lists.list_tags(context.actor), lists.TAGS, name_search=name_search or "", sort=sort, filters=filters
    )
    at = read_window(skip, limit)
    return build_list("tags", part_of(tags.annotate_counts(rows), at), at, _describe_row)


def _describe_row(tag: Any) -> Result:
    return {**describe_tag(tag), "document_count": tag.document_count, "prompt_count": tag.prompt_count}


def _count_documents(tag: Tag) -> int:
    return Document.objects.for_org(tag.organization).filter(tags=tag).count()


def _list_uses(tag: Tag) -> list[str]:
    documents = _count_documents(tag)
    prompts = [f"prompt “{prompt.name}”, which runs on new documents with it" for prompt in tags.list_prompts_with(tag)]
    return [*prompts, *([format_count(documents, "document")] if documents else [])]


def _preview_creation(context: ToolContext, arguments: Arguments) -> Preview:
    color = arguments.get("color") or tags.DEFAULT_COLOR
    rows: list[ArgumentRow] = [
        {"name": "Name", "value": arguments["name"]},
        {"name": "Colour", "value": color, "color": color},
        {"name": "Description", "value": arguments.get("description") or "none"},
    ]
    alike = lists.list_tags(context.actor).filter(name_folded=fold_case(arguments["name"])).first()
    return {
        "title": f"Create tag “{arguments['name']}”",
        "done": f"Created tag “{arguments['name']}”",
        "rows": rows,
        "effect": "Adds one tag. No document carries it yet and no prompt runs on it.",
        "warnings": [f"There is a tag “{alike.name}” already."] if alike else [],
    }


@tool(
    category="definition",
    access="write",
    title="Create tag",
    unlisted=("color",),
    icon="i-tag",
    creates=True,
    reach=reach.of_shared,
    preconditions=preconditions_of_free_name("tag"),
    preview=_preview_creation,
    inverse=inverse_by("tags.delete", "tag", PARTS),
)
def create_tag(context: ToolContext, name: str, color: str | None = None, description: str | None = None) -> Result:
    """Creates a tag, under a name that is free.

    name: such as Supplier invoices
    color: such as #3B82F6; without it blue
    description: when a document gets this tag
    """
    return describe_tag(tags.create(context.actor, name=name, color=color or "", description=description or ""))


def _resolve(context: ToolContext, arguments: Arguments) -> Arguments:
    tag = lookup.find_tag(context, arguments["tag_id"])
    return keep_changed({**arguments, "tag_id": tag.pk}, _find_changes(tag, arguments), PARTS)


def _find_changes(tag: Tag, arguments: Arguments) -> Changes:
    """An empty name or colour leaves it; an empty description clears it."""
    requested = {part: (arguments.get(part) or "").strip() or None for part in PARTS}
    if arguments.get("description") == "":
        requested["description"] = ""
    return find_changes(_read_parts(tag), requested)


def _read_parts(tag: Tag) -> dict[str, str]:
    return {"name": tag.name, "color": tag.color, "description": tag.description}


def _preview_change(context: ToolContext, arguments: Arguments) -> Preview:
    tag = lookup.find_tag(context, arguments["tag_id"])
    changed = _find_changes(tag, arguments)
    return {
        "title": f"Change tag “{tag.name}”",
        "done": f"Changed tag “{tag.name}”",
        "changes": [_build_change_row(part, old, new) for part, (old, new) in changed.items()],
        "used_by": _list_uses(tag),
        "effect": "What carries it keeps it, under the new name." if "name" in changed else "What carries it keeps it.",
        "warnings": [],
    }


def _build_change_row(part: str, old: str, new: str) -> ChangeRow:
    row = change_row(NAMES[part], old or None, new or None)
    return {**row, "old_color": old, "new_color": new} if part == "color" else row


@tool(
    category="definition",
    access="write",
    title="Change tag",
    icon="i-tag",
    resolve=_resolve,
    reach=reach.of_shared,
    preconditions=preconditions_of_changed("tag", ITSELF),
    preview=_preview_change,
    inverse=inverse_by("tags.update", "tag", ITSELF),
    is_rare=True,
)
def update_tag(
    context: ToolContext,
    tag_id: str,
    name: str | None = None,
    color: str | None = None,
    description: str | None = None,
) -> Result:
    """Changes a tag's name, colour or description. What is not given stays as it is.

    tag_id: its id or name
    name: the new name
    color: such as #3B82F6
    description: when a document gets this tag; an empty text clears it
    """
    tag = lookup.find_tag(context, tag_id)
    if not (changed := _find_changes(tag, {"name": name, "color": color, "description": description})):
        raise Invalid("Nothing would change: give a name, color or description that differs from what there is.")
    context.before |= {part: old for part, (old, _) in changed.items()}
    return describe_tag(tags.update(context.actor, tag=tag, **{part: new for part, (_, new) in changed.items()}))


def _preview_deletion(context: ToolContext, arguments: Arguments) -> Preview:
    tag = lookup.find_tag(context, arguments["tag_id"])
    in_trash = tag.documents.filter(trashed_at__isnull=False).count()
    loses = f"{format_count(in_trash, 'document')} in the trash will come back without it."
    return {
        "title": f"Delete tag “{tag.name}”",
        "done": f"Deleted tag “{tag.name}”",
        "rows": [
            {"name": "Name", "value": tag.name, "color": tag.color},
            {"name": "Description", "value": tag.description or "none"},
        ],
        "used_by": _list_uses(tag),
        "effect": "Deletes the tag. No document carries it and no prompt runs on it.",
        "warnings": [loses] if in_trash else [],
    }


@tool(
    category="definition",
    access="destructive",
    title="Delete tag",
    icon="i-trash-2",
    resolve=resolve_id("tag", lookup.find_tag),
    reach=reach.of_shared,
    preconditions=preconditions_of("tag", [*PARTS, "used_by"]),
    preview=_preview_deletion,
    inverse=inverse_by("tags.restore", "tag", ()),
    is_rare=True,
)
def delete_tag(context: ToolContext, tag_id: str) -> Result:
    """Deletes a tag. Refused while a document or any version of a prompt carries it.

    tag_id: its id or name
    """
    tag = lookup.find_tag(context, tag_id)
    context.before |= _read_parts(tag)
    tags.delete(context.actor, tag=tag)
    return {"deleted": tag_id, "name": context.before["name"]}

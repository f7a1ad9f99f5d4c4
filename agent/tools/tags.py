"""Tags: names with a colour that bring documents to the prompts that run on them."""

from __future__ import annotations

from typing import Any

from agent.toolkit.previews import ArgumentRow, ChangeRow, Preview, change_row, counted
from agent.toolkit.registry import Result, ToolContext, tool
from agent.toolkit.signatures import Arguments
from agent.tools import finding, reaching
from agent.tools.hooks import Changes, differing, meant, on_free_name, only, resting, resting_on_given, taken_back_by
from agent.tools.listing import how_many, listed, window
from documents.catalog import lists
from documents.definitions import tags
from documents.models import Document, Tag
from kit.errors import Invalid
from kit.grid import arrange
from kit.paging import part_of
from kit.rows.models import folded

PARTS = ("name", "color", "description")
ITSELF = {part: part for part in PARTS}
NAMES = {"name": "Name", "color": "Colour", "description": "Description"}


def shown_tag(tag: Tag) -> Result:
    return {"tag_id": tag.pk, **_parts(tag)}


def _name_of(arguments: Arguments, result: Result) -> str:
    return str(result.get("name", ""))


@tool(group="tags", access="read", title="Read a tag", icon="i-tag", summary=_name_of)
def get_tag(context: ToolContext, tag_id: str) -> Result:
    """A tag, how many documents carry it, and the prompts that run on new documents with it.

    tag_id: as list_tags gives it
    """
    tag = finding.tag(context, tag_id)
    runs = [{"prompt_id": prompt.pk, "name": prompt.name} for prompt in tags.prompts_with(tag)]
    return {**shown_tag(tag), "document_count": _documents(tag), "prompts": runs}


@tool(group="tags", access="read", title="List tags", icon="i-tags", summary=how_many("tag"))
def list_tags(
    context: ToolContext,
    skip: int | None = None,
    limit: int | None = None,
    name_search: str | None = None,
    sort: list[dict[str, Any]] | None = None,
    filters: dict[str, Any] | None = None,
) -> Result:
    """The tags of the organization, with the number of documents and prompts that carry each.

    skip: how many to leave out from the start
    limit: how many to show, 1 to 100; without it 20
    name_search: part of the name, taken literally; case does not matter
    sort: such as [{"field": "name", "sort": "asc"}]; fields: name, description, color, created_at
    filters: such as {"items": [{"field": "description", "operator": "contains", "value": "invoice"}]}
    """
    rows = arrange(lists.tags(context.actor), lists.TAGS, name_search=name_search or "", sort=sort, filters=filters)
    at = window(skip, limit)
    return listed("tags", part_of(tags.with_counts(rows), at), at, _counted)


def _counted(tag: Any) -> Result:
    return {**shown_tag(tag), "document_count": tag.document_count, "prompt_count": tag.prompt_count}


def _documents(tag: Tag) -> int:
    return Document.objects.for_org(tag.organization).filter(tags=tag).count()


def _used_by(tag: Tag) -> list[str]:
    documents = _documents(tag)
    prompts = [f"prompt “{prompt.name}”, which runs on new documents with it" for prompt in tags.prompts_with(tag)]
    return [*prompts, *([counted(documents, "document")] if documents else [])]


def _shown_creation(context: ToolContext, arguments: Arguments) -> Preview:
    color = arguments.get("color") or tags.DEFAULT_COLOR
    rows: list[ArgumentRow] = [
        {"name": "Name", "value": arguments["name"]},
        {"name": "Colour", "value": color, "color": color},
        {"name": "Description", "value": arguments.get("description") or "none"},
    ]
    alike = lists.tags(context.actor).filter(name_folded=folded(arguments["name"])).first()
    return {
        "title": f"Create tag “{arguments['name']}”",
        "done": f"Created tag “{arguments['name']}”",
        "rows": rows,
        "effect": "Adds one tag. No document carries it yet and no prompt runs on it.",
        "warnings": [f"There is a tag “{alike.name}” already."] if alike else [],
    }


@tool(
    group="tags",
    access="write",
    title="Create tag",
    icon="i-tag",
    creates=True,
    reach=reaching.of_shared,
    preconditions=on_free_name("tag"),
    preview=_shown_creation,
    inverse=taken_back_by("tags.delete", "tag", PARTS),
)
def create_tag(context: ToolContext, name: str, color: str | None = None, description: str | None = None) -> Result:
    """Creates a tag. A name that exists is refused; answers tag_id. It does nothing until something carries it.

    name: what people call these documents, such as Supplier invoices
    color: such as #3B82F6; without it blue
    description: when a document gets this tag
    """
    return shown_tag(tags.create(context.actor, name=name, color=color or "", description=description or ""))


def _one(context: ToolContext, arguments: Arguments) -> Arguments:
    tag = finding.tag(context, arguments["tag_id"])
    return only({**arguments, "tag_id": tag.pk}, _changed(tag, arguments), PARTS)


def _changed(tag: Tag, arguments: Arguments) -> Changes:
    """An empty name or colour leaves it; an empty description clears it."""
    wanted = {part: (arguments.get(part) or "").strip() or None for part in PARTS}
    if arguments.get("description") == "":
        wanted["description"] = ""
    return differing(_parts(tag), wanted)


def _parts(tag: Tag) -> dict[str, str]:
    return {"name": tag.name, "color": tag.color, "description": tag.description}


def _shown_change(context: ToolContext, arguments: Arguments) -> Preview:
    tag = finding.tag(context, arguments["tag_id"])
    changed = _changed(tag, arguments)
    return {
        "title": f"Change tag “{tag.name}”",
        "done": f"Changed tag “{tag.name}”",
        "changes": [_change_row(part, old, new) for part, (old, new) in changed.items()],
        "used_by": _used_by(tag),
        "effect": "What carries it keeps it, under the new name." if "name" in changed else "What carries it keeps it.",
        "warnings": [],
    }


def _change_row(part: str, old: str, new: str) -> ChangeRow:
    row = change_row(NAMES[part], old or None, new or None)
    return {**row, "old_color": old, "new_color": new} if part == "color" else row


@tool(
    group="tags",
    access="write",
    title="Change tag",
    icon="i-tag",
    resolve=_one,
    reach=reaching.of_shared,
    preconditions=resting_on_given("tag", ITSELF),
    preview=_shown_change,
    inverse=taken_back_by("tags.update", "tag", ITSELF),
)
def update_tag(
    context: ToolContext,
    tag_id: str,
    name: str | None = None,
    color: str | None = None,
    description: str | None = None,
) -> Result:
    """Changes a tag's name, colour or description. What is not given stays as it is.

    tag_id: as list_tags gives it
    name: the new name
    color: such as #3B82F6
    description: when a document gets this tag; an empty text clears it
    """
    tag = finding.tag(context, tag_id)
    if not (changed := _changed(tag, {"name": name, "color": color, "description": description})):
        raise Invalid("Nothing would change: give a name, color or description that differs from what there is.")
    context.before |= {part: old for part, (old, _) in changed.items()}
    return shown_tag(tags.update(context.actor, tag=tag, **{part: new for part, (_, new) in changed.items()}))


def _shown_deletion(context: ToolContext, arguments: Arguments) -> Preview:
    tag = finding.tag(context, arguments["tag_id"])
    in_trash = tag.documents.filter(trashed_at__isnull=False).count()
    loses = f"{counted(in_trash, 'document')} in the trash will come back without it."
    return {
        "title": f"Delete tag “{tag.name}”",
        "done": f"Deleted tag “{tag.name}”",
        "rows": [
            {"name": "Name", "value": tag.name, "color": tag.color},
            {"name": "Description", "value": tag.description or "none"},
        ],
        "used_by": _used_by(tag),
        "effect": "Deletes the tag. No document carries it and no prompt runs on it.",
        "warnings": [loses] if in_trash else [],
    }


@tool(
    group="tags",
    access="destructive",
    title="Delete tag",
    icon="i-trash-2",
    resolve=meant("tag", finding.tag),
    reach=reaching.of_shared,
    preconditions=resting("tag", [*PARTS, "used_by"]),
    preview=_shown_deletion,
    inverse=taken_back_by("tags.restore", "tag", ()),
)
def delete_tag(context: ToolContext, tag_id: str) -> Result:
    """Deletes a tag. Refused while a document or any version of a prompt carries it.

    tag_id: as list_tags gives it
    """
    tag = finding.tag(context, tag_id)
    context.before |= _parts(tag)
    tags.delete(context.actor, tag=tag)
    return {"deleted": tag_id, "name": context.before["name"]}

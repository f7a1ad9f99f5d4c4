"""Documents of the organization: name, tag and describe them, move them to the trash."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from agent.toolkit.previews import ArgumentRow, ChangeRow, Preview, change_row, quote_names
from agent.toolkit.registry import Reach, Result, ToolContext, tool
from agent.toolkit.signatures import Arguments
from agent.tools import lookup, reach
from agent.tools.documents.catalog import describe_document
from agent.tools.hooks import (
    Changes,
    find_changes,
    inverse_by,
    keep_changed,
    preconditions_of,
    preconditions_of_changed,
)
from documents import document_changes
from documents.definitions import tags
from documents.models import Document, Extraction, Tag
from documents.reading.reading import get_newest
from kit.errors import Invalid

PARTS = {"document_name": "name", "tag_ids": "tag_ids", "metadata": "metadata"}
# Neither the reading nor a summary: those end by themselves, and a card does not come back for that.
DELETION_PARTS = ("name", "tag_ids", "values", "verified")


def _resolve(context: ToolContext, arguments: Arguments) -> Arguments:
    """With the document's id written out, each tag once, and what differs alone."""
    document = lookup.find_document(context, arguments.get("document_id"))
    resolved = {**arguments, "document_id": document.pk}
    if "tag_ids" in resolved:
        resolved["tag_ids"] = [tag.pk for tag in lookup.find_tags(context, resolved["tag_ids"])]
    return keep_changed(resolved, _find_changes(document, resolved), PARTS)


def _find_changes(document: Document, arguments: Arguments) -> Changes:
    was = {
        "document_name": document.name,
        "metadata": document.metadata,
        "tag_ids": sorted(tag.pk for tag in document.tags.all()),
    }
    tag_ids = arguments.get("tag_ids")
    return find_changes(was, {**arguments, "tag_ids": None if tag_ids is None else sorted(tag_ids)})


def _find_added_tags(context: ToolContext, arguments: Arguments) -> list[Tag]:
    document = lookup.find_document(context, arguments["document_id"])
    carried = set(document.tags.values_list("pk", flat=True))
    return [tag for tag in lookup.find_tags(context, arguments.get("tag_ids") or []) if tag.pk not in carried]


def _reach(context: ToolContext, arguments: Arguments) -> Reach:
    outside = reach.of_document(context, arguments["document_id"])
    return (
        outside if outside is Reach.ORGANIZATION else reach.of_tags_added(context, _find_added_tags(context, arguments))
    )


def _preview_change(context: ToolContext, arguments: Arguments) -> Preview:
    document = lookup.find_document(context, arguments["document_id"])
    changed = _find_changes(document, arguments)
    only = next(iter(changed)) if len(changed) == 1 else ""
    what = {"document_name": "Rename", "tag_ids": "Change the tags of", "metadata": "Change the metadata of"}
    done = {"document_name": "Renamed", "tag_ids": "Changed the tags of", "metadata": "Changed the metadata of"}
    return {
        "title": f"{what.get(only, 'Change')} {document.name}",
        "done": f"{done.get(only, 'Changed')} {document.name}",
        "changes": [row for part, (old, new) in changed.items() for row in _list_change_rows(context, part, old, new)],
        "effect": describe_effect(_find_added_tags(context, arguments)),
        "warnings": [reach.OTHER] if document.pk != context.thread.document_id else [],
    }


def _list_change_rows(context: ToolContext, part: str, old: Any, new: Any) -> list[ChangeRow]:
    if part == "document_name":
        return [change_row("Name", old, new)]
    if part == "tag_ids":
        return [change_row("Tags", _tag_names(context, old), _tag_names(context, new))]
    return [
        change_row(name, old.get(name), new.get(name))
        for name in sorted({*old, *new})
        if old.get(name) != new.get(name)
    ]


def _tag_names(context: ToolContext, tag_ids: Iterable[str]) -> str:
    named = Tag.objects.for_org(context.actor.organization).filter(pk__in=tag_ids).order_by("name_folded")
    return ", ".join(named.values_list("name", flat=True)) or "none"


def describe_effect(added: list[Tag]) -> str:
    starting = {tag.name: [prompt.name for prompt in tags.list_prompts_with(tag)] for tag in added}
    sentences = [
        f"“{name}” starts {quote_names(runs)} when a document is read." for name, runs in starting.items() if runs
    ]
    return " ".join(sentences) or "Changes nothing but this document."


@tool(
    group="document",
    access="write",
    title="Change a document",
    icon="i-file-text",
    resolve=_resolve,
    reach=_reach,
    preconditions=preconditions_of_changed("document", PARTS),
    preview=_preview_change,
    inverse=inverse_by("uploads.update", "document", {part: part for part in PARTS.values()}),
)
def update_document(
    context: ToolContext,
    document_id: str | None = None,
    document_name: str | None = None,
    tag_ids: list[str] | None = None,
    metadata: dict[str, str] | None = None,
) -> Result:
    """Renames a document, or sets its tags or metadata. What is not given stays as it is.

    document_id: its id or name; without it this document
    document_name: the new name, with its extension
    tag_ids: all tags, by ids or names, that it carries from then on, also those that stay; an empty list takes all away
    metadata: all pairs of name and text that it has from then on, so name those that shall stay as well
    """
    document = lookup.find_document(context, document_id)
    requested = {"document_name": document_name, "tag_ids": tag_ids, "metadata": metadata}
    if not (changed := _find_changes(document, requested)):
        raise Invalid("Nothing would change: give a document_name, tag_ids or metadata that differ from what there is.")
    context.before |= {PARTS[part]: old for part, (old, _) in changed.items()}
    new = {PARTS[part]: value for part, (_, value) in changed.items()}
    document_changes.update(context.actor, document=document, **new)
    return {"changed": list(changed), **describe_document(lookup.find_document(context, document.pk))}


def _preview_deletion(context: ToolContext, arguments: Arguments) -> Preview:
    document = lookup.find_document(context, arguments["document_id"])
    reading = get_newest(document)
    runs = document.extractions.filter(status=Extraction.Status.COMPLETED)
    verified = runs.filter(verifications__cleared_at=None, verifications__isnull=False).exists()
    pages = str(reading.page_count or 0) if reading else "not read yet"
    rows: list[ArgumentRow] = [
        {"name": "Pages", "value": pages},
        {"name": "Extractions", "value": str(runs.count())},
        {"name": "Tags", "value": ", ".join(tag.name for tag in document.tags.all()) or "none"},
    ]
    warnings = {
        reach.OTHER: document.pk != context.thread.document_id,
        "A person has verified values of it.": verified,
    }
    return {
        "title": f"Delete {document.name}",
        "done": f"Moved {document.name} to the trash",
        "rows": rows,
        "effect": "Moves it to the trash with its extractions. It can be taken out again.",
        "warnings": [warning for warning, holds in warnings.items() if holds],
    }


@tool(
    group="document",
    access="destructive",
    title="Delete a document",
    icon="i-trash-2",
    resolve=_resolve,
    reach=lambda context, arguments: reach.of_document(context, arguments["document_id"]),
    preconditions=preconditions_of("document", DELETION_PARTS),
    preview=_preview_deletion,
    inverse=inverse_by("uploads.restore", "document", ["trash"]),
)
def delete_document(context: ToolContext, document_id: str | None = None) -> Result:
    """Moves a document to the trash, with what was extracted from it.

    document_id: its id or name; without it this document
    """
    document = lookup.find_document(context, document_id)
    document_changes.trash(context.actor, document=document)
    context.forget(*document.extractions.values_list("pk", flat=True))
    return {"deleted": document.pk, "document_name": document.name}

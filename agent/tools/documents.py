"""Documents of the organization: find them, name, tag and describe them, move them to the trash."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from agent.toolkit.previews import ArgumentRow, ChangeRow, Preview, change_row, format_count, quote_names
from agent.toolkit.registry import Reach, Result, ToolContext, tool
from agent.toolkit.signatures import Arguments
from agent.tools import lookup, reach
from agent.tools.current_values import read_values
from agent.tools.hooks import (
    Changes,
    find_changes,
    inverse_by,
    keep_changed,
    preconditions_of,
    preconditions_of_changed,
)
from agent.tools.listing import build_list, read_window, summarize_list
from documents import document_changes
from documents.catalog import lists
from documents.catalog.filters import require_filter
from documents.definitions import tags
from documents.models import Document, Extraction, Tag
from documents.reading.reading import get_newest
from documents.search import find_pages
from kit.errors import Invalid
from kit.events import organization_group
from kit.paging import large_part_of
from kit.rows.grid import arrange

OTHER = "This is another document than the one of this thread."
PARTS = {"document_name": "name", "tag_ids": "tag_ids", "metadata": "metadata"}
# Neither the reading nor a summary: those end by themselves, and a card does not come back for that.
DELETION_PARTS = ("name", "tag_ids", "values", "verified")


@tool(group="document", access="read", title="List documents", icon="i-folder", summary=summarize_list("document"))
def list_documents(
    context: ToolContext,
    skip: int | None = None,
    limit: int | None = None,
    name_search: str | None = None,
    tag_ids: list[str] | None = None,
    metadata_search: str | None = None,
    values: list[str] | None = None,
    where: list[str] | None = None,
    state: str | None = None,
    date_from: str | None = None,
    date_to: str | None = None,
) -> Result:
    """The documents of the organization, the newest first, with state, tags, metadata and extracted values. Where no
    name has the words that are searched, the answer says how many documents have them on their pages.

    skip: how many to leave out from the start
    limit: how many to show, 1 to 100; without it 20
    name_search: part of the name, taken literally; case does not matter
    tag_ids: only documents that carry all of these tags, by ids or names
    metadata_search: only documents with all of these pairs, written key=value,key=value
    values: up to 10 names of values to show of each, dotted; without it the first 6, in a list of at most 20
    where: only documents with all of these, such as total > 1000, vendor ~ acme, due < 2026-12-31, iban is empty
    state: only those that are under-way, read, extracted, proposed or failed
    date_from: only documents uploaded on this day or later, as 2026-12-31
    date_to: only documents uploaded on this day or earlier
    """
    carried = [tag.pk for tag in lookup.find_tags(context, tag_ids or [])]
    rows = lists.list_documents(context.actor, tag_ids=carried, metadata=metadata_search or "")
    filters = {"value": where or [], "state": [state or ""], "since": [date_from or ""], "until": [date_to or ""]}
    rows = require_filter(context.actor, filters).apply_terms(rows)
    rows = arrange(rows, lists.DOCUMENTS, name_search=name_search or "")
    at, whole = read_window(skip, limit), Document.objects.prefetch_related("tags")
    part = large_part_of(rows, at, whole=whole, group=organization_group(context.actor.organization.pk))
    values_by_id = read_values(part.rows, values)
    own_id = context.thread.document_id
    answer = build_list("documents", part, at, lambda row: _describe_row(row, own_id, values_by_id.get(row.pk)))
    return answer if part.total or not name_search else {**answer, **_look_on_pages(context, name_search)}


def _look_on_pages(context: ToolContext, words: str) -> Result:
    total = find_pages(context.actor, words, limit=1).total_documents
    if not total:
        return {}
    return {"on_pages": f"No name has these words; {format_count(total, 'document')} found by search_documents."}


def _describe_row(document: Document, own_id: str | None, values: Result | None) -> Result:
    row: Result = {
        **describe_document(document),
        "state": document.state,
        "uploaded_at": f"{document.created_at:%Y-%m-%d}",
        "uploaded_by": document.uploaded_by_name,
    }
    if values is not None:
        row["values"] = values
    return {**row, "is_this_document": True} if document.pk == own_id else row


def describe_document(document: Document) -> Result:
    return {
        "document_id": document.pk,
        "document_name": document.name,
        "tags": [{"tag_id": tag.pk, "name": tag.name} for tag in document.tags.all()],
        "metadata": document.metadata,
    }


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
        "warnings": [OTHER] if document.pk != context.thread.document_id else [],
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
        OTHER: document.pk != context.thread.document_id,
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

"""Documents of the organization: find them, name, tag and describe them, move them to the trash."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from agent.previews import ArgumentRow, ChangeRow, Preview, change_row, counted, quoted
from agent.registry import Inverse, Preconditions, Reach, Result, ToolContext, tool
from agent.signatures import Arguments
from agent.tools import finding, reaching
from agent.tools.listing import how_many, listed
from agent.versions import after, resting_on
from docrouter.kit.errors import Invalid
from docrouter.kit.grid import arrange
from documents.models import Document, Extraction, Tag
from documents.services import lists, tags, uploads
from documents.services.reading import newest_completed

OTHER = "This is another document than the one of this thread."
PARTS = ("document_name", "tag_ids", "metadata")


@tool(group="document", access="read", title="List documents", icon="i-folder", summary=how_many("document"))
def list_documents(
    context: ToolContext,
    skip: int | None = None,
    limit: int | None = None,
    name_search: str | None = None,
    tag_ids: list[str] | None = None,
    metadata_search: str | None = None,
) -> Result:
    """The documents of the organization, the newest first, with state, tags and metadata.

    skip: how many to leave out from the start
    limit: how many to show, 1 to 100; without it 20
    name_search: part of the name, taken literally; case does not matter
    tag_ids: only documents that carry all of these tags
    metadata_search: only documents with all of these pairs, written key=value,key=value
    """
    carried = [found.pk for found in finding.tags(context, tag_ids or [])]
    rows = lists.documents(context.actor, tag_ids=carried, metadata=metadata_search or "")
    rows = arrange(rows, lists.DOCUMENTS, name_search=name_search or "")
    whole = Document.objects.prefetch_related("tags")
    own = context.thread.document_id
    return listed("documents", rows, lambda row: _listed(row, own), skip=skip, limit=limit, whole=whole)


def _listed(document: Document, own_id: str | None) -> Result:
    shown = {
        **shown_document(document),
        "state": document.state,
        "uploaded_at": f"{document.created_at:%Y-%m-%d}",
        "uploaded_by": document.uploaded_by_name,
    }
    return {**shown, "is_this_document": True} if document.pk == own_id else shown


def shown_document(document: Document) -> Result:
    return {
        "document_id": document.pk,
        "document_name": document.name,
        "tags": [{"tag_id": tag.pk, "name": tag.name} for tag in document.tags.all()],
        "metadata": document.metadata,
    }


def _named(context: ToolContext, arguments: Arguments) -> Arguments:
    """With the document's id written out, and each tag once."""
    found = finding.document(context, arguments.get("document_id"))
    given = {**arguments, "document_id": found.pk}
    if "tag_ids" in given:
        given["tag_ids"] = [tag.pk for tag in finding.tags(context, given["tag_ids"])]
    return given


def _changed(document: Document, arguments: Arguments) -> dict[str, tuple[Any, Any]]:
    """What differs: part to what it was and what it would be."""
    carried = sorted(tag.pk for tag in document.tags.all())
    was = {"document_name": document.name, "tag_ids": carried, "metadata": document.metadata}
    wanted = {part: arguments[part] for part in PARTS if arguments.get(part) is not None}
    if "tag_ids" in wanted:
        wanted["tag_ids"] = sorted(wanted["tag_ids"])
    return {part: (was[part], value) for part, value in wanted.items() if value != was[part]}


def _added(context: ToolContext, arguments: Arguments) -> list[Tag]:
    document = finding.document(context, arguments["document_id"])
    carried = set(document.tags.values_list("pk", flat=True))
    return [tag for tag in finding.tags(context, arguments.get("tag_ids") or []) if tag.pk not in carried]


def _reach(context: ToolContext, arguments: Arguments) -> Reach:
    outside = reaching.of_document(context, arguments["document_id"])
    return outside if outside is Reach.ORGANIZATION else reaching.of_tags_added(context, _added(context, arguments))


def _on_parts(context: ToolContext, arguments: Arguments) -> Preconditions:
    return resting_on(context, "document", arguments["document_id"], [part for part in PARTS if part in arguments])


def _shown(context: ToolContext, arguments: Arguments) -> Preview:
    document = finding.document(context, arguments["document_id"])
    changed = _changed(document, arguments)
    only = next(iter(changed)) if len(changed) == 1 else ""
    what = {"document_name": "Rename", "tag_ids": "Change the tags of", "metadata": "Change the metadata of"}
    done = {"document_name": "Renamed", "tag_ids": "Changed the tags of", "metadata": "Changed the metadata of"}
    return {
        "title": f"{what.get(only, 'Change')} {document.name}",
        "done": f"{done.get(only, 'Changed')} {document.name}",
        "changes": [row for part, (old, new) in changed.items() for row in _change_rows(context, part, old, new)],
        "effect": _effect(_added(context, arguments)),
        "warnings": [OTHER] if document.pk != context.thread.document_id else [],
    }


def _change_rows(context: ToolContext, part: str, old: Any, new: Any) -> list[ChangeRow]:
    if part == "document_name":
        return [change_row("Name", old, new)]
    if part == "tag_ids":
        return [change_row("Tags", _tag_names(context, old), _tag_names(context, new))]
    return [
        change_row(name, old.get(name), new.get(name))
        for name in dict.fromkeys([*old, *new])
        if old.get(name) != new.get(name)
    ]


def _tag_names(context: ToolContext, tag_ids: Iterable[str]) -> str | None:
    named = Tag.objects.for_org(context.actor.organization).filter(pk__in=tag_ids).order_by("name_folded")
    return ", ".join(named.values_list("name", flat=True)) or None


def _effect(added: list[Tag]) -> str:
    starting = {tag.name: [prompt.name for prompt in tags.prompts_with(tag)] for tag in added}
    said = [f"“{name}” starts {quoted(runs)} when a document is read." for name, runs in starting.items() if runs]
    return " ".join(said) or "Changes nothing but this document."


def _former(context: ToolContext, arguments: Arguments, result: Result) -> Inverse:
    document_id, before = arguments["document_id"], context.before
    former = {("name" if part == "document_name" else part): value for part, value in before.items()}
    precondition = after("document", document_id, before)
    return {"service": "uploads.update", "document_id": document_id, **former, "precondition": precondition}


@tool(
    group="document", access="write", title="Change a document", icon="i-file-text", resolve=_named, reach=_reach,
    preconditions=_on_parts, preview=_shown, inverse=_former,
)  # fmt: skip
def update_document(
    context: ToolContext,
    document_id: str | None = None,
    document_name: str | None = None,
    tag_ids: list[str] | None = None,
    metadata: dict[str, str] | None = None,
) -> Result:
    """Renames a document, or sets its tags or metadata. What is not given stays as it is.

    document_id: without it this document
    document_name: the new name, with its extension
    tag_ids: all tags that it carries from then on, so name those that shall stay as well; an empty list takes all away
    metadata: all pairs of name and text that it has from then on, so name those that shall stay as well
    """
    document = finding.document(context, document_id)
    given = {"document_name": document_name, "tag_ids": tag_ids, "metadata": metadata}
    if not (changed := _changed(document, given)):
        raise Invalid("Nothing would change: give a document_name, tag_ids or metadata that differ from what there is.")
    context.before |= {part: old for part, (old, _) in changed.items()}
    new = {part: value for part, (_, value) in changed.items()}
    uploads.update(
        context.actor, document=document, name=new.get("document_name"), tag_ids=new.get("tag_ids"),
        metadata=new.get("metadata"),
    )  # fmt: skip
    return {"changed": list(changed), **shown_document(finding.document(context, document.pk))}


def _shown_deletion(context: ToolContext, arguments: Arguments) -> Preview:
    document = finding.document(context, arguments["document_id"])
    reading = newest_completed(document)
    runs = document.extractions.filter(status=Extraction.Status.COMPLETED)
    verified = runs.filter(verifications__cleared_at=None, verifications__isnull=False).exists()
    pages = counted(reading.page_count or 0, "page") if reading else "not read yet"
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
        "warnings": [said for said, holds in warnings.items() if holds],
    }


def _on_document(context: ToolContext, arguments: Mapping[str, Any]) -> Preconditions:
    return resting_on(context, "document", arguments["document_id"], ["version"])


def _restoring(context: ToolContext, arguments: Arguments, result: Result) -> Inverse:
    document_id = arguments["document_id"]
    return {
        "service": "uploads.restore",
        "document_id": document_id,
        "precondition": after("document", document_id, ["trash"]),
    }


@tool(
    group="document", access="destructive", title="Delete a document", icon="i-trash-2", resolve=_named,
    reach=lambda context, arguments: reaching.of_document(context, arguments["document_id"]),
    preconditions=_on_document, preview=_shown_deletion, inverse=_restoring,
)  # fmt: skip
def delete_document(context: ToolContext, document_id: str | None = None) -> Result:
    """Moves a document to the trash, with what was extracted from it.

    document_id: without it this document
    """
    document = finding.document(context, document_id)
    uploads.trash(context.actor, document=document)
    context.forget(*document.extractions.values_list("pk", flat=True))
    return {"deleted": document.pk, "document_name": document.name}

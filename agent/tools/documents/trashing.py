"""Documents moved to the trash, and out of it."""

from __future__ import annotations

from accounts.models import Role
from agent.toolkit.effects import Inverse, Preconditions
from agent.toolkit.preconditions import read_preconditions_after
from agent.toolkit.previews import ArgumentRow, Preview, format_count
from agent.toolkit.registry import Reach, Result, ToolContext, tool
from agent.toolkit.signatures import Arguments
from agent.tools import lookup, reach
from agent.tools.documents import selection
from agent.tools.documents.selection import choose_hook
from agent.tools.hooks import inverse_by, preconditions_of
from documents.models import Document, Extraction
from documents.reading.reading import get_newest
from documents.retention import families
from kit.errors import Invalid

# Neither the reading nor a summary: those end by themselves, and a card does not come back for that.
DELETION_PARTS = ("name", "tag_ids", "values", "verified", "parts")


def _resolve_deletion(context: ToolContext, arguments: Arguments) -> Arguments:
    return {"document_id": lookup.find_document(context, arguments.get("document_id")).pk}


def _preview_deletion(context: ToolContext, arguments: Arguments) -> Preview:
    document = lookup.find_document(context, arguments["document_id"])
    reading = get_newest(document)
    runs = document.extractions.filter(status=Extraction.Status.COMPLETED)
    pages = str(reading.page_count or 0) if reading else "not read yet"
    rows: list[ArgumentRow] = [
        {"name": "Pages", "value": pages},
        {"name": "Extractions", "value": str(runs.count())},
        {"name": "Tags", "value": ", ".join(tag.name for tag in document.tags.all()) or "none"},
    ]
    parts = [part.pk for part in families.list_parts(document)]
    warnings = {
        reach.OTHER: bool(reach.warn_of_other(context, document)),
        "A person has verified values of it.": _count_verified([document.pk]) > 0,
        "A person has verified values of what is in it.": _count_verified(parts) > 0,
    }
    with_parts = f" and with {format_count(len(parts), 'document')} in it" if parts else ""
    return {
        "title": f"Delete {document.name}",
        "done": f"Moved {document.name} to the trash",
        "rows": rows,
        "effect": f"Moves it to the trash with its extractions{with_parts}. It can be taken out again.",
        "warnings": [warning for warning, holds in warnings.items() if holds],
    }


def _reach_with_parts(context: ToolContext, arguments: Arguments) -> Reach:
    document = lookup.find_document(context, arguments["document_id"])
    return Reach.ORGANIZATION if families.list_parts(document) else reach.of_document(context, document.pk)


def _count_verified(ids: list[str]) -> int:
    runs = Extraction.objects.filter(document__in=ids, status=Extraction.Status.COMPLETED)
    verified = runs.filter(verifications__cleared_at=None, verifications__isnull=False)
    return verified.values("document").distinct().count()


def _preview_deletions(context: ToolContext, arguments: Arguments) -> Preview:
    rows = selection.fetch_rows(context, arguments)
    count, verified = selection.count_documents(rows), _count_verified(arguments["documents"])
    return {
        "title": f"Delete {count}",
        "done": f"Began to move {count} to the trash",
        "ended": f"Moved {count} to the trash",
        "rows": selection.list_rows(rows),
        "effect": "Moves them and what is in them to the trash, with their extractions. They can be taken out again. "
        + selection.STARTED,
        "warnings": [f"A person has verified values of {verified} of them."] if verified else [],
    }


@tool(
    category="document",
    access="destructive",
    title="Delete a document",
    icon="i-trash-2",
    resolve=choose_hook(selection.pin_documents, _resolve_deletion),
    reach=choose_hook(selection.reach_many, _reach_with_parts),
    preconditions=choose_hook(selection.rest_on_documents, preconditions_of("document", DELETION_PARTS)),
    preview=choose_hook(_preview_deletions, _preview_deletion),
    instead_of={"documents": ["document_id"]},
    inverse=choose_hook(selection.undo_job("trash"), inverse_by("uploads.restore", "document", ["trash"])),
    is_rare=True,
)
def delete_document(context: ToolContext, document_id: str | None = None, documents: list[str] | None = None) -> Result:
    """Moves a document to the trash, with what is in it and what was extracted; or several by one card.

    document_id: its id or name; without it this document
    documents: several instead, by names or ids, tag:NAME for all with a tag, filter:NAME for a saved filter
    """
    if documents is not None:
        return selection.start_job(context, "trash", documents)
    document = lookup.find_document(context, document_id)
    gone = [document.pk, *(part.pk for part in families.list_parts(document))]
    count = families.trash(context.actor, document=document)
    context.forget(*Extraction.objects.filter(document__in=gone).values_list("pk", flat=True))
    return {"deleted": document.pk, "document_name": document.name, "documents_in_it": count}


def _resolve_restoration(context: ToolContext, arguments: Arguments) -> Arguments:
    """The thread's own document without a name."""
    name = arguments.get("document") or context.require_document().pk
    return {"document": selection.find_trashed(context, name).pk}


def _read_trashed(context: ToolContext, arguments: Arguments) -> Preconditions:
    document = selection.find_trashed(context, arguments["document"])
    return {f"document:{document.pk}": 0, f"version of document:{document.pk}": int(document.version)}


def _preview_restoration(context: ToolContext, arguments: Arguments) -> Preview:
    document = selection.find_trashed(context, arguments["document"])
    return {
        "title": f"Restore {document.name}",
        "done": f"Restored {document.name}",
        "rows": _describe_trashed([document]),
        "effect": "Brings it back from the trash with its extractions and what went there with it.",
        "warnings": reach.warn_of_other(context, document),
    }


def _describe_trashed(documents: list[Document]) -> list[ArgumentRow]:
    trashed = [(row, row.trashed_at) for row in documents]
    return [
        {"name": row.name, "value": f"in the trash since {at:%Y-%m-%d}" if at else "restored"} for row, at in trashed
    ]


def _preview_restorations(context: ToolContext, arguments: Arguments) -> Preview:
    rows = selection.fetch_rows(context, arguments)
    count = selection.count_documents(rows)
    return {
        "title": f"Restore {count}",
        "done": f"Began to restore {count}",
        "ended": f"Restored {count}",
        "rows": _describe_trashed(rows),
        "effect": f"Brings them back from the trash with their extractions. {selection.STARTED}",
        "warnings": [],
    }


def _build_inverse(context: ToolContext, arguments: Arguments, result: Result) -> Inverse:
    row_id = arguments["document"]
    left = read_preconditions_after(context, "document", row_id, ["version"])
    return {
        "service": "uploads.trash",
        "document_id": row_id,
        "part_ids": result["part_ids"],
        "precondition": left,
    }


@tool(
    category="document",
    access="write",
    role=Role.BUILDER,
    title="Restore from the trash",
    icon="i-corner-up-left",
    restores=True,
    resolve=choose_hook(selection.pin_trashed, _resolve_restoration),
    reach=choose_hook(selection.reach_many, lambda context, each: reach.of_document(context, each["document"])),
    preconditions=choose_hook(selection.rest_on_documents, _read_trashed),
    preview=choose_hook(_preview_restorations, _preview_restoration),
    instead_of={"documents": ["document"]},
    inverse=choose_hook(selection.undo_job("restore"), _build_inverse),
    is_rare=True,
)
def restore_documents(context: ToolContext, document: str | None = None, documents: list[str] | None = None) -> Result:
    """Brings a document back from the trash, or several by one card.

    document: its name or id; without it this document
    documents: several instead, by names or ids
    """
    if documents is not None:
        return selection.start_job(context, "restore", documents)
    if not document:
        raise Invalid("Say which document is meant.")
    row = selection.find_trashed(context, document)
    part_ids = families.restore(context.actor, document=row)
    return {"restored": row.pk, "document_name": row.name, "documents_in_it": len(part_ids), "part_ids": part_ids}

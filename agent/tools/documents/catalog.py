"""Documents of the organization in a list, with their state, tags and values."""

from __future__ import annotations

from collections.abc import Mapping

from django.db.models import QuerySet

from agent.citations.aliases import name_blocks
from agent.models import Thread
from agent.toolkit.chosen_documents import select_chosen
from agent.toolkit.previews import format_count
from agent.toolkit.registry import Result, ToolContext, tool
from agent.toolkit.tool_kinds import VALUE_CHANGES
from agent.tools import lookup
from agent.tools.documents.current_values import ListedValues, read_values
from agent.tools.listing import build_list, read_window, reads_full, summarize_list
from documents.find import lists
from documents.find.filters import require_filter
from documents.find.search import find_pages
from documents.models import Document
from kit.events import organization_group
from kit.paging import large_part_of
from kit.rows.grid import arrange


@tool(
    category="search",
    access="read",
    title="List documents",
    icon="i-folder",
    follows=VALUE_CHANGES,
    shows_any=True,
    summary=summarize_list("document"),
    unlisted=("skip", "metadata_search"),
)
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
    document_type: str | None = None,
    date_from: str | None = None,
    date_to: str | None = None,
    in_scope: bool | None = None,
    detail: str | None = None,
) -> Result:
    """Documents, the newest first, with state, tags, metadata and extracted values; place is the mail, archive or
    longer file that one came in.

    skip: how many to leave out from the start
    limit: how many, 1 to 100; without it 20
    name_search: part of the name
    tag_ids: only with all of these tags
    metadata_search: only documents with all of these pairs, written key=value,key=value
    values: up to 10 names of values to show, with their lines; without it the first 6
    where: only where all hold, such as total > 1000, vendor ~ acme, due < 2026-12-31, iban is empty
    state: under-way, read, extracted, proposed or failed
    document_type: such as invoice, contract or letter
    date_from: first day of upload, as 2026-12-31
    date_to: the last
    detail: concise or full
    in_scope: false: all, where the person chose some for this message
    """
    carried = [tag.pk for tag in lookup.find_tags(context, tag_ids or [])]
    rows = lists.list_documents(context.actor, tag_ids=carried, metadata=metadata_search or "")
    filters = {
        "value": where or [],
        "state": [state or ""],
        "type": [document_type or ""],
        "since": [date_from or ""],
        "until": [date_to or ""],
    }
    rows = require_filter(context.actor, filters).apply_terms(rows)
    if (chosen := select_chosen(context, in_scope)) is not None:
        rows = rows.filter(pk__in=chosen.values("pk"))
    rows = arrange(rows, lists.DOCUMENTS, name_search=name_search or "")
    at, whole = (
        read_window(skip, limit),
        Document.objects.select_related("parent", "document_type").prefetch_related("tags"),
    )
    part = large_part_of(rows, at, whole=whole, group=organization_group(context.actor.organization.pk))
    values_by_id = _describe_values(context.thread, read_values(part.rows, values))
    own_id = context.thread.document_id
    describe = _describe_row if reads_full(context, detail) else _describe_in_short
    answer = build_list("documents", part, at, lambda row: describe(row, own_id, values_by_id.get(row.pk, {})))
    return answer if part.total or not name_search else {**answer, **_look_on_pages(context, name_search, chosen)}


def _describe_in_short(document: Document, own_id: str | None, values: Result) -> Result:
    """Without what is empty, and without who uploaded it."""
    row = _describe_row(document, own_id, values)
    return {name: part for name, part in row.items() if name != "uploaded_by" and part not in ([], {}, None)}


def _look_on_pages(context: ToolContext, words: str, chosen: QuerySet[Document] | None) -> Result:
    total = find_pages(context.actor, words, limit=1, documents=chosen).total_documents
    if not total:
        return {}
    return {"on_pages": f"No name has these words; {format_count(total, 'document')} found by search_documents."}


def _describe_values(thread: Thread, values_by_id: Mapping[str, ListedValues]) -> dict[str, Result]:
    """With their lines under the names that the thread knows them by, so that they can be cited."""
    names = name_blocks(thread, (block for listed in values_by_id.values() for block in listed.blocks.values()))
    described: dict[str, Result] = {}
    for document_id, listed in values_by_id.items():
        lines = {name: names[block] for name, block in listed.blocks.items()}
        described[document_id] = {"values": listed.values, **({"lines": lines} if lines else {})}
    return described


def _describe_row(document: Document, own_id: str | None, values: Result) -> Result:
    """`values` are its pairs about them, none where it has none."""
    row: Result = {
        **describe_document(document),
        "state": document.state,
        "uploaded_at": f"{document.created_at:%Y-%m-%d}",
        "uploaded_by": document.uploaded_by_name,
    }
    if place := document.place_in_whole:
        row["place"] = {"where": place, "document_id": document.parent_id}
    row |= values
    return {**row, "is_this_document": True} if document.pk == own_id else row


def describe_document(document: Document) -> Result:
    return {
        "document_id": document.pk,
        "document_name": document.name,
        "tags": [{"tag_id": tag.pk, "name": tag.name} for tag in document.tags.all()],
        "metadata": document.metadata,
        **({"document_type": document.document_type.name} if document.document_type else {}),
    }

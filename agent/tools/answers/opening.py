"""Showing a cited place to the person who asks."""

from __future__ import annotations

from agent.citations.citing import list_citations
from agent.toolkit.registry import Result, ToolContext, tool
from agent.toolkit.signatures import Arguments
from kit import events
from kit.errors import Invalid, NotFound

MAX_REASON = 200
NONE_YET = "Nothing is cited in this conversation yet. Bind a number with cite_source, in the same answer before this."


def _summarize(arguments: Arguments, result: Result) -> str:
    return f"[{arguments.get('citation_number')}] {result.get('document_name', '')}, page {result.get('page', '')}"


@tool(
    category="document",
    access="read",
    title="Open a source",
    icon="i-locate-fixed",
    summary=_summarize,
    is_rare=True,
    follows=("cite_source",),
)
def open_document(context: ToolContext, citation_number: int, reason: str) -> Result:
    """Opens a document for the person who asks, at the place that a number cites, with its words boxed. Nothing else.
    Where they only want to see a document, cite_source for a line of it and this go into one answer.

    citation_number: as in an answer, or as cite_source before this binds it
    reason: why it is opened, in a few words
    """
    if len(reason) > MAX_REASON:
        raise Invalid(f"reason may have {MAX_REASON} characters.")
    citations = list_citations(context.thread)
    row = citations.get(citation_number)
    if row is None:
        known = ", ".join(map(str, sorted(citations)))
        raise NotFound(f"Nothing is cited as [{citation_number}]. There are: {known}." if known else NONE_YET)
    group = events.member_group(context.actor.organization.pk, context.actor.user.pk)
    events.publish(group, "place.opened", thread_id=context.thread.pk, block_id=row.block_id)
    return {
        "document_id": row.reading.document_id,
        "document_name": row.reading.document.name,
        "page": row.page,
        "block_id": row.block_id,
    }

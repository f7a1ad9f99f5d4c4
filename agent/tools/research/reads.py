"""Reads that ask a model: several documents for one question, a summary, an order. The turn pays for them."""

from __future__ import annotations

import time
from collections.abc import Sequence

from agent.citations.aliases import print_condensed, print_passages
from agent.models import Thread, Turn
from agent.policy import agent_settings, reading_depth
from agent.policy.turn_limits import turn_limit
from agent.policy.turn_time import count_seconds_left
from agent.toolkit.previews import format_count
from agent.toolkit.reading_on import describe_rest
from agent.toolkit.registry import Result, ToolContext, registry, tool
from agent.toolkit.signatures import Arguments
from agent.tools import lookup
from documents.find.research.asking import Reader
from documents.find.research.condensing import Condensed, condense_all, mark_read_pages
from documents.find.research.ranking import MAX_DOCUMENTS, rank
from documents.find.search.retrieving import RetrievedDocument
from documents.models import Document, Reading
from documents.reading.page_text import MarkedText, make_data_block
from kit.errors import AppError, Invalid, NotFound
from llm.money.spending import BudgetAccount

PURPOSE = "research"
MAX_READ = 15
MAX_PASSAGE, MAX_NAME = 400, 60
NO_QUESTION = "The question is empty. Say what the documents are compared by."


def _summarize_reads(arguments: Arguments, result: Result) -> str:
    documents = result.get("documents", [])
    in_part = sum("in_part" in row for row in documents)
    part = f", {in_part} in part" if in_part else ""
    return f"{format_count(len(documents), 'document')}{part}, {len(result.get('not_read', []))} not read"


def _summarize_order(arguments: Arguments, result: Result) -> str:
    return format_count(len(result.get("documents", [])), "document")


@tool(
    category="document",
    access="costly_read",
    title="Read several documents",
    icon="i-file-text",
    shows_any=True,
    summary=_summarize_reads,
    is_rare=True,
    cost="a model call for each document that was not read for this question before",
    timeout=600,
)
def read_multiple_documents(
    context: ToolContext, document_ids: list[str], focus_query: str | None = None, depth: str | None = None
) -> Result:
    """Reads several documents at once, each condensed to what it says to the question; without one, to what it is
    about, with the block ids of its lines. What was read for the same question before costs nothing.

    document_ids: ids or names, at most 15
    focus_query: what is asked of each of them
    depth: how much the question needs: simple reads 1 document in all, concise 5, detailed 15; a person may overrule it
    """
    if not 1 <= len(document_ids) <= MAX_READ:
        raise Invalid(f"document_ids names {len(document_ids)}; a call reads 1 to {MAX_READ} documents.")
    if depth and depth not in Turn.Depth.values:
        raise Invalid(f"depth is {depth[:20]!r}; it is {', '.join(Turn.Depth.values)}.")
    documents, unread = _find_some(context, document_ids)
    readings: list[Reading] = []
    read = reading_depth.limit_reading(context.turn, call_id=context.call_id, chosen=depth or "")
    for document in documents:
        try:
            reading = lookup.reading_of(document)
            read.add(document.pk)
            readings.append(reading)
        except AppError as error:
            unread.append({"document_id": document.pk, "document_name": document.name, "why": error.sentence})
    question = focus_query or ""
    condensed = condense_all(context.actor, readings, question, reader=make_reader(context))
    answer: Result = {"documents": describe_all_condensed(context.thread, condensed)}
    return answer | ({"not_read": unread} if unread else {})


@tool(
    category="document",
    access="costly_read",
    title="Summarize a document",
    icon="i-file-text",
    shows_any=True,
    resolve=lookup.pin_document,
    is_rare=True,
    cost="a model call, once for each reading of a document",
    timeout=600,
)
def get_document_summary(context: ToolContext, document: str | None = None) -> Result:
    """What a document is about, in a few sentences with their lines. It is made once for each reading, then kept.

    document: name or id of another document; without it this one
    """
    reading = lookup.reading_of(lookup.choose_to_read(context, document))
    [described] = describe_all_condensed(
        context.thread, condense_all(context.actor, [reading], "", reader=make_reader(context))
    )
    return described


@tool(
    category="search",
    access="costly_read",
    title="Order documents by a question",
    icon="i-search",
    shows_any=True,
    summary=_summarize_order,
    is_rare=True,
    cost="a model call for the order of at most 30 documents",
    timeout=600,
)
def rerank_documents(context: ToolContext, document_ids: list[str], query: str) -> Result:
    """Puts documents into the order in which they answer a question, the best first, with the best passage of each.

    document_ids: ids or names, at most 30
    query: the question
    """
    if not 1 <= len(document_ids) <= MAX_DOCUMENTS:
        raise Invalid(f"document_ids names {len(document_ids)}; a call orders 1 to {MAX_DOCUMENTS} documents.")
    if not query.strip():
        raise Invalid(NO_QUESTION)
    model = agent_settings.effective_settings(context.actor.organization).rerank_model
    reader = make_reader(context, model) if model else None
    ranking = rank(context.actor, _find_documents(context, document_ids), query, reader=reader)
    answer: Result = {"documents": _describe_all_ranked(context.thread, ranking.documents)}
    return answer | ({"ordered_by": ranking.model} if ranking.model else {"note": ranking.note})


def make_reader(context: ToolContext, model: str = "") -> Reader:
    """Bounded by the time of one tool and the money of the turn.

    It is the turn's own model where none is named; the request of an MCP client has none.
    """
    organization = context.actor.organization
    effective = agent_settings.effective_settings(organization)
    if not model:
        model = effective.default_model if context.turn.origin == Turn.Origin.MCP else context.turn.model
    account = BudgetAccount(
        organization, PURPOSE, context.turn.pk, context.actor.user, turn_limit(context.turn), tool=context.tool
    )
    own = registry.find(context.tool).timeout if context.tool else effective.tool_seconds
    seconds = min(effective.tool_seconds, own)
    until = time.monotonic() + count_seconds_left(context.turn, seconds)
    return Reader(model, account, until, context.cancelled)


def _find_documents(context: ToolContext, named: Sequence[str]) -> list[Document]:
    """Each once, however it is named."""
    return list({row.pk: row for row in (lookup.find_document(context, name) for name in named)}.values())


def _find_some(context: ToolContext, named: Sequence[str]) -> tuple[list[Document], list[Result]]:
    """Those that are there, each once, and why others are not read. Raises NotFound where none is there."""
    documents: dict[str, Document] = {}
    unread: list[Result] = []
    for name in dict.fromkeys(named):
        try:
            document = lookup.find_document(context, name)
            documents[document.pk] = document
        except NotFound as error:
            if not documents and len(unread) + 1 == len(set(named)):
                raise
            unread.append({"document_id": name[:MAX_NAME], "document_name": "", "why": error.sentence})
    return list(documents.values()), unread


def describe_all_condensed(thread: Thread, several: Sequence[Condensed]) -> list[Result]:
    pages = [mark_read_pages(each) for each in several]
    texts = print_condensed(thread, [(each.reading, each.text, of) for each, of in zip(several, pages, strict=True)])
    return [_describe_condensed(each, text, of) for each, text, of in zip(several, texts, pages, strict=True)]


def _describe_condensed(condensed: Condensed, text: str, pages: MarkedText) -> Result:
    """Short, since one answer may tell of hundreds: pages only where not all were read."""
    reading = condensed.reading
    document = reading.document
    answer: Result = {
        "document_id": document.pk,
        "document_name": document.name,
        "text": make_data_block("page_text", text),
    }
    if part := pages.describe_part(reading.page_count or 0):
        answer |= {"in_part": part, "pages": pages.pages, "page_count": reading.page_count}
        answer |= describe_rest(pages, document.pk)
    if condensed.is_stored:
        answer["from_cache"] = True
    if reading.is_partial:
        answer["not_read"] = reading.reason
    return answer | ({"note": condensed.note} if condensed.note else {})


def _describe_all_ranked(thread: Thread, several: Sequence[RetrievedDocument]) -> list[Result]:
    """With the best passage of each that has any."""
    texts = iter(print_passages(thread, [each.passages[0] for each in several if each.passages], MAX_PASSAGE))
    return [_describe_ranked(each, next(texts) if each.passages else "") for each in several]


def _describe_ranked(each: RetrievedDocument, text: str) -> Result:
    answer: Result = {"document_id": each.document.pk, "filename": each.document.name}
    return answer | ({"text": make_data_block("page_text", text, document_id=each.document.pk)} if text else {})

"""The check of an answer with what its turn knows: what was asked and computed, and of how many documents it tells."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping

from agent.citations.aliases import ThreadAliases
from agent.citations.claims.uncited import Known
from agent.citations.reviewing import Coverage, Review, review_answer
from agent.models import Message, ToolCall, Turn
from agent.policy.policy_context import owner_of
from agent.toolkit import pages_read
from agent.toolkit.pages_read import PagesRead
from documents.catalog import scopes
from documents.models import Document

READING = (*pages_read.PAGE_TOOLS, pages_read.SURVEY, "search_documents")


def review(turn: Turn, text: str, *, notes: Iterable[str] = (), may_repair: bool = True) -> Review | None:
    """`notes` is what the product itself has the answer say."""
    checked = review_answer(turn, text, known=_list_known(turn, notes), may_repair=may_repair)
    if checked:
        checked.coverage = count_coverage(turn, checked.documents)
    return checked


def _list_known(turn: Turn, notes: Iterable[str]) -> Known | None:
    """None unless a question about many documents has read some: what a model knows by itself needs no source."""
    if turn.thread.document_id:
        return None
    calls = list(turn.calls.filter(status=ToolCall.Status.SUCCEEDED).values_list("tool", "result"))
    if not any(tool in READING for tool, _ in calls):
        return None
    computed = [json.dumps(result, ensure_ascii=False) for tool, result in calls if tool not in READING]
    asked = turn.thread.messages.filter(role=Message.Role.USER, dropped_at=None, turn__number__lte=turn.number)
    names = [row.reading.document.name for row in ThreadAliases(turn.thread).rows if row.reading]
    return Known([*(message.join_text() for message in asked), *notes, *computed], names)


def count_coverage(turn: Turn, cited: Collection[str]) -> Coverage | None:
    """`cited` are ids of documents. None in a thread about one document."""
    if turn.thread.document_id:
        return None
    read = _collect_read(turn, cited)
    in_part = [document_id for document_id, pages in read.items() if pages.is_in_part]
    documents = _count_scope(turn)
    return {
        "cited": len(cited),
        "read": len(read),
        "in_part": len(in_part),
        "documents": documents if len(read) <= documents else None,
    }


def _collect_read(turn: Turn, cited: Collection[str]) -> Mapping[str, PagesRead]:
    """What the turn has read, and of what its answer cites beyond that all that the thread has."""
    tools = (*pages_read.PAGE_TOOLS, pages_read.SURVEY)
    calls = ToolCall.objects.filter(tool__in=tools, status=ToolCall.Status.SUCCEEDED)
    read = dict(pages_read.collect(calls.filter(turn=turn)))
    if beyond := set(cited) - set(read):
        earlier = pages_read.collect(calls.filter(turn__thread=turn.thread_id, turn__number__lt=turn.number))
        # Of the others the turn has seen no more than what a search gave.
        read |= {document_id: earlier.get(document_id) or PagesRead(page_count=1) for document_id in beyond}
    return read


def _count_scope(turn: Turn) -> int:
    actor = owner_of(turn.thread)
    if not turn.scope:
        return Document.objects.for_org(actor.organization).count()
    return scopes.build_view(actor, turn.scope, maximum=0).total

"""The check of an answer with what its turn knows: what was asked and computed, and of how many documents it tells."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable

from agent.citations.aliases import ThreadAliases
from agent.citations.claims.uncited import Known
from agent.citations.reviewing import Coverage, Review, review_answer
from agent.models import Message, ToolCall, Turn
from agent.policy import reading_depth
from agent.policy.policy_context import owner_of
from documents.catalog import scopes
from documents.models import Document

SURVEY = "read_all_documents"
READING = (*reading_depth.READING, SURVEY, "search_documents")


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
    read = len(reading_depth.list_read(turn) | set(cited))
    surveys = turn.calls.filter(tool=SURVEY, status=ToolCall.Status.SUCCEEDED).values_list("result", flat=True)
    asked = [(result or {}).get("coverage", {}).get("read", 0) for result in surveys]
    documents = _count_scope(turn)
    read = max([read, *asked])
    return {"cited": len(cited), "read": read, "documents": documents if read <= documents else None}


def _count_scope(turn: Turn) -> int:
    actor = owner_of(turn.thread)
    if not turn.scope:
        return Document.objects.for_org(actor.organization).count()
    return scopes.build_view(actor, turn.scope, maximum=0).total

"""Of how many documents an answer tells: how many it names, how many were read, and how many it was asked about."""

from __future__ import annotations

from collections.abc import Collection

from agent.citations.reviewing import Coverage
from agent.models import ToolCall, Turn
from agent.policy import reading_depth
from agent.policy.policy_context import owner_of
from documents.catalog import scopes
from documents.models import Document

SURVEY = "read_all_documents"


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

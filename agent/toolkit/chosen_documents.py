"""The documents that a person has chosen for a message: among these alone the agent looks."""

from __future__ import annotations

from django.db.models import QuerySet

from agent.toolkit.registry import ToolContext
from documents.find import scopes
from documents.models import Document

CHOSEN = "only the documents that the person chose for this message"


def select_chosen(context: ToolContext, in_scope: bool | None = None) -> QuerySet[Document] | None:
    """None where all are meant: where none were chosen, or with `in_scope` false. Raises Invalid where the filter makes
    no sense any more, or with `in_scope` true and none chosen."""
    if in_scope is False or (in_scope is None and not context.turn.scope):
        return None
    return scopes.select_documents(context.actor, context.turn.scope)

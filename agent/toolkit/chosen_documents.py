"""The documents that a person has chosen for a message: among these alone the agent looks."""

from __future__ import annotations

from django.db.models import QuerySet

from agent.scope_profiles.applied.in_force import find_scope
from agent.scope_profiles.applied.selected_documents import select_within
from agent.toolkit.registry import ToolContext
from documents.find import scopes
from documents.models import Document

CHOSEN = "only the documents that the person chose for this message"


WITHIN = "Only documents of the types and tags that this assistant is for were looked through."


def keep_within_scope(context: ToolContext, rows: QuerySet[Document]) -> QuerySet[Document]:
    """Keep the rows that sums and files may rest on, which do not say later what any document has added."""
    scope = find_scope(context.turn)
    return select_within(scope, rows) if scope else rows


def narrow_to_scope(context: ToolContext, chosen: QuerySet[Document] | None) -> QuerySet[Document] | None:
    """Take all documents where none were chosen; None, which means all, where no scope profile holds."""
    scope = find_scope(context.turn)
    if scope is None:
        return chosen
    return select_within(scope, Document.objects.for_org(context.actor.organization) if chosen is None else chosen)


def select_chosen(context: ToolContext, in_scope: bool | None = None) -> QuerySet[Document] | None:
    """None where all are meant: where none were chosen, or with `in_scope` false. Raises Invalid where the filter makes
    no sense any more, or with `in_scope` true and none chosen."""
    if in_scope is False or (in_scope is None and not context.turn.scope):
        return None
    return scopes.select_documents(context.actor, context.turn.scope)

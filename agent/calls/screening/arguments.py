"""A call about a document that is not what the assistant is for is denied before it runs, and no card shows it."""

from __future__ import annotations

from collections.abc import Iterator

from agent.calls.screening.named_rows import find_named
from agent.calls.screening.results import ONE_DOCUMENT, UNCHECKED
from agent.models import Turn
from agent.scope_profiles.applied.foreign_documents import ForeignDocument, find_foreign, join_sentences
from agent.scope_profiles.applied.in_force import Scope, find_scope
from agent.scope_profiles.applied.refusal_words import describe_refusal
from agent.scope_profiles.requests import Request
from agent.scope_profiles.verdicts import OUT
from agent.toolkit.named_documents import list_document_ids
from agent.toolkit.registry import Tool
from agent.toolkit.signatures import Arguments

ASKING = ("query", "queries", "question", "focus_query")
"""Arguments in which an MCP client asks in its own words."""


def find_refusal(turn: Turn, tool: Tool, arguments: Arguments) -> str:
    """The sentence by which the call is denied; empty where it may run."""
    scope = find_scope(turn)
    if scope is None or tool.category in UNCHECKED:
        return ""
    foreign = find_foreign_named(scope, turn, tool, arguments)
    return join_sentences(foreign.values()) or _refuse_question(scope, turn, arguments)


def find_foreign_named(scope: Scope, turn: Turn, tool: Tool, arguments: Arguments) -> dict[str, ForeignDocument]:
    about = list_document_ids(turn.thread, tool.category, arguments) if tool.category in ONE_DOCUMENT else []
    named = find_named(turn.thread, arguments)
    return find_foreign(scope, {*named.document_ids, *about}, named.documents)


def _refuse_question(scope: Scope, turn: Turn, arguments: Arguments) -> str:
    """A turn of the agent was judged by its message; the request of an MCP client is its arguments."""
    if turn.origin != Turn.Origin.MCP:
        return ""
    asked = [Request(text) for text in _list_questions(arguments)]
    refused = next((each for each in asked if scope.judge_request(each).outcome == OUT), None)
    return describe_refusal(scope.find_refusing_request(refused)) if refused else ""


def _list_questions(arguments: Arguments) -> Iterator[str]:
    for name in ASKING:
        value = arguments.get(name)
        yield from (each for each in (value if isinstance(value, list) else [value]) if isinstance(each, str))

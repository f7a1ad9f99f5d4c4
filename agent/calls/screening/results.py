"""The result of a call without anything foreign, before it is kept: so no later input of a model has ever had it.

A gentle profile leaves a foreign item out and names it. Under a strict one the whole answer is refused.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import cast

from agent import focus
from agent.calls.screening.named_rows import NamedRows, find_named
from agent.calls.screening.stripping import Dropped, Stripper
from agent.models import ScopeCheck, ToolCall
from agent.scope_profiles.applied.foreign_documents import find_foreign
from agent.scope_profiles.applied.in_force import Scope, find_scope
from agent.scope_profiles.applied.refusal_rows import record_refusal
from agent.scope_profiles.applied.refusal_words import name_purpose
from agent.scope_profiles.items import Item
from agent.toolkit.named_documents import list_document_ids
from agent.toolkit.registry import Result, Tool
from agent.toolkit.tool_kinds import ABOUT_DOCUMENTS, Category
from documents.models import Document
from kit.json_types import Json

LEFT_OUT = "left_out"
ONE_DOCUMENT = frozenset({Category.DOCUMENT, Category.EXTRACTION})
"""Tools that mean the thread's document where they name none."""
UNCHECKED = frozenset({Category.DEFINITION, Category.HELP})
OUTSIDE = "A result of {tool} was left out; this assistant is for {purpose}."
WORDS = "A part of {name} was left out for its words; this assistant is for {purpose}."


@dataclass(frozen=True)
class Screened:
    """`result` is None where nothing of it may be kept. `sentences` name what was left out."""

    result: Result | None
    sentences: Sequence[str] = ()
    is_strict: bool = False

    @property
    def is_refused(self) -> bool:
        return self.is_strict and bool(self.sentences)


def screen_result(call: ToolCall, tool: Tool, result: Result) -> Screened:
    """In the transaction that ends the call. What it decides stands in a row, with the ids of what is left out."""
    if tool.category in UNCHECKED or call.undoes_id:
        return Screened(result)
    scope = find_scope(call.turn)
    if scope is None:
        return Screened(result)
    began = time.monotonic()
    named = find_named(call.thread, result)
    about = list_document_ids(call.thread, tool.category, call.effective or {}) if tool.category in ONE_DOCUMENT else []
    foreign = find_foreign(scope, {*named.document_ids, *about}, named.documents)
    stripper = Stripper(named, frozenset(foreign), lambda text: _is_refused(scope, tool, text))
    kept = _strip(scope, tool, stripper, result, is_foreign=bool(about) and set(about) <= set(foreign))
    sentences = [each.sentence for each in foreign.values()]
    sentences += _describe_refused(scope, tool, named, stripper, is_whole=kept is None and not sentences)
    ids = [*foreign, *{each for row in stripper.refused_rows for each in row}]
    keep_check(call, scope, ids, is_out=bool(sentences), began=began, reason=_find_reason(tool, sentences))
    result_kept = None if kept is None or not sentences else {**kept, LEFT_OUT: cast(Json, sentences)}
    return Screened(result_kept if sentences else result, sentences, scope.is_strict)


def _strip(scope: Scope, tool: Tool, stripper: Stripper, result: Result, *, is_foreign: bool) -> Result | None:
    own = "\n".join(part for part in result.values() if isinstance(part, str))
    is_judged = tool.category in ONE_DOCUMENT or tool.category is Category.OUTSIDE
    if is_foreign or (is_judged and own and _is_refused(scope, tool, own)):
        return None
    stripped = stripper.strip(cast(Json, result))
    return None if isinstance(stripped, Dropped) else cast(Result, stripped)


def _is_refused(scope: Scope, tool: Tool, text: str) -> bool:
    """By patterns where the item is of a document, which has been judged; an item of the web by all its words."""
    if tool.category is Category.OUTSIDE:
        return not scope.lets_pass(Item("web", None, text=text))
    return tool.category in ABOUT_DOCUMENTS and bool(scope.find_never(text))


def _describe_refused(
    scope: Scope, tool: Tool, named: NamedRows, stripper: Stripper, *, is_whole: bool
) -> Iterable[str]:
    purpose = name_purpose(scope.profiles[0])
    if tool.category is Category.OUTSIDE and (stripper.refused_rows or is_whole):
        return [OUTSIDE.format(tool=tool.title, purpose=purpose)]
    ids = {each for row in stripper.refused_rows for each in row} or (set(named.document_ids) if is_whole else set())
    rows = Document.objects.filter(pk__in=ids).order_by("name_folded") if ids else Document.objects.none()
    names = [*rows.values_list("name", flat=True)]
    if not ids and (stripper.refused_rows or is_whole):
        names = ["the result"]
    return [WORDS.format(name=name, purpose=purpose) for name in names]


def _find_reason(tool: Tool, sentences: Sequence[str]) -> str:
    """The row keeps no name of a document."""
    return " ".join(sentences)[:500] if tool.category is Category.OUTSIDE else ""


def keep_check(
    call: ToolCall, scope: Scope, ids: Sequence[str], *, is_out: bool, began: float | None = None, reason: str = ""
) -> None:
    check = ScopeCheck.objects.create(
        turn=call.turn,
        call=call,
        stage=ScopeCheck.Stage.AFTER,
        outcome=ScopeCheck.Outcome.OUT if is_out else ScopeCheck.Outcome.IN,
        is_strict=scope.is_strict,
        document_ids=list(ids),
        reason=reason,
        worked_ms=round((time.monotonic() - began) * 1000) if began else 0,
    )
    if is_out:
        record_refusal(check)
        focus.drop_documents(call.thread, ids)


def describe_empty(screened: Screened) -> Result:
    """Model and person read this in place of a result of which nothing is kept."""
    return {"error": " ".join(screened.sentences), LEFT_OUT: cast(Json, list(screened.sentences))}

"""Asking documents that an answer has not read, in a turn of its own: the rest of a survey, or every document of a
question that was answered from some.

No model chooses it: the first step of such a turn is the survey, with its card and its price. What was answered before
stands in rows and costs nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

from accounts.actor import Actor
from agent.conversation.threads import require_owner
from agent.models import Message, Thread, ToolCall, Turn
from agent.toolkit.pages_read import SURVEY
from agent.toolkit.previews import format_count
from agent.turns import turns
from agent.turns.fixed_steps import MODEL
from documents.find.research.surveying import GONE as DOCUMENT_GONE
from documents.models import Document
from kit.errors import NotFound
from kit.json_types import JsonObject
from llm.client import ModelAnswer, WireCall

TEXT = "Ask the {count} again that {were} not read: {question}"
TEXT_OF_ALL = "Ask every document: {question}"
TEXT_AFTER_STOP = "Ask the rest of the documents: {question}"
# Refused is also what is no longer allowed at its end, as where an admin has stopped the agent meanwhile.
BROKEN_OFF = (ToolCall.Status.FAILED, ToolCall.Status.CANCELLED, ToolCall.Status.DENIED)
MAX_QUESTION = 2000
GONE = "There is nothing to ask again: this answer has no documents that were not read."


@dataclass(frozen=True)
class Rest:
    """Of a survey: the call, and how many of its documents were not read; 0 where it broke off before it was known."""

    call_id: str
    count: int = 0

    @property
    def words(self) -> str:
        if not self.count:
            return "Ask the rest of the documents"
        return f"Ask the {format_count(self.count, 'unread document')} again"

    def write_message(self, question: str) -> str:
        if not self.count:
            return TEXT_AFTER_STOP.format(question=question)
        count, were = format_count(self.count, "document"), "was" if self.count == 1 else "were"
        return TEXT.format(count=count, were=were, question=question)


def find_rest(calls: Iterable[ToolCall]) -> Rest | None:
    """Of the newest survey among the calls of a turn that has begun; None where it has read all."""
    newest = next((call for call in reversed([*calls]) if call.tool == SURVEY and call.claimed_at), None)
    if newest is None:
        return None
    if newest.status in BROKEN_OFF:
        return Rest(newest.pk)
    unread = [row for row in (newest.result or {}).get("not_read", []) if row["why"] != DOCUMENT_GONE]
    return Rest(newest.pk, len(unread)) if unread else None


def start_again(actor: Actor, *, thread: Thread, call_id: str) -> Turn:
    """Raises NotFound and Conflict."""
    require_owner(actor, thread)
    call = thread.calls.filter(pk=call_id, tool=SURVEY).select_related("turn").first()
    rest = find_rest([call]) if call else None
    if call is None or rest is None:
        raise NotFound(GONE)
    question = str((call.effective or {}).get("question", ""))
    text = rest.write_message(question)[: turns.MAX_CHARACTERS]
    scope, model = call.turn.scope, call.turn.model
    return turns.start(actor, thread=thread, text=text, keep=True, scope=scope, model=model, again=call.pk)


def start_full_pass(actor: Actor, *, thread: Thread, turn_id: str) -> Turn:
    """Every document of the turn's scope is asked its question. Raises NotFound and Conflict."""
    require_owner(actor, thread)
    turn = thread.turns.filter(pk=turn_id).first()
    question = read_question(turn) if turn else ""
    if turn is None or not question:
        raise NotFound(GONE)
    text = TEXT_OF_ALL.format(question=question)[: turns.MAX_CHARACTERS]
    return turns.start(actor, thread=thread, text=text, keep=True, scope=turn.scope, model=turn.model, again=turn.pk)


def read_question(turn: Turn) -> str:
    """The words of the person, as each document is asked them; those of a full pass without what introduces them."""
    asked = turn.messages.filter(role=Message.Role.USER, dropped_at=None).first()
    text = asked.join_text() if asked else ""
    return text.removeprefix(TEXT_OF_ALL.partition("{")[0])[:MAX_QUESTION]


def choose_call(turn: Turn) -> ModelAnswer | None:
    """The call of before, as the first step of a turn that asks again; None for any other step or turn.

    A thread about a document surveys others where they were chosen, and is not asked whether it does anywhere else.
    """
    if turn.round or (turn.thread.document_id and not turn.scope):
        return None
    asked = turn.messages.filter(role=Message.Role.USER, dropped_at=None).first()
    again_id = next((each["call_id"] for each in asked.blocks if each["type"] == "again"), "") if asked else ""
    if not again_id:
        return None
    call = turn.thread.calls.filter(pk=again_id, tool=SURVEY).first()
    before = turn.thread.turns.filter(pk=again_id).first()
    if call is None and before is None:
        return None
    arguments = _repeat_arguments(turn, call) if call else {"question": read_question(before) if before else ""}
    wire = WireCall("", SURVEY, json.dumps(arguments, ensure_ascii=False))
    return ModelAnswer("", "", [wire], "stop", 0, 0, 0, MODEL)


def _repeat_arguments(turn: Turn, call: ToolCall) -> JsonObject:
    """The whole scope where it was asked; else those of the chosen documents that are still there."""
    arguments = call.effective or {}
    if not (call.proposed or {}).get("documents"):
        return {"question": arguments["question"]}
    rows = Document.objects.for_org(turn.thread.organization).filter(pk__in=arguments["documents"])
    there = set(rows.values_list("pk", flat=True))
    return {"question": arguments["question"], "documents": [each for each in arguments["documents"] if each in there]}

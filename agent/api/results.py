"""The result object of the agent's API, and the calls, rounds and working state inside it."""

from __future__ import annotations

import json

from agent.api import answers
from agent.citations.checked_answers import has_doubts, is_checked
from agent.citations.statements.checking import State
from agent.conversation.cited_messages import CitedMessage, read_message
from agent.models import Thread, ToolCall, Turn
from agent.toolkit.turn_changes import TurnChanges, read_turn_changes
from agent.turns.turn_views import RoundView, TurnView
from documents import extractions
from documents.models import PromptRevision
from documents.values import strip_row_ids
from kit.json_types import JsonObject


def build_result(view: TurnView) -> answers.ChatResult:
    """The result object. `turn_id` and `tool_calls` are there while the turn can still go on."""
    turn, last = view.turn, view.rounds[-1] if view.rounds else None
    cited = _read_cited(view)
    check = describe_check(cited or CitedMessage(""))
    executed = [describe_round(each) for each in view.rounds if each.calls and each.is_over]
    whole: answers.ChatResult = {
        "text": cited.numbered if cited else view.text,
        "citations": check["citations"],
        "unsupported": check["unsupported"],
        "unsupported_because": check["unsupported_because"],
        "not_checked": check["not_checked"],
        "not_checked_because": check["not_checked_because"],
        "nothing_read": check["nothing_read"],
        "coverage": check["coverage"],
        "thinking": (last.thinking if last else "") or None,
        "working_state": describe_working_state(turn.thread),
        "executed_rounds": executed or None,
        "model": turn.model,
        "thread_id": turn.thread_id,
        "turn": {**describe_turn(turn), "status": view.status},
    }
    if turn.status in Turn.LIVE:
        whole["turn_id"], whole["tool_calls"] = turn.pk, [flatten_call(call) for call in view.pending]
    return whole


def _read_cited(view: TurnView) -> CitedMessage | None:
    """The answer of a turn that has ended with one that was checked."""
    message = view.rounds[-1].message if view.rounds else None
    if message is None or view.turn.status != Turn.Status.COMPLETED or not is_checked(message):
        return None
    return read_message(message)


def describe_check(cited: CitedMessage) -> answers.CheckedAnswer:
    return {
        "citations": [_describe_citation(cited, number) for number in cited.citations],
        "unsupported": cited.numbered_unsupported,
        "unsupported_because": [*cited.reasons],
        "not_checked": cited.numbered_not_checked,
        "not_checked_because": [*cited.open_reasons],
        "nothing_read": cited.nothing_read,
        "coverage": _describe_coverage(cited),
    }


def _describe_coverage(cited: CitedMessage) -> dict[str, int | None] | None:
    known = cited.coverage
    if known is None:
        return None
    return {
        "cited": known["cited"],
        "read": known["read"],
        "in_part": known.get("in_part", 0),
        "documents": known["documents"],
    }


def _describe_citation(cited: CitedMessage, number: int) -> answers.Citation:
    row = cited.citations[number]
    return {
        "number": number,
        "document_id": row.reading.document_id,
        "document_name": row.reading.document.name,
        "page": row.page,
        "block_ids": [row.block_id],
        "box": row.box,
        "cited_text": row.cited_text,
        "supported": cited.get_state(number) is State.PROVEN,
        "state": cited.get_state(number).value,
    }


def describe_turn(turn: Turn) -> answers.TurnState:
    """Where the turn is; the clients' contract has no name for it."""
    return {
        "id": turn.pk,
        "status": turn.status,
        "pause_reason": turn.pause_reason or None,
        "reason": turn.reason,
        "rounds": turn.round,
        "max_rounds": turn.max_rounds,
        "cost_micros": turn.spent_micros,
        "changes": describe_changes(read_turn_changes(turn)),
    }


def describe_changes(changes: TurnChanges | None) -> answers.TurnChanges | None:
    if changes is None:
        return None
    return {"sentence": changes.sentence, "counts": {str(end): count for end, count in changes.counts.items()}}


def describe_round(view: RoundView) -> answers.Round:
    is_marked = view.message is not None and has_doubts(view.message)
    return {
        "thinking": view.thinking or None,
        "text": read_message(view.message).text if view.message and is_marked else view.text,
        "tool_calls": [{**flatten_call(call), "status": call.status} for call in view.calls],
    }


def flatten_call(call: ToolCall) -> answers.ToolCall:
    """A call as the published clients take it: its arguments are JSON inside JSON."""
    if call.effective is None:
        return {"id": call.pk, "name": call.tool, "arguments": call.proposed_text}
    return {"id": call.pk, "name": call.tool, "arguments": json.dumps(call.effective, ensure_ascii=False)}


def describe_working_state(thread: Thread) -> answers.WorkingState:
    ids = thread.working_state
    return {
        "schema_revid": ids.get("schema_revid"),
        "prompt_revid": ids.get("prompt_revid"),
        "extraction": read_values(thread),
    }


def read_values(thread: Thread) -> JsonObject | None:
    """The values that hold now: of the thread's last prompt, else of the document's newest run."""
    document = thread.document
    if document is None:
        return None
    last = thread.working_state.get("prompt_revid")
    revision = PromptRevision.objects.for_org(thread.organization).filter(pk=last).first() if last else None
    newest = (extractions.get_newest(document, revision) if revision else None) or extractions.get_newest(document)
    return strip_row_ids(newest.current) if newest else None

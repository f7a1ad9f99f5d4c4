"""The check of an answer with what its turn knows: what was asked and computed, and of how many documents it tells."""

from __future__ import annotations

import json
from collections.abc import Iterable

from agent.citations.aliases import ThreadAliases
from agent.citations.reviewing import Review, review_answer
from agent.citations.uncited import Known
from agent.models import Message, ToolCall, Turn
from agent.policy.answer_coverage import count_coverage
from agent.turns.fixed_way import READING, is_research


def review(turn: Turn, text: str, *, told: Iterable[str] = (), may_repair: bool = True) -> Review | None:
    """`told` is what the product itself has the answer say."""
    checked = review_answer(turn, text, known=_list_known(turn, told), may_repair=may_repair)
    if checked:
        checked.coverage = count_coverage(turn, checked.documents)
    return checked


def _list_known(turn: Turn, told: Iterable[str]) -> Known | None:
    """None unless the turn has read documents of many: what a model knows by itself needs no source."""
    calls = list(turn.calls.filter(status=ToolCall.Status.SUCCEEDED).values_list("tool", "result"))
    if not is_research(turn) or not any(tool in READING for tool, _ in calls):
        return None
    computed = [json.dumps(result, ensure_ascii=False) for tool, result in calls if tool not in READING]
    asked = turn.thread.messages.filter(role=Message.Role.USER, dropped_at=None, turn__number__lte=turn.number)
    names = [row.reading.document.name for row in ThreadAliases(turn.thread).rows if row.reading]
    return Known([*(message.join_text() for message in asked), *told, *computed], names)

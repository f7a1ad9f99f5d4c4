"""Big results of earlier rounds are cleared from a request, in steps, so that most rounds begin as the one before.

Nothing is lost: rows keep them, lines that were cited from them can be, and each says how to read it again.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from copy import copy
from dataclasses import replace

from agent.conversation.model_input.history import Piece
from agent.conversation.model_input.shown_values import VALUE_TOOLS
from agent.models import ToolCall
from agent.outside.catalog import is_outside
from agent.toolkit.registry import registry
from kit.errors import NotFound

KEPT_ANSWERS = 6
"""The newest answers with calls, whose results stay whatever their size."""
STEP = 16_000
"""Letters that are cleared at once: a provider's cache is lost once for all of them."""
MIN_LETTERS, MAX_KEPT = 2_000, 200
CLEARED = 'It was read in an earlier round and is cleared here. read_result(call_id="{call_id}") gives it again.'


def clear_spent(pieces: Sequence[Piece]) -> list[Piece]:
    """Clear what is spent. It rests on the rows alone, so from round to round only more is cleared."""
    answers = [piece for piece in pieces if piece.calls]
    cleared = {piece.number for piece in _choose_spent(answers[:-KEPT_ANSWERS])}
    return [
        replace(piece, calls=[_clear(call) for call in piece.calls]) if piece.number in cleared else piece
        for piece in pieces
    ]


def _choose_spent(old: Sequence[Piece]) -> Sequence[Piece]:
    """The oldest, up to where the last whole step ends."""
    end = letters = 0
    for at, piece in enumerate(old, 1):
        letters += sum(_count_letters(call) for call in piece.calls)
        if letters >= STEP:
            end, letters = at, 0
    return old[:end]


def _count_letters(call: ToolCall) -> int:
    """Count what a read has brought; 0 where that is little, or shown otherwise."""
    if call.status != ToolCall.Status.SUCCEEDED or call.tool in VALUE_TOOLS or not _is_answer(call.tool):
        return 0
    letters = len(json.dumps(call.result, ensure_ascii=False))
    return letters if letters >= MIN_LETTERS else 0


def _is_answer(name: str) -> bool:
    try:
        return is_outside(name) or registry.find(name).is_answer
    except NotFound:  # an earlier version of DocRouter had it
        return False


def _clear(call: ToolCall) -> ToolCall:
    """With its small parts, such as names and counts."""
    if not _count_letters(call):
        return call
    cleared = copy(call)
    small = {name: part for name, part in (call.result or {}).items() if len(json.dumps(part)) <= MAX_KEPT}
    cleared.result = {**small, "cleared": CLEARED.format(call_id=call.wire_id)}
    return cleared

"""Values as they fit into a request: long lists in short, and what the present state shows in no result again."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field

from agent.calls.outcomes import whole_text
from agent.models import ToolCall
from documents.values.row_keys import find_key_column
from documents.values.stored import Stored, StoredRow, strip_row_ids
from kit.json_types import Json, JsonObject

VALUES = "result"
IDS = ("extraction_id", "prompt_revid", "reading_id")
RUN = "run_extraction"
FULL = "full"
VALUE_TOOLS = (RUN, "get_extraction_result")
MAX_WHOLE, ENDS, MAX_NAMED = 20, 5, 30
"""Rows of a list that is shown whole, those shown of each end of a longer one, and those that a message names."""
MAX_LETTERS = 6_000
"""The most letters of the values of a result that is shown whole."""
IN_STATE = "They stand in current_extraction of the present state."
EARLIER = "An earlier run gave them. {more}"
MORE = 'read_result(call_id="{call_id}", offset={offset}) gives all values.'


@dataclass(frozen=True)
class Shown:
    """The extraction of the thread's own document that the present state shows to `turn_id`, and which parts of its
    proof. `prompt` is its name with its version.
    """

    turn_id: str = ""
    extraction_id: str = ""
    prompt: str = ""
    parts: Collection[str] = field(default_factory=frozenset)


def shorten_lists(values: Stored, words: str = "") -> Json:
    """With the first and the last rows of each long list, and those whose key the `words` name."""
    if isinstance(values, dict):
        return {name: shorten_lists(value, words) for name, value in values.items()}
    if isinstance(values, list) and len(values) > MAX_WHOLE:
        return _shorten(values, words)
    return strip_row_ids(values)


def list_left_out(values: Stored, words: str = "", path: str = "") -> Iterator[str]:
    """The paths of the rows that `shorten_lists` leaves out, such as `assets.7`."""
    if isinstance(values, dict):
        for name, value in values.items():
            yield from list_left_out(value, words, f"{path}.{name}" if path else name)
    elif isinstance(values, list) and len(values) > MAX_WHOLE:
        shown = set(_list_between(values, words))
        yield from (f"{path}.{at}" for at in range(ENDS, len(values) - ENDS) if at not in shown)


def _list_between(rows: Sequence[StoredRow], words: str) -> list[int]:
    """The positions of the rows between the ends that the words name."""
    column = find_key_column(rows)
    between = range(ENDS, len(rows) - ENDS) if column else ()
    return [at for at in between if _is_named(_get_key(rows[at], column), words)][:MAX_NAMED]


def _shorten(rows: Sequence[StoredRow], words: str) -> Json:
    column, last = find_key_column(rows), len(rows) - ENDS
    between = [rows[at] for at in _list_between(rows, words)]
    return {
        "rows": len(rows),
        **({"named_by": column} if column else {}),
        "first": strip_row_ids(list(rows[:ENDS])),
        **({"named": strip_row_ids(between)} if between else {}),
        "last": strip_row_ids(list(rows[last:])),
    }


def _is_named(key: str, words: str) -> bool:
    return key in words and re.search(rf"(?<!\w){re.escape(key)}(?!\w)", words) is not None


def _get_key(row: StoredRow, column: str) -> str:
    value = row["value"]
    return str(value.get(column)) if isinstance(value, dict) else ""


def hide_shown(call: ToolCall, shown: Shown) -> ToolCall:
    """The call without what the state shows, without values of earlier runs, and with long lists in short.

    What the model has asked for in this turn it gets. Ids that no call needs beside a name are left out.
    """
    result: JsonObject = call.result or {}
    if call.tool not in VALUE_TOOLS or VALUES not in result:
        return call
    hidden = copy(call)
    hidden.result = {name: part for name, part in _shorten_result(call, result, shown).items() if name not in IDS}
    return hidden


def _shorten_result(call: ToolCall, result: JsonObject, shown: Shown) -> JsonObject:
    is_own, is_asked = "document_name" not in result, call.tool != RUN and call.turn_id == shown.turn_id
    if is_own and not is_asked and result.get("extraction_id") == shown.extraction_id:
        dropped = (VALUES, "addresses", *({"lines"} & set(shown.parts)))
        return {**{name: part for name, part in result.items() if name not in dropped}, "values": IN_STATE}
    if is_own and shown.extraction_id and _is_spent(call, shown):
        left = {name: part for name, part in result.items() if name not in (VALUES, "lines", "addresses")}
        return {**left, "values": EARLIER.format(more=_point_to(call))}
    is_full = is_asked and (call.effective or {}).get("detail") == FULL
    if not is_full and len(json.dumps(result[VALUES], ensure_ascii=False)) > MAX_LETTERS:
        return {**result, VALUES: _shorten_wire(result[VALUES]), "more": _point_to(call)}
    return result


def _is_spent(call: ToolCall, shown: Shown) -> bool:
    """Whether a later run of the same prompt stands in the state, or the turn that has read it is over."""
    of_same_prompt = _name_prompt((call.result or {}).get("prompt")) == _name_prompt(shown.prompt)
    return call.turn_id != shown.turn_id or (of_same_prompt and call.tool == RUN)


def _name_prompt(prompt: object) -> str:
    return str(prompt).rpartition(" v")[0]


def _point_to(call: ToolCall) -> str:
    return MORE.format(call_id=call.wire_id, offset=max(0, whole_text(call, reason_follows=True).find(f'"{VALUES}": ')))


def _shorten_wire(values: Json) -> Json:
    """Shorten values as a result has them, without ids of rows."""
    if isinstance(values, Mapping):
        return {name: _shorten_wire(value) for name, value in values.items()}
    if isinstance(values, list) and len(values) > MAX_WHOLE:
        return {"rows": len(values), "first": values[:ENDS], "last": values[-ENDS:]}
    return values

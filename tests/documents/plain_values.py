"""Changes of stored values written in the plainest way, each a new copy: what OpenValue has to agree with."""

from __future__ import annotations

from collections.abc import Sequence

from documents.values import Stored, StoredRow, Where, get_value, has_value
from documents.values.addresses import RowStep, Step, find_row, join_steps, split_steps
from kit.errors import Invalid, NotFound


def set_value(stored: Stored, where: Where, value: Stored) -> Stored:
    """A copy with the value (in stored shape) put there. A missing field is made, a missing row is NotFound."""
    return _put(stored, split_steps(where), value, where)


def _put(stored: Stored, steps: Sequence[Step], value: Stored, where: Where) -> Stored:
    if not steps:
        return value
    step, rest = steps[0], steps[1:]
    if isinstance(step, RowStep):
        position = find_row(stored, step.row_id) if isinstance(stored, list) else None
        if position is None:
            raise NotFound(f"There is no row for {where}.")
        changed = StoredRow(row_id=step.row_id, value=_put(stored[position]["value"], rest, value, where))
        return [*stored[:position], changed, *stored[position + 1 :]]
    if stored is not None and not isinstance(stored, dict):
        raise NotFound(f"There is no value at {where}.")
    fields = stored or {}
    return {**fields, step: _put(fields.get(step), rest, value, where)}


def append_row(stored: Stored, where: Where, value: Stored) -> Stored:
    """A copy with a row at the end of its array; `where` ends in the new row's id."""
    *outer, last = split_steps(where)
    if not isinstance(last, RowStep) or not outer:
        raise Invalid(f'"{where}" is not the address of a row.')
    array = join_steps(outer)
    rows = get_value(stored, array) if has_value(stored, array) else None
    if rows is not None and not isinstance(rows, list):
        raise Invalid(f"{array} is not an array, so it takes no rows.")
    return set_value(stored, array, [*(rows or []), StoredRow(row_id=last.row_id, value=value)])


def remove_row(stored: Stored, where: Where) -> Stored:
    *outer, last = split_steps(where)
    if not isinstance(last, RowStep):
        raise Invalid(f'"{where}" is not the address of a row.')
    get_value(stored, where)
    array = join_steps(outer)
    return set_value(stored, array, [row for row in get_value(stored, array) if row["row_id"] != last.row_id])

"""A stored value opened for many looks and changes: each costs the depth of its address, and no copy of the rest."""

from __future__ import annotations

from collections.abc import Sequence

from documents.values.addresses import RowStep, Step, Where, split_steps
from documents.values.stored import Stored, StoredRow
from kit.errors import Invalid, NotFound
from kit.json_types import Json, JsonObject


class _Rows(JsonObject):
    """An array: its opened values by row id, in order."""


_MISSING = object()


class OpenValue:
    """Keeps its own copy. The functions in `addresses` mean the same, for one look or change at a value."""

    def __init__(self, stored: Stored) -> None:
        self._root = _open(stored)

    def close(self) -> Stored:
        """The value as it is now, in stored shape."""
        return _close(self._root)

    def has(self, where: Where) -> bool:
        return self._at(split_steps(where)) is not _MISSING

    def get(self, where: Where) -> Stored:
        """NotFound when there is no such place."""
        value = self._at(split_steps(where))
        if value is _MISSING:
            raise NotFound(f"There is no value at {where}.")
        return _close(value)

    def set_value(self, where: Where, value: Stored) -> None:
        """A missing field is made; a missing row is NotFound, and then nothing has changed."""
        self._put(split_steps(where), _open(value), where)

    def append_row(self, where: Where, value: Stored) -> None:
        """At the end of its array; `where` ends in the new row's id."""
        *outer, last = split_steps(where)
        if not isinstance(last, RowStep) or not outer:
            raise Invalid(f'"{where}" is not the address of a row.')
        rows = self._at(outer)
        if rows is _MISSING or rows is None:
            return self._put(outer, _Rows({last.row_id: _open(value)}), where)
        if not isinstance(rows, _Rows):
            raise Invalid(f"{where.rpartition('[')[0]} is not an array, so it takes no rows.")
        rows[last.row_id] = _open(value)
        return None

    def remove_row(self, where: Where) -> None:
        *outer, last = split_steps(where)
        if not isinstance(last, RowStep):
            raise Invalid(f'"{where}" is not the address of a row.')
        rows = self._at(outer)
        if not isinstance(rows, _Rows) or last.row_id not in rows:
            raise NotFound(f"There is no value at {where}.")
        del rows[last.row_id]

    def _at(self, steps: Sequence[Step]) -> Json:
        value = self._root
        for step in steps:
            value = _get_child(value, step)
            if value is _MISSING:
                return _MISSING
        return value

    def _put(self, steps: Sequence[Step], value: Json, where: Where) -> None:
        holder, name, here = None, "", self._root
        for at, step in enumerate(steps):
            if here is _MISSING or here is None:
                value = _nest_value(steps[at:], value, where)
                break
            if not isinstance(here, dict) or isinstance(step, RowStep) != isinstance(here, _Rows):
                raise NotFound(f"There is no value at {where}.")
            if isinstance(step, RowStep) and step.row_id not in here:
                raise NotFound(f"There is no row for {where}.")
            holder, name = here, _get_key(step)
            here = here.get(name, _MISSING)
        if holder is None:
            self._root = value
        else:
            holder[name] = value


def _open(stored: Stored) -> Json:
    if isinstance(stored, list):
        return _Rows((row["row_id"], _open(row["value"])) for row in stored)
    if isinstance(stored, dict):
        return {name: _open(value) for name, value in stored.items()}
    return stored


def _close(opened: Json) -> Stored:
    if isinstance(opened, _Rows):
        return [StoredRow(row_id=row_id, value=_close(value)) for row_id, value in opened.items()]
    if isinstance(opened, dict):
        return {name: _close(value) for name, value in opened.items()}
    return opened


def _get_child(opened: Json, step: Step) -> Json:
    if not isinstance(opened, dict) or isinstance(step, RowStep) != isinstance(opened, _Rows):
        return _MISSING
    return opened.get(_get_key(step), _MISSING)


def _get_key(step: Step) -> str:
    return step.row_id if isinstance(step, RowStep) else step


def _nest_value(steps: Sequence[Step], value: Json, where: Where) -> Json:
    """The value inside the fields that lead to it."""
    for step in reversed(steps):
        if isinstance(step, RowStep):
            raise NotFound(f"There is no row for {where}.")
        value = {step: value}
    return value

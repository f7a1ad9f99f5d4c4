"""Where a value sits: `line_items[<row id>].amount` in what is stored, `line_items.0.amount` on the wire."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from documents.values.stored import Stored, StoredRow
from kit.errors import Invalid, NotFound

Where: TypeAlias = str


class RowStep(NamedTuple):
    row_id: str


Step: TypeAlias = str | RowStep

_STEP = re.compile(r"\[([^\[\]]+)\]|\.?([^.\[\]]+)")
# No list has a position of more, and Python makes no number of thousands of digits.
_POSITION_DIGITS = 9


def split_steps(where: Where) -> tuple[Step, ...]:
    """Raises Invalid when the text is no address."""
    steps: list[Step] = []
    end = 0
    for match in _STEP.finditer(where):
        if match.start() != end:
            break
        steps.append(RowStep(match[1]) if match[1] else match[2])
        end = match.end()
    if end != len(where) or not steps:
        raise Invalid(f'"{where}" is not the address of a value.')
    return tuple(steps)


def join_steps(steps: Sequence[Step]) -> Where:
    text = "".join(f"[{step.row_id}]" if isinstance(step, RowStep) else f".{step}" for step in steps)
    return text.removeprefix(".")


def is_inside(where: Where, outer: Where) -> bool:
    """True when `where` is `outer` itself or something within it."""
    return where == outer or (where.startswith(outer) and where[len(outer)] in ".[")


def list_places_around(where: Where) -> list[Where]:
    """The place itself and all that it is inside of: `is_inside` asked of many places at once, by their addresses."""
    return [*(where[:at] for at, sign in enumerate(where) if at and sign in ".["), where]


def overlaps(one: Where, other: Where) -> bool:
    return is_inside(one, other) or is_inside(other, one)


def find_row(rows: Sequence[StoredRow], row_id: str) -> int | None:
    return next((position for position, row in enumerate(rows) if row["row_id"] == row_id), None)


def get_value(stored: Stored, where: Where) -> Stored:
    """The value there; NotFound when there is no such place."""
    value = stored
    for step in split_steps(where):
        value = _child(value, step, where)
    return value


def has_value(stored: Stored, where: Where) -> bool:
    try:
        get_value(stored, where)
    except NotFound:
        return False
    return True


def _child(value: Stored, step: Step, where: Where) -> Stored:
    if isinstance(step, RowStep):
        position = find_row(value, step.row_id) if isinstance(value, list) else None
        if position is not None:
            return value[position]["value"]
    elif isinstance(value, dict) and step in value:
        return value[step]
    raise NotFound(f"There is no value at {where}.")


def iterate_leaves(stored: Stored, steps: tuple[Step, ...] = ()) -> Iterator[tuple[Where, Stored]]:
    """Every scalar (None too) with its address, in the order it is kept."""
    if isinstance(stored, dict):
        for name, value in stored.items():
            yield from iterate_leaves(value, (*steps, name))
    elif isinstance(stored, list):
        for row in stored:
            yield from iterate_leaves(row["value"], (*steps, RowStep(row["row_id"])))
    elif steps:
        yield join_steps(steps), stored


def group_leaves_by_place(stored: Stored, places: Collection[Where]) -> dict[Where, list[Where]]:
    """Of each place the addresses of the single values at or inside it, in the order they are kept."""
    leaves: dict[Where, list[Where]] = {place: [] for place in places}
    for where, _ in iterate_leaves(stored):
        for place in list_places_around(where):
            if place in leaves:
                leaves[place].append(where)
    return leaves


def find_where(stored: Stored, wire_path: str) -> Where:
    """The address behind a dotted path whose numbers are array positions. NotFound says what would have been there."""
    steps: list[Step] = []
    value = stored
    for name in wire_path.split("."):
        step = _find_step(value, name, wire_path)
        value = _child(value, step, wire_path) if has_step(value, step) else None
        steps.append(step)
    return join_steps(steps)


def has_step(value: Stored, step: Step) -> bool:
    if isinstance(step, RowStep):
        return isinstance(value, list) and find_row(value, step.row_id) is not None
    return isinstance(value, dict) and step in value


def _find_step(value: Stored, name: str, wire_path: str) -> Step:
    if isinstance(value, list):
        if not name.isdecimal():
            raise NotFound(f'{wire_path}: an array takes a position from 0, not "{name}".')
        if len(name) > _POSITION_DIGITS or int(name) >= len(value):
            raise NotFound(f"{wire_path[:200]}: there are {len(value)} rows, so position {name[:20]} is past the end.")
        return RowStep(value[int(name)]["row_id"])
    if not name or not (value is None or isinstance(value, dict)):
        raise NotFound(f"{wire_path}: there is nothing inside a single value.")
    return name


def map_wire_paths(stored: Stored) -> dict[Where, str]:
    """Of every scalar its dotted path: `get_wire_path` asked of all at once."""
    return {join_steps(steps): ".".join(names) for steps, names in _iterate_leaf_paths(stored, (), ())}


def _iterate_leaf_paths(
    stored: Stored, steps: tuple[Step, ...], names: tuple[str, ...]
) -> Iterator[tuple[tuple[Step, ...], tuple[str, ...]]]:
    if isinstance(stored, dict):
        for name, value in stored.items():
            yield from _iterate_leaf_paths(value, (*steps, name), (*names, name))
    elif isinstance(stored, list):
        for position, row in enumerate(stored):
            yield from _iterate_leaf_paths(row["value"], (*steps, RowStep(row["row_id"])), (*names, str(position)))
    elif steps:
        yield steps, names


def get_wire_path(stored: Stored, where: Where) -> str:
    """The dotted path with positions as they are now."""
    names: list[str] = []
    value = stored
    for step in split_steps(where):
        if isinstance(step, RowStep):
            position = find_row(value, step.row_id) if isinstance(value, list) else None
            if position is None:
                raise NotFound(f"There is no row for {where}.")
            names.append(str(position))
            value = value[position]["value"]
        else:
            names.append(step)
            value = value.get(step) if isinstance(value, dict) else None
    return ".".join(names)

"""From what somebody wants on the wire to edits: one path with a value, or a whole result."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from json import dumps

from documents.values.addresses import RowStep, Step, Where, find_where, join_steps
from documents.values.aligning import align
from documents.values.bounded_checks import MAX_VALUE_LEVELS
from documents.values.edits import EditKind, get_old_value
from documents.values.open_value import OpenValue
from documents.values.stored import Schema, Stored, StoredRow, add_row_ids, strip_row_ids
from kit.errors import NotFound
from kit.ids import new_id
from kit.json_types import Json
from printed.dates import parse_dates
from printed.folding import digits_agree


@dataclass(frozen=True)
class Change:
    """An edit to be: `old` and `new` in stored shape."""

    where: Where
    old: Stored
    new: Stored
    kind: EditKind = EditKind.SET


def make_change(stored: Stored, wire_path: str, value: Json, schema: Schema | None = None) -> Change:
    """The change that puts a value at a dotted path. One position past the end of an array adds a row.

    `schema` is the subschema at that path. NotFound when a position lies further out or the path leads nowhere.
    """
    names = wire_path.split(".")
    if len(names) > MAX_VALUE_LEVELS:
        raise NotFound(f"{wire_path[:200]}: there is no value so deep.")
    for cut in range(1, len(names)):
        rows = _find_value(stored, ".".join(names[:cut]))
        if isinstance(rows, list) and names[cut] == str(len(rows)):
            return _make_row_addition(stored, names[:cut], names[cut + 1 :], value, schema)
    where = find_where(stored, wire_path)
    return Change(where, get_old_value(stored, where), add_row_ids(value, schema))


def _find_value(stored: Stored, wire_path: str) -> Stored:
    try:
        return get_old_value(stored, find_where(stored, wire_path))
    except NotFound:
        return None


def _make_row_addition(
    stored: Stored, array: list[str], inner: list[str], value: Json, schema: Schema | None
) -> Change:
    for name in reversed(inner):
        if name.isdecimal():
            raise NotFound(f"{'.'.join([*array, *inner])}: the row is new, so give it whole.")
        value, schema = {name: value}, {"properties": {name: schema or {}}}
    where = f"{find_where(stored, '.'.join(array))}[{new_id()}]"
    return Change(where, None, add_row_ids(value, schema), EditKind.ADD_ROW)


def list_changes(stored: Stored, target: Json, schema: Schema | None = None) -> list[Change]:
    """What must be edited so that `stored` reads as `target`. Rows that stayed the same keep their ids."""
    return list(_iterate_changes(stored, target, schema or {}, ()))


def _iterate_changes(stored: Stored, target: Json, schema: Schema, steps: tuple[Step, ...]) -> Iterator[Change]:
    if isinstance(stored, dict) and isinstance(target, dict):
        properties = schema.get("properties") or {}
        for name, value in target.items():
            yield from _iterate_changes(stored.get(name), value, properties.get(name) or {}, (*steps, name))
    elif isinstance(stored, list) and isinstance(target, list):
        yield from _iterate_row_changes(stored, target, schema.get("items") or {}, steps)
    elif not is_same(strip_row_ids(stored), target):
        yield Change(join_steps(steps), stored, add_row_ids(target, schema))


def _iterate_row_changes(
    rows: list[StoredRow], targets: list[Json], schema: Schema, steps: tuple[Step, ...]
) -> Iterator[Change]:
    for row, items in _pair_rows(rows, targets):
        if row is None:
            where = join_steps((*steps, RowStep(new_id())))
            yield Change(where, None, add_row_ids(items[0], schema), EditKind.ADD_ROW)
        elif not items:
            yield Change(join_steps((*steps, RowStep(row["row_id"]))), row["value"], None, EditKind.REMOVE_ROW)
        else:
            yield from _iterate_changes(row["value"], items[0], schema, (*steps, RowStep(row["row_id"])))


def _pair_rows(rows: list[StoredRow], targets: list[Json]) -> Iterator[tuple[StoredRow | None, list[Json]]]:
    """Each row with the item that it becomes (none: removed), then the items that are new."""
    before, after = ([_serialize(strip_row_ids(row["value"])) for row in rows], [_serialize(item) for item in targets])
    blocks = align(before, after)
    grows_inside = any(end - start < new_end - new_start for start, end, new_start, new_end in blocks[:-1])
    if grows_inside:  # rows are only added at the end, so an insertion moves the values, not the rows
        blocks = [(0, len(rows), 0, len(targets))]
    for start, end, new_start, new_end in blocks:
        items = targets[new_start:new_end]
        yield from ((row, items[at : at + 1]) for at, row in enumerate(rows[start:end]))
        yield from ((None, [item]) for item in items[end - start :])


def _serialize(value: Json) -> str:
    return dumps(value, sort_keys=True, ensure_ascii=False)


def is_same(one: Json, other: Json) -> bool:
    """Equal as JSON: true is not 1, but 1.0 is 1."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(is_same(one[name], other[name]) for name in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(is_same, one, other))
    return (type(one) is type(other) and one == other) or (_both_numbers(one, other) and one == other)


def says_the_same(one: Json, other: Json) -> bool:
    """Whether a value is the other one, in any case, spacing, punctuation or form of a date."""
    if is_same(one, other) or (one in (None, "") and other in (None, "")):
        return True
    if not isinstance(one, str) or not isinstance(other, str):
        return False
    days = parse_dates(one)
    return (len(days) == 1 and days == parse_dates(other)) or _has_same_letters(one, other)


def _has_same_letters(one: str, other: str) -> bool:
    one_letters, other_letters = ([sign for sign in text.casefold() if sign.isalnum()] for text in (one, other))
    return one_letters == other_letters and digits_agree(one, other)


def is_run_value(result: OpenValue, where: Where, value: Stored) -> bool:
    """Whether the value is the run's own: edits of it, if there were any, have been taken back."""
    return result.has(where) and is_same(result.get(where), value)


def _both_numbers(one: Json, other: Json) -> bool:
    return isinstance(one, (int, float)) and isinstance(other, (int, float))

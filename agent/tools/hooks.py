"""What the changing tools share: which row is meant, what its card rests on, what differs, how it is taken back.

The argument and the result that name a row are called like its kind: `schema_id`, `tag_id`.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from typing import TypeAlias, cast

from django.db.models import Model

from agent.toolkit.effects import Inverse, Preconditions
from agent.toolkit.preconditions import precondition_of_free_name, read_preconditions, read_preconditions_after
from agent.toolkit.registry import Result, ToolContext
from agent.toolkit.signatures import Arguments
from kit.json_types import Json

Changes: TypeAlias = dict[str, tuple[Json, Json]]
"""Part to what it was and what it would be, for those that differ."""

Resolve: TypeAlias = Callable[[ToolContext, Arguments], Arguments]
ReadPreconditions: TypeAlias = Callable[[ToolContext, Arguments], Preconditions]
BuildInverse: TypeAlias = Callable[[ToolContext, Arguments, Result], Inverse]


def find_changes(was: Mapping[str, Json], new: Mapping[str, Json]) -> Changes:
    """None in `new` leaves a part as it is."""
    changeable = {part: value for part, value in new.items() if part in was and value is not None}
    return {part: (was[part], value) for part, value in changeable.items() if value != was[part]}


def keep_changed(arguments: Arguments, changes: Changes, parts: Container[str]) -> Arguments:
    """Without the parts that would stay as they are: a call must not bring them back when somebody changes them."""
    return {name: value for name, value in arguments.items() if name not in parts or name in changes}


def resolve_id(kind: str, find: Callable[[ToolContext, str], Model]) -> Resolve:
    """With the row's own id, however the model named it."""
    name = f"{kind}_id"
    return lambda context, arguments: {**arguments, name: find(context, arguments[name]).pk}


def preconditions_of(kind: str, parts: Iterable[str]) -> ReadPreconditions:
    return lambda context, arguments: read_preconditions(context, kind, arguments[f"{kind}_id"], parts)


def preconditions_of_changed(kind: str, parts: Mapping[str, str]) -> ReadPreconditions:
    """On the parts that the given arguments change; `parts` maps an argument to its part."""

    def read(context: ToolContext, arguments: Arguments) -> Preconditions:
        changed_parts = [part for name, part in parts.items() if name in arguments]
        return read_preconditions(context, kind, arguments[f"{kind}_id"], changed_parts)

    return read


def preconditions_of_free_name(kind: str) -> ReadPreconditions:
    return lambda context, arguments: precondition_of_free_name(kind, arguments["name"])


def inverse_by(service: str, kind: str, parts: Iterable[str]) -> BuildInverse:
    """While these parts are as the call left them. A mapping gives the part of each name in `context.before`."""

    def build(context: ToolContext, arguments: Arguments, result: Result) -> Inverse:
        row_id = str(result.get(f"{kind}_id") or arguments[f"{kind}_id"])
        left = [parts[name] for name in context.before] if isinstance(parts, Mapping) else parts
        precondition = read_preconditions_after(context, kind, row_id, left)
        inverse = {"service": service, f"{kind}_id": row_id, **context.before, "precondition": precondition}
        return cast(Inverse, inverse)

    return build

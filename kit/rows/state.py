"""The one way a status changes: a conditional UPDATE that one caller wins and every other loses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.db import models

from kit.errors import Conflict

Transitions = Mapping[str, frozenset[str]]


def table(**moves: str) -> Transitions:
    """`table(queued="running cancelled", running="done")`: from-state to the states it may go to."""
    return {state: frozenset(to.split()) for state, to in moves.items()}


def sources(transitions: Transitions, to: str) -> list[str]:
    return [state for state, targets in transitions.items() if to in targets]


def move(
    row: models.Model,
    to: str,
    *,
    transitions: Transitions,
    field: str = "status",
    only_from: Iterable[str] | None = None,
    where: Mapping[str, object] | None = None,
    **changes: object,
) -> None:
    """Moves the row to `to` and writes `changes` with it, or raises Conflict and changes nothing.

    `where` adds conditions that must still hold (version, fence, hash). The instance is brought up to date on success.
    """
    allowed = set(sources(transitions, to))
    if only_from is not None:
        allowed &= set(only_from)
    conditions = {"pk": row.pk, f"{field}__in": sorted(allowed), **(where or {})}
    if not type(row)._base_manager.filter(**conditions).update(**{field: to}, **changes):
        raise Conflict(f"This {row._meta.verbose_name} is no longer in a state that can become {to}.")
    for name, value in {field: to, **changes}.items():
        setattr(row, name, value)

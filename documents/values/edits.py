"""Edits lie on top of a run's immutable result; the current value is computed from both."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from math import inf

from documents.values.addresses import Where, get_value, has_value, list_places_around, overlaps
from documents.values.open_value import OpenValue
from documents.values.stored import Stored
from kit.errors import NotFound


class Origin(StrEnum):
    PERSON = "person"
    AGENT_APPROVED = "agent_approved"
    AGENT_RULE = "agent_rule"


class EditKind(StrEnum):
    SET = "set"
    ADD_ROW = "add_row"
    REMOVE_ROW = "remove_row"


@dataclass(frozen=True)
class Edit:
    """One change of one place. `old` and `new` are in stored shape; `seq` orders edits and verifications."""

    where: Where
    old: Stored
    new: Stored
    origin: Origin
    seq: int
    kind: EditKind = EditKind.SET

    @property
    def by_rule(self) -> bool:
        return self.origin is Origin.AGENT_RULE


def compute_current(stored: Stored, edits: Iterable[Edit]) -> Stored:
    """The run's result with its edits.

    The newest edit of a person, or approved by one, wins; below it the newest edit by rule; below that the run.
    """
    ordered = sorted(edits, key=lambda edit: edit.seq)
    human = [edit for edit in ordered if not edit.by_rule]
    value, places = OpenValue(stored), _HumanPlaces(human)
    for edit in ordered:
        if edit.by_rule and not places.is_protected(edit):
            _apply(value, edit)
    for edit in human:
        _apply(value, edit)
    return value.close()


def is_protected(where: Where, edits: Iterable[Edit], verified: Iterable[Where] = ()) -> bool:
    """True when an edit by rule may not touch this place: a person's value or a verification is there."""
    human = any(not edit.by_rule and overlaps(edit.where, where) for edit in edits)
    return human or any(overlaps(place, where) for place in verified)


class _HumanPlaces:
    """What people have set, and from which seq on: no edit by rule is applied there any more."""

    def __init__(self, human: Sequence[Edit]) -> None:
        self.at: dict[Where, int] = {}
        self.within: dict[Where, int] = {}
        for edit in sorted(human, key=lambda edit: -edit.seq):
            self.at[edit.where] = edit.seq
            self.within |= dict.fromkeys(list_places_around(edit.where), edit.seq)

    def is_protected(self, edit: Edit) -> bool:
        around = (self.at[place] for place in list_places_around(edit.where) if place in self.at)
        if min([*around, self.within.get(edit.where, inf)]) < edit.seq:
            return True
        return edit.kind is EditKind.REMOVE_ROW and edit.where in self.within


def _apply(value: OpenValue, edit: Edit) -> None:
    if edit.kind is EditKind.ADD_ROW:
        if not value.has(edit.where):
            value.append_row(edit.where, edit.new)
    elif edit.kind is EditKind.REMOVE_ROW:
        if value.has(edit.where):
            value.remove_row(edit.where)
    else:
        with suppress(NotFound):  # a field of a row that is removed by now
            value.set_value(edit.where, edit.new)


def get_old_value(stored: Stored, where: Where) -> Stored:
    return get_value(stored, where) if has_value(stored, where) else None

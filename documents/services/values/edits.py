"""Edits lie on top of a run's immutable result; the current value is computed from both."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from docrouter.kit.errors import NotFound
from documents.services.values.addresses import (
    Where,
    append_row,
    get,
    has,
    is_inside,
    overlaps,
    remove_row,
    set_value,
)
from documents.services.values.stored import Stored


class Origin(StrEnum):
    PERSON = "person"
    AGENT_APPROVED = "agent_approved"
    AGENT_RULE = "agent_rule"


class Kind(StrEnum):
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
    kind: Kind = Kind.SET

    @property
    def by_rule(self) -> bool:
        return self.origin is Origin.AGENT_RULE


def current(stored: Stored, edits: Iterable[Edit], verified: Mapping[Where, int] | None = None) -> Stored:
    """The run's result with its edits. `verified` gives the seq at which each place was last verified.

    The newest edit of a person, or approved by one, wins; below it the newest edit by rule; below that the run.
    """
    ordered = sorted(edits, key=lambda edit: edit.seq)
    human = [edit for edit in ordered if not edit.by_rule]
    for edit in ordered:
        if edit.by_rule and not _is_held(edit, human, verified or {}):
            stored = _apply(stored, edit)
    for edit in human:
        stored = _apply(stored, edit)
    return stored


def is_protected(where: Where, edits: Iterable[Edit], verified: Mapping[Where, int] | None = None) -> bool:
    """True when an edit by rule may not touch this place: a person's value or a verification is there."""
    human = any(not edit.by_rule and overlaps(edit.where, where) for edit in edits)
    return human or any(overlaps(place, where) for place in verified or {})


def origins(edits: Iterable[Edit]) -> dict[Where, Origin]:
    """Who stands behind each edited place, for the pages."""
    found: dict[Where, Origin] = {}
    for edit in sorted(edits, key=lambda edit: (not edit.by_rule, edit.seq)):
        if edit.kind is not Kind.REMOVE_ROW:
            found[edit.where] = edit.origin
    return found


def _is_held(edit: Edit, human: list[Edit], verified: Mapping[Where, int]) -> bool:
    # What a rule had set before the person verified it is what the person saw, so it stays.
    if any(seq <= edit.seq and overlaps(place, edit.where) for place, seq in verified.items()):
        return True
    removes_human_work = edit.kind is Kind.REMOVE_ROW and any(is_inside(other.where, edit.where) for other in human)
    return removes_human_work or any(other.seq < edit.seq and overlaps(other.where, edit.where) for other in human)


def _apply(stored: Stored, edit: Edit) -> Stored:
    if edit.kind is Kind.ADD_ROW:
        return stored if has(stored, edit.where) else append_row(stored, edit.where, edit.new)
    if edit.kind is Kind.REMOVE_ROW:
        return remove_row(stored, edit.where) if has(stored, edit.where) else stored
    try:
        return set_value(stored, edit.where, edit.new)
    except NotFound:  # a field of a row that is removed by now
        return stored


def old_value(stored: Stored, where: Where) -> Stored:
    return get(stored, where) if has(stored, where) else None

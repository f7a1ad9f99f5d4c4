"""A new run beside an earlier one: which rows are the same thing, and which human edits go along."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product
from typing import TypeAlias

from documents.values.addresses import RowStep, Step, Where, iterate_leaves, join_steps, split_steps
from documents.values.edits import Edit, EditKind
from documents.values.open_value import OpenValue
from documents.values.provenance import Location
from documents.values.stored import Stored, StoredRow

_ENOUGH = 0.5
_CLEARLY_BETTER = 0.1
_REGION_SHARE = 0.6
_COMMON = 40
# About a second's work, and the document that a run reads decides how many there are.
_MAX_PAIRS = 100_000
_BAND = 0.005
"""Of the page's height: well under a line, well over what two readings of one line differ by."""

Matches: TypeAlias = Mapping[str, str]
"""Row ids of the earlier run → of the new run."""


@dataclass(frozen=True)
class Conflict:
    """A human edit that has no place in the new run. It is shown, never applied."""

    edit: Edit
    reason: str


@dataclass(frozen=True)
class CarriedEdits:
    edits: tuple[Edit, ...]
    conflicts: tuple[Conflict, ...]


@dataclass(frozen=True)
class _Traits:
    """What a row is known by: key fields with their values, and the visual lines that its values stand on."""

    fields: frozenset[Hashable]
    lines: frozenset[Hashable]

    def likeness(self, other: _Traits) -> float:
        equal = len(self.fields & other.fields) / max(len(self.fields | other.fields), 1)
        if not self.lines or not other.lines:
            return equal
        shared = len(self.lines & other.lines) / min(len(self.lines), len(other.lines))
        return _REGION_SHARE * shared + (1 - _REGION_SHARE) * equal


def match_rows(
    old_stored: Stored,
    old_provenance: Mapping[Where, Location],
    new_stored: Stored,
    new_provenance: Mapping[Where, Location],
) -> Matches:
    """Pair the rows of two runs by where they stand on the pages and by equal fields.

    `old_stored` may be the current value: what a person corrected is then part of the key. A row that is about as
    close to two others stays unmatched.
    """
    matching = _Matching(_group_lines_by_row(old_provenance), _group_lines_by_row(new_provenance))
    matching.walk(old_stored, new_stored)
    return matching.rows


class _Matching:
    def __init__(self, old_lines: Mapping[str, set[Hashable]], new_lines: Mapping[str, set[Hashable]]) -> None:
        self.old_lines, self.new_lines = old_lines, new_lines
        self.rows: dict[str, str] = {}

    def walk(self, old: Stored, new: Stored) -> None:
        if isinstance(old, list) and isinstance(new, list):
            self._pair_up(old, new)
        elif isinstance(old, dict) and isinstance(new, dict):
            for name in old:
                self.walk(old[name], new.get(name))

    def _pair_up(self, old: Sequence[StoredRow], new: Sequence[StoredRow]) -> None:
        pairs = _pair_rows(
            [_get_traits(row, self.old_lines) for row in old], [_get_traits(row, self.new_lines) for row in new]
        )
        for at, partner_at in pairs.items():
            row, partner = old[at], new[partner_at]
            self.rows[row["row_id"]] = partner["row_id"]
            self.walk(row["value"], partner["value"])


def _group_lines_by_row(provenance: Mapping[Where, Location]) -> dict[str, set[Hashable]]:
    """The heights on the pages that each row's located values stand at; line numbers differ between readings."""
    lines: defaultdict[str, set[Hashable]] = defaultdict(set)
    for where, location in provenance.items():
        heights = {int((top + bottom) / 2 / _BAND) for _, top, _, bottom in location.boxes}
        bands = {(location.page, height + near) for height in heights for near in (-1, 0, 1)}
        for step in split_steps(where):
            if isinstance(step, RowStep):
                lines[step.row_id] |= bands
    return lines


def _get_traits(row: StoredRow, lines: Mapping[str, set[Hashable]]) -> _Traits:
    fields = frozenset(
        (_mask_rows(where), str(value).casefold())
        for where, value in iterate_leaves(row["value"], ("row",))
        if value not in (None, "")
    )
    return _Traits(fields, frozenset(lines.get(row["row_id"], ())))


def _mask_rows(where: Where) -> str:
    return join_steps([RowStep("*") if isinstance(step, RowStep) else step for step in split_steps(where)])


def _pair_rows(old: Sequence[_Traits], new: Sequence[_Traits]) -> dict[int, int]:
    """Positions of old rows → of new rows: best likeness first, only where the choice is clear."""
    likeness = {(a, b): old[a].likeness(new[b]) for a, b in _find_possible_pairs(old, new)}
    scores = dict(sorted(likeness.items(), key=lambda item: (-item[1], item[0])))
    by_old, by_new = _group_by_side(scores, 0), _group_by_side(scores, 1)
    alike_old, alike_new = Counter(old), Counter(new)
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for (a, b), score in scores.items():
        if score < _ENOUGH or a in pairs or b in taken:
            continue
        twins = alike_old[old[a]] == alike_new[new[b]]
        # The best come first, so that a rival that is about as close is met early.
        rivals = (
            scores[x, y]
            for x, y in (*by_old[a], *by_new[b])
            if (x, y) != (a, b) and x not in pairs and y not in taken
            if not (twins and old[x] == old[a] and new[y] == new[b])
        )
        if all(score - rival >= _CLEARLY_BETTER for rival in rivals):
            pairs[a] = b
            taken.add(b)
    return pairs


def _find_possible_pairs(old: Sequence[_Traits], new: Sequence[_Traits]) -> set[tuple[int, int]]:
    """Pairs that share a field or a line. What very many rows share tells nothing apart and would be quadratic.

    Rare marks come first: of tables that are made to have too many pairs, the telling ones remain.
    """
    old_holders, new_holders = _group_by_mark(old), _group_by_mark(new)
    shared = [mark for mark in old_holders if 0 < len(new_holders.get(mark, ())) <= _COMMON]
    pairs: set[tuple[int, int]] = set()
    for mark in sorted(shared, key=lambda mark: len(old_holders[mark]) * len(new_holders[mark])):
        pairs.update(islice(product(old_holders[mark], new_holders[mark]), _MAX_PAIRS - len(pairs)))
    return pairs


def _group_by_mark(rows: Sequence[_Traits]) -> dict[Hashable, list[int]]:
    """The positions of the rows that have each mark."""
    holders: defaultdict[Hashable, list[int]] = defaultdict(list)
    for at, traits in enumerate(rows):
        for mark in (*traits.fields, *traits.lines):
            holders[mark].append(at)
    return holders


def _group_by_side(scores: Iterable[tuple[int, int]], side: int) -> dict[int, list[tuple[int, int]]]:
    grouped: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for pair in scores:
        grouped[pair[side]].append(pair)
    return grouped


def carry_edits(
    edits: Iterable[Edit], matches: Matches, new_stored: Stored, *, with_rules: bool = False
) -> CarriedEdits:
    """Move human edits onto the new run, in their order; edits by rule stay with the run that they were made for."""
    carried: list[Edit] = []
    conflicts: list[Conflict] = []
    ordered = sorted((edit for edit in edits if with_rules or not edit.by_rule), key=lambda edit: edit.seq)
    kept_rows = {_get_last_row(edit.where) for edit in ordered if edit.kind is EditKind.ADD_ROW} - {None}
    known_rows, new = {*matches, *kept_rows}, OpenValue(new_stored)
    for edit in ordered:
        outcome = _carry_edit(edit, matches, new, kept_rows, known_rows)
        if isinstance(outcome, Conflict):
            conflicts.append(outcome)
        else:
            carried += outcome
    return CarriedEdits(tuple(carried), tuple(conflicts))


def _carry_edit(
    edit: Edit, matches: Matches, new: OpenValue, kept_rows: set[str | None], known_rows: set[str | None]
) -> list[Edit] | Conflict:
    own = _get_last_row(edit.where)
    if edit.kind is EditKind.REMOVE_ROW and own not in matches:
        return [edit] if own in kept_rows else []  # the new run does not have that row either
    steps = split_steps(edit.where)
    outer = steps[:-1] if edit.kind is EditKind.ADD_ROW else steps
    if any(isinstance(step, RowStep) and step.row_id not in known_rows for step in outer):
        return Conflict(edit, "The new run has no row that is clearly the one this edit was made in.")
    where = join_steps([_move_step(step, matches) for step in steps])
    if edit.kind is EditKind.ADD_ROW and own in matches:
        return [
            replace(edit, where=inner, old=new.get(inner) if new.has(inner) else None, new=value, kind=EditKind.SET)
            for inner, value in _iterate_under(where, edit.new)
        ]
    old = new.get(where) if new.has(where) else None
    if edit.kind is EditKind.SET and not isinstance(edit.new, (dict, list)) and isinstance(old, (dict, list)):
        return Conflict(edit, "In the new run this place holds several values, not one.")
    return [replace(edit, where=where, old=old)]


def _iterate_under(where: Where, value: Stored) -> Iterator[tuple[Where, Stored]]:
    if isinstance(value, (dict, list)):
        return iterate_leaves(value, split_steps(where))
    return iter([(where, value)])


def _get_last_row(where: Where) -> str | None:
    last = split_steps(where)[-1]
    return last.row_id if isinstance(last, RowStep) else None


def _move_step(step: Step, matches: Matches) -> Step:
    return RowStep(matches.get(step.row_id, step.row_id)) if isinstance(step, RowStep) else step

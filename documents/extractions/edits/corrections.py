"""Several corrections of one extraction that are stored together or not at all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from accounts.actor import UNDO, Actor
from documents import values
from documents.extractions.edits.changing import check_changes, refuse_overtaken, require_completed, store_changes
from documents.extractions.edits.evidence import Evidence, find_evidence
from documents.extractions.edits.fields import get_version_to_undo, invert_edit, make_change_by_path
from documents.models import Extraction, FieldEdit
from documents.values import Change, EditKind
from documents.values.addresses import overlaps
from documents.values.edits import get_old_value
from kit.errors import Invalid
from kit.json_types import Json

# What a person looks through on one card.
MAX_CORRECTIONS = 100


@dataclass(frozen=True)
class Correction:
    """What is to stand at a dotted path, or that its row goes.

    Positions count rows as they are before all of the corrections; one past the end adds a row, and the next one the
    next row.
    """

    path: str
    value: Json = None
    removes: bool = False


def plan_corrections(extraction: Extraction, corrections: Sequence[Correction]) -> list[Change]:
    """The changes that they mean now. Raises Invalid or NotFound, also for two at one place."""
    if not corrections:
        raise Invalid("There is nothing to change.")
    if len(corrections) > MAX_CORRECTIONS:
        raise Invalid(f"These are {len(corrections)} changes; {MAX_CORRECTIONS} are the most at once.")
    added: Counter[str] = Counter()
    changes: list[Change] = []
    for correction in corrections:
        change = _plan_one(extraction, correction, added)
        if any(overlaps(change.where, other.where) for other in changes):
            raise Invalid(f"{correction.path}: another of the changes is about the same value. Give it once.")
        changes.append(change)
    return changes


def search_corrections(extraction: Extraction, corrections: Sequence[Correction]) -> Evidence:
    """Where the new values stand, as the extraction is now."""
    row = Extraction.objects.select_related("schema_revision", "reading").get(pk=extraction.pk)
    require_completed(row)
    return find_evidence(row, plan_corrections(row, corrections))


def store_corrections(
    actor: Actor,
    *,
    extraction: Extraction,
    corrections: Sequence[Correction],
    evidence: Evidence,
    call_id: str = "",
) -> list[FieldEdit]:
    """All or none. Raises what `plan_corrections` and `store_changes` do, and Invalid for a value that does not fit."""

    def plan(row: Extraction) -> list[Change]:
        changes = plan_corrections(row, corrections)
        check_changes(actor, row, changes)
        return changes

    return store_changes(actor, extraction=extraction, plan=plan, evidence=evidence, call_id=call_id)


def search_undo_of_all(edits: Sequence[FieldEdit]) -> Evidence:
    """Where the values stand that taking these edits of one extraction back would bring back."""
    row = Extraction.objects.select_related("schema_revision", "reading").get(pk=edits[0].extraction_id)
    require_completed(row)
    return find_evidence(row, [invert_edit(edit) for edit in edits])


def undo_all(actor: Actor, *, edits: Sequence[FieldEdit], evidence: Evidence) -> list[FieldEdit]:
    """Takes edits of one extraction back, all or none. Conflict when one of the places is not as it was left."""

    def plan(row: Extraction) -> list[Change]:
        since = list(row.edits.all())
        for edit in edits:
            refuse_overtaken(row, since, edit.where, get_version_to_undo(edit))
        return [invert_edit(edit) for edit in edits]

    return store_changes(actor.because(UNDO), extraction=edits[0].extraction, plan=plan, evidence=evidence)


def _plan_one(extraction: Extraction, correction: Correction, added: Counter[str]) -> Change:
    path = _count_from_the_end(extraction, correction, added)
    if correction.removes:
        return _plan_removal(extraction, path)
    change = make_change_by_path(extraction, path, correction.value)
    if change.kind is EditKind.ADD_ROW:
        added[values.get_wire_path(extraction.current, change.where.rpartition("[")[0])] += 1
    return change


def _count_from_the_end(extraction: Extraction, correction: Correction, added: Counter[str]) -> str:
    """The path as it would be without the rows that earlier corrections add."""
    names = correction.path.split(".")
    for cut in range(1, len(names)):
        array = ".".join(names[:cut])
        if not added[array] or not names[cut].isdecimal():
            continue
        length = len(values.get_value(extraction.current, values.find_where(extraction.current, array)) or ())
        position = int(names[cut])
        if length <= position < length + added[array]:
            raise Invalid(f"{correction.path}: this row is new, so give it whole, in one change.")
        if position == length + added[array]:
            return ".".join([*names[:cut], str(length), *names[cut + 1 :]])
    return correction.path


def _plan_removal(extraction: Extraction, path: str) -> Change:
    where = values.find_where(extraction.current, path)
    if not where.endswith("]"):
        raise Invalid(f"{path} is no row of a list, so it cannot be removed. Set it to null to empty it.")
    return Change(where, get_old_value(extraction.current, where), None, EditKind.REMOVE_ROW)

"""What people did on an earlier run of the same prompt, on top of a new one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from documents import values
from documents.extractions.draft import Note
from documents.models import Extraction, FieldEdit, Verification
from documents.values import Edit, EditKind, Location, Matches, Origin, Stored, ValuePlace, Where, make_not_located
from documents.values.addresses import RowStep, Step, group_leaves_by_place, join_steps, split_steps

CARRIED = "A person set this value in an earlier run."


def reapply_edits(extraction: Extraction) -> None:
    """Puts the human edits of the last run of the same prompt on top; what has no place here becomes a conflict.

    A run that goes on where that one ended has its rows: then edits by rule and verified values go along too.
    """
    earlier = _find_earlier_run(extraction)
    if earlier is None:
        return
    # An edit that is being written there is waited for, and then carried too.
    earlier = Extraction.objects.select_for_update().get(pk=earlier.pk)
    goes_on = extraction.continues_id == earlier.pk
    if rows := list(_list_edits_to_carry(earlier, goes_on=goes_on)):
        _carry_edits(extraction, earlier, rows, goes_on=goes_on)
    if goes_on:
        _carry_verifications(extraction, earlier)


def _list_edits_to_carry(earlier: Extraction, *, goes_on: bool) -> QuerySet[FieldEdit]:
    return earlier.edits.all() if goes_on else earlier.edits.exclude(origin=Origin.AGENT_RULE)


def _carry_edits(extraction: Extraction, earlier: Extraction, rows: Sequence[FieldEdit], *, goes_on: bool) -> None:
    provenance, before = parse_provenance(extraction.provenance), parse_provenance(earlier.provenance)
    if goes_on:
        matches: Matches = {row_id: row_id for row_id in _iterate_row_ids(extraction.result)}
    else:
        matches = values.match_rows(earlier.current, before, extraction.result, provenance)
    carried = values.carry_edits(map(make_edit, rows), matches, extraction.result, with_rules=goes_on)
    by_seq = {row.number: row for row in rows}
    edits = [
        _copy_edit(extraction, by_seq[edit.seq], edit, number) for number, edit in enumerate(carried.edits, start=1)
    ]
    FieldEdit.objects.bulk_create(edits)
    extraction.current = values.compute_current(extraction.result, map(make_edit, edits))
    extraction.conflicts = [*extraction.conflicts, *(_format_conflict(conflict) for conflict in carried.conflicts)]
    places = _CarriedPlaces(earlier, extraction, before, {new: old for old, new in matches.items()})
    extraction.provenance = {**extraction.provenance, **places.of(edits)}
    extraction.save(update_fields=["current", "conflicts", "provenance"])


def _carry_verifications(extraction: Extraction, earlier: Extraction) -> None:
    """Not that of the whole document, nor of a list that has got more rows."""
    marks = earlier.verifications.filter(cleared_at=None).exclude(where="")
    Verification.objects.bulk_create(
        Verification(extraction=extraction, where=mark.where, user_id=mark.user_id, created_at=mark.created_at)
        for mark in marks
        if values.has_value(extraction.current, mark.where)
        and values.get_value(extraction.current, mark.where) == values.get_value(earlier.current, mark.where)
    )


def _iterate_row_ids(stored: Stored) -> Iterator[str]:
    if isinstance(stored, dict):
        for value in stored.values():
            yield from _iterate_row_ids(value)
    elif isinstance(stored, list):
        for row in stored:
            yield row["row_id"]
            yield from _iterate_row_ids(row["value"])


def make_edit(row: FieldEdit) -> Edit:
    return Edit(row.where, row.old, row.new, Origin(row.origin), row.number, EditKind(row.kind))


def parse_provenance(provenance: Mapping[Where, ValuePlace]) -> dict[Where, Location]:
    return {where: values.parse_location(place) for where, place in provenance.items()}


def _find_earlier_run(extraction: Extraction) -> Extraction | None:
    runs = Extraction.objects.filter_completed_like(extraction).filter(number__lt=extraction.number)
    return runs.order_by("-number").first()


def _copy_edit(extraction: Extraction, row: FieldEdit, edit: Edit, number: int) -> FieldEdit:
    return FieldEdit(
        extraction=extraction,
        number=number,
        kind=edit.kind,
        where=edit.where,
        old=edit.old,
        new=edit.new,
        origin=row.origin,
        user_id=row.user_id,
        call_id=row.call_id,
        allowed_by=row.allowed_by,
        was_state=get_run_state(extraction, edit.where, edit.kind),
        carried_from=row,
    )


def get_run_state(extraction: Extraction, where: Where, kind: EditKind) -> str:
    """The state of the run's value there, before it is changed; empty for a row, or where no value stands alone."""
    place = extraction.provenance.get(where) if kind is EditKind.SET else None
    return place["state"] if place else ""


def _format_conflict(conflict: values.Conflict) -> Note:
    edit = conflict.edit
    return {"where": edit.where, "reason": conflict.reason, "value": values.strip_row_ids(edit.new), "edit": edit.seq}


@dataclass(frozen=True)
class _CarriedPlaces:
    """Where carried values stand: where they stood before, when the same reading is read; else nobody has looked."""

    earlier: Extraction
    extraction: Extraction
    before: Mapping[Where, Location]
    old_rows: Mapping[str, str]

    def of(self, edits: Sequence[FieldEdit]) -> dict[Where, ValuePlace]:
        same_reading = self.earlier.reading_id == self.extraction.reading_id
        inside = group_leaves_by_place(self.extraction.current, {edit.where for edit in edits})
        provenance: dict[Where, ValuePlace] = {}
        for where in (where for edit in edits for where in inside[edit.where]):
            known = self.before.get(self._old(where)) if same_reading else None
            provenance[where] = (known or make_not_located(CARRIED)).as_json()
        return provenance

    def _old(self, where: Where) -> Where:
        return join_steps([self._old_step(step) for step in split_steps(where)])

    def _old_step(self, step: Step) -> Step:
        return RowStep(self.old_rows.get(step.row_id, step.row_id)) if isinstance(step, RowStep) else step

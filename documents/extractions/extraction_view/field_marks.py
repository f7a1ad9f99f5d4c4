"""What people did with the values of an extraction, found for each value without a walk over all of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from documents import values
from documents.models import Extraction, FieldEdit, Verification
from documents.values import Stored, Where
from documents.values.addresses import list_places_around
from documents.values.open_value import OpenValue
from documents.values.provenance import WITHOUT_VALUE, State, ValuePlace


class EditsByPlace:
    """A table may have thousands of edits, and each of its values asks for its own."""

    def __init__(self, edits: Iterable[FieldEdit]) -> None:
        self.at: defaultdict[Where, list[FieldEdit]] = defaultdict(list)
        self.inside: defaultdict[Where, list[FieldEdit]] = defaultdict(list)
        self.last_number = 0
        for edit in edits:
            *outer, own = list_places_around(edit.where)
            self.at[own].append(edit)
            self.last_number = max(self.last_number, edit.number)
            for place in outer:
                self.inside[place].append(edit)

    def find_touching(self, where: Where) -> list[FieldEdit]:
        """Those that `overlaps` names, the newest last."""
        around = [edit for place in list_places_around(where) for edit in self.at.get(place, ())]
        return sorted([*around, *self.inside.get(where, ())], key=lambda edit: edit.number)


class FieldMarks:
    """`edits` and `verifications` are those of the extraction, with their users; of the latter those that hold."""

    def __init__(
        self, extraction: Extraction, edits: Iterable[FieldEdit], verifications: Iterable[Verification]
    ) -> None:
        self.extraction = extraction
        self.result = OpenValue(extraction.result)
        self.edits = EditsByPlace(edits)
        self.verified = {mark.where: mark for mark in verifications}

    def find_place(self, where: Where) -> ValuePlace:
        return self.extraction.provenance.get(where) or ValuePlace()

    def find_state(self, where: Where, value: Stored, touching: Sequence[FieldEdit]) -> str:
        """`touching` is what `find_touching` gives for the place."""
        # What an earlier run's edit brought here stays a person's, also where this run says the same.
        is_carried = any(edit.carried_from_id for edit in touching)
        if touching and (is_carried or not values.is_run_value(self.result, where, value)):
            return "edited"
        state = str(self.find_place(where).get("state", State.NOT_LOCATED))
        if value in (None, "", []):
            return state if state in WITHOUT_VALUE else str(State.EMPTY)
        return "prose" if self.extraction.is_prose else state


def fetch_marks(extractions: Sequence[Extraction]) -> dict[str, FieldMarks]:
    """By the extraction's id, in two queries for all of them."""
    ids = [extraction.pk for extraction in extractions]
    edits: defaultdict[str, list[FieldEdit]] = defaultdict(list)
    for edit in FieldEdit.objects.filter(extraction__in=ids).select_related("user").order_by("number"):
        edits[edit.extraction_id].append(edit)
    marks: defaultdict[str, list[Verification]] = defaultdict(list)
    for mark in Verification.objects.filter(extraction__in=ids, cleared_at=None).select_related("user"):
        marks[mark.extraction_id].append(mark)
    return {each.pk: FieldMarks(each, edits[each.pk], marks[each.pk]) for each in extractions}

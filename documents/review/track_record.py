"""Count how many values in each state stood when people verified their results: what a state has earned here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from django.db.models import QuerySet

from accounts.models import Organization
from documents import values
from documents.models import Extraction, FieldEdit, Verification
from documents.values import State, Stored, Where
from documents.values.addresses import list_places_around
from documents.values.open_value import OpenValue
from kit.group_cache import get_or_compute

MAX_RESULTS, MAX_VALUES = 200, 20_000
FEWEST_OF_SCHEMA = 20
"""Verified results that a schema needs to be counted by itself."""
COUNTED = (State.EXACT, State.NORMALIZED, State.SIMILAR, State.INFERRED, State.NOT_LOCATED, State.ABSENT)


class Record(NamedTuple):
    """`right` of the `reviewed` values in this state stood when their result was verified."""

    state: State
    right: int
    reviewed: int

    @property
    def title(self) -> str:
        return self.state.replace("_", " ").capitalize()


class TrackRecord(NamedTuple):
    """Without records where nothing was reviewed. `results` is how many verified results they are counted over.

    `is_of_schema`: whether the schema's own results are enough.
    """

    records: tuple[Record, ...] = ()
    results: int = 0
    is_of_schema: bool = False


def get_track_record(organization: Organization, schema_id: str) -> TrackRecord:
    """It is counted once a minute at most, over the newest results."""
    group = f"track-record:{organization.pk}"
    return get_or_compute(group, schema_id, lambda: count_reviews(organization, schema_id))


def count_reviews(organization: Organization, schema_id: str) -> TrackRecord:
    marks = Verification.objects.for_org(organization).filter(where="", cleared_at=None)
    marks = marks.filter(extraction__status=Extraction.Status.COMPLETED).exclude(extraction__schema_revision=None)
    ids = _list_runs(marks.filter(extraction__schema_revision__schema=schema_id))
    if is_of_schema := len(ids) >= FEWEST_OF_SCHEMA:
        return TrackRecord(*_count(ids), is_of_schema)
    return TrackRecord(*_count(_list_runs(marks)))


def _list_runs(marks: QuerySet[Verification]) -> list[str]:
    """The newest first: ids begin with their time."""
    return list(marks.order_by("-pk").values_list("extraction", flat=True)[:MAX_RESULTS])


def _count(run_ids: list[str]) -> tuple[tuple[Record, ...], int]:
    """The records, and over how many results they are counted: the newest of these, up to MAX_VALUES."""
    right, reviewed = Counter[State](), Counter[State]()
    rows = Extraction.objects.filter(pk__in=run_ids).only("result", "current", "provenance").order_by("-pk")
    for number, run in enumerate(rows.prefetch_related("edits").iterator(chunk_size=20), start=1):
        for state, is_right in judge_values(run, run.edits.all()):
            reviewed[state] += 1
            right[state] += is_right
        if reviewed.total() >= MAX_VALUES:
            return _make_records(right, reviewed), number
    return _make_records(right, reviewed), len(run_ids)


def _make_records(right: Counter[State], reviewed: Counter[State]) -> tuple[Record, ...]:
    return tuple(Record(state, right[state], reviewed[state]) for state in COUNTED if reviewed[state])


def judge_values(run: Extraction, edits: Iterable[FieldEdit]) -> Iterator[tuple[State, bool]]:
    """The state of each value that the run gave, or rightly did not, and whether it is still what the result says.

    A value whose state before its correction is not known is left out, and so are rows that were taken out whole.
    """
    first: dict[Where, FieldEdit] = {}
    for edit in edits:
        first.setdefault(edit.where, edit)
    before, after = OpenValue(run.result), OpenValue(run.current)
    for where in dict.fromkeys([*run.provenance, *first]):
        given, now = _get(before, where), _get(after, where)
        state = _find_state(run, where, first, is_same=values.is_same(given, now))
        if state in COUNTED and (given in (None, "", [])) == (state == State.ABSENT):
            yield State(state), values.says_the_same(given, now)


def _find_state(run: Extraction, where: Where, first: dict[Where, FieldEdit], *, is_same: bool) -> str:
    """Empty where it is not known: of a correction of before states were kept, unless it was taken back."""
    edit = first.get(where)
    if edit and (edit.was_state or edit.carried_from_id or not is_same):
        return edit.was_state
    is_around_edited = not edit and any(place in first for place in list_places_around(where))
    return "" if is_around_edited else str(run.provenance.get(where, {}).get("state", ""))


def _get(value: OpenValue, where: Where) -> Stored:
    return value.get(where) if value.has(where) else None

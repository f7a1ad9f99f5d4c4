"""What the values of an extraction rest on, one by one: for programs, which see no page."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from documents import values
from documents.checks.findings import CheckResult
from documents.checks.judging import iterate_failures
from documents.extractions.edits.field_versions import compute_field_version
from documents.extractions.extraction_view.field_marks import FieldMarks, fetch_marks
from documents.models import Extraction, FieldEdit, Verification
from documents.values import Stored, ValuePlace, Where
from documents.values.addresses import is_inside, list_places_around
from documents.values.provenance import WITHOUT_VALUE
from kit.errors import NotFound
from kit.json_types import Json


@dataclass(frozen=True)
class Leaf:
    """A value, its address, and its path on the wire."""

    where: Where
    path: str
    value: Stored

    @property
    def is_empty(self) -> bool:
        return self.value in (None, "", [])


@dataclass(frozen=True)
class PastEdit:
    """An edit that touched the value. `old` and `new` are what it did to this value, on the wire."""

    edit: FieldEdit
    old: Json
    new: Json


@dataclass(frozen=True)
class FieldProof:
    """`verification` is the value's own, else that of something around it or of the whole; `edits` the newest first."""

    leaf: Leaf
    state: str
    place: ValuePlace
    verification: Verification | None
    edits: Sequence[FieldEdit]
    failed_checks: Sequence[CheckResult]
    version: str

    def list_past_edits(self, maximum: int) -> list[PastEdit]:
        """The newest of them."""
        where = self.leaf.where
        return [
            PastEdit(edit, _get_part(edit.where, edit.old, where), _get_part(edit.where, edit.new, where))
            for edit in self.edits[:maximum]
        ]


class FieldProofs:
    """Those of one extraction, each made when it is asked for."""

    def __init__(self, extraction: Extraction, marks: FieldMarks | None = None) -> None:
        self.extraction = extraction
        self._marks = marks or fetch_marks([extraction])[extraction.pk]
        self._failures: defaultdict[Where, list[CheckResult]] = defaultdict(list)
        for result in iterate_failures(extraction.check_results):
            for where in dict.fromkeys(result["places"]):
                self._failures[where].append(result)

    def list_leaves(self, inside: str = "") -> list[Leaf]:
        """Every single value in the order in which they are kept; only those at or inside a path on the wire."""
        paths = values.map_wire_paths(self.extraction.current)
        leaves = [Leaf(where, paths[where], value) for where, value in values.iterate_leaves(self.extraction.current)]
        leaves += self._list_left_out(paths)
        return [leaf for leaf in leaves if not inside or is_inside(leaf.path, inside)]

    def _list_left_out(self, paths: Mapping[Where, str]) -> list[Leaf]:
        """Fields of the schema that the result does not name, and lists without rows: their places say why."""
        current, places = self.extraction.current, self.extraction.provenance
        empty = [where for where, place in places.items() if place["state"] in WITHOUT_VALUE and where not in paths]
        leaves = ((where, self._find_empty(where)) for where in empty)
        return [Leaf(where, values.get_wire_path(current, where), value) for where, value in leaves if not value]

    def _find_empty(self, where: Where) -> Stored:
        current = self.extraction.current
        return values.get_value(current, where) if values.has_value(current, where) else None

    def prove_path(self, path: str) -> FieldProof:
        """Of any place, also of a row or a list, by its path as it is written here. Raises NotFound without one."""
        current = self.extraction.current
        where = values.find_where(current, path)
        return self.prove(Leaf(where, values.get_wire_path(current, where), values.get_value(current, where)))

    def find_state(self, leaf: Leaf) -> str:
        return self._marks.find_state(leaf.where, leaf.value, self._marks.edits.find_touching(leaf.where))

    def find_place(self, leaf: Leaf) -> ValuePlace:
        return self._marks.find_place(leaf.where)

    def find_verification(self, where: Where) -> Verification | None:
        """The value's own, else that of what it stands in; that of the whole only while no newer check fails."""
        for place in [*reversed(list_places_around(where)), ""]:
            mark = self._marks.verified.get(place)
            if mark is not None and not (place == "" and self.extraction.overtakes(mark)):
                return mark
        return None

    def list_failures(self, where: Where) -> Sequence[CheckResult]:
        return self._failures.get(where, ())

    def prove(self, leaf: Leaf) -> FieldProof:
        touching = self._marks.edits.find_touching(leaf.where)
        around = [mark for place in ["", *list_places_around(leaf.where)] if (mark := self._marks.verified.get(place))]
        return FieldProof(
            leaf=leaf,
            state=self._marks.find_state(leaf.where, leaf.value, touching),
            place=self._marks.find_place(leaf.where),
            verification=around[-1] if around else None,
            edits=touching[::-1],
            failed_checks=self.list_failures(leaf.where),
            version=compute_field_version(
                self.extraction, leaf.where, touching, [*around, *self._list_marks_inside(leaf)]
            ),
        )

    def _list_marks_inside(self, leaf: Leaf) -> list[Verification]:
        if not isinstance(leaf.value, dict | list):
            return []
        marks = self._marks.verified.items()
        return [mark for place, mark in marks if place != leaf.where and is_inside(place, leaf.where)]


def _get_part(edited: Where, value: Stored, where: Where) -> Json:
    """What of an edit's old or new value is at, or inside, the place."""
    if not is_inside(where, edited) or where == edited:
        return values.strip_row_ids(value)
    inner = where[len(edited) :].removeprefix(".")
    try:
        return values.strip_row_ids(values.get_value(value, inner))
    except NotFound:
        return None

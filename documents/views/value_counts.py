"""How far checking has come, for lists: the same counts as `extraction_view`, without a query a row."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from documents import values
from documents.checks.judging import iterate_failures
from documents.extractions.extraction_view.shapes import UNCERTAIN
from documents.models import Extraction
from documents.values import Stored
from documents.values.addresses import Where, list_places_around
from documents.values.open_value import OpenValue
from documents.values.provenance import UNANSWERED


@dataclass(frozen=True)
class ValueCounts:
    """Counts the values that are not empty; uncertain are also fields that nobody knows to be."""

    total: int = 0
    verified: int = 0
    uncertain: int = 0
    is_prose: bool = False
    failed_checks: int = 0
    failing: int = 0
    """Uncertain ones that own a failed check."""
    doubtful: tuple[Where, ...] = ()
    """The places of the uncertain ones."""

    def describe_doubts(self) -> str:
        """Say what a person should look at first, each value once; empty when there is nothing."""
        uncertain = self.uncertain - self.failing
        failed = f"{self.failed_checks} failed check{'' if self.failed_checks == 1 else 's'}"
        parts = [f"{uncertain} uncertain" if uncertain else "", failed if self.failed_checks else ""]
        return " · ".join(filter(None, parts))

    @property
    def icon(self) -> str:
        if self.failed_checks:
            return "triangle-alert"
        return "circle-dot-dashed" if self.uncertain else "list-checks"


@dataclass
class EditedPlaces:
    """Where an extraction was edited: `places` in this run, whose own `result` it is, `carried` in an earlier one."""

    places: set[str] = field(default_factory=set)
    carried: set[str] = field(default_factory=set)
    result: OpenValue = field(default_factory=lambda: OpenValue(None))


def count_values(extraction: Extraction, verified: Collection[str], edited: EditedPlaces) -> ValueCounts:
    """`verified` are the addresses of the marks in force."""
    leaves = list(values.iterate_leaves(extraction.current))
    filled = [(where, value) for where, value in leaves if value not in (None, "")]
    failed = extraction.failed_check_count
    if "" in verified:
        return ValueCounts(len(filled), len(filled), is_prose=extraction.is_prose, failed_checks=failed)
    failing = list_failing_places(extraction)
    doubtful = [
        where
        for where, value in filled
        if where not in verified and (where in failing or _is_doubtful(extraction, where, value, edited))
    ]
    doubtful += _list_unanswered(extraction, {where for where, _ in filled}, verified, edited)
    done = sum(where in verified for where, _ in filled)
    owners = sum(where in failing for where in doubtful)
    return ValueCounts(len(filled), done, len(doubtful), extraction.is_prose, failed, owners, tuple(doubtful))


def _list_unanswered(
    extraction: Extraction, filled: Collection[str], verified: Collection[str], edited: EditedPlaces
) -> list[str]:
    unanswered = [where for where, place in extraction.provenance.items() if place["state"] in UNANSWERED]
    # A list that had no rows may have got some.
    answered = {place for where in filled if unanswered for place in list_places_around(where)}
    waiting = [where for where in unanswered if where not in answered and where not in verified]
    return [where for where in waiting if not _is_edited(where, None, edited)]


def list_failing_places(extraction: Extraction) -> set[str]:
    """The values that own a failed check."""
    failures = iterate_failures(extraction.check_results) if extraction.failed_check_count else ()
    return {result["places"][0] for result in failures if result["places"]}


def _is_doubtful(extraction: Extraction, where: str, value: Stored, edited: EditedPlaces) -> bool:
    if extraction.is_prose or _is_edited(where, value, edited):
        return False
    place = extraction.provenance.get(where)
    return place is None or place["state"] in UNCERTAIN


def _is_edited(where: str, value: Stored, edited: EditedPlaces) -> bool:
    around = list_places_around(where)
    if not edited.carried.isdisjoint(around):
        return True
    return not edited.places.isdisjoint(around) and not values.is_run_value(edited.result, where, value)

"""Values that the pages do not print but that follow from located ones, each by a structure that has a name."""

from __future__ import annotations

from itertools import chain

from documents.locate.derived.amounts import infer_amounts
from documents.locate.derived.counts import infer_counts
from documents.locate.derived.due_dates import infer_due_dates
from documents.locate.derived.inference import Evidence
from documents.locate.derived.readings import infer_readings
from documents.values.addresses import Where
from documents.values.provenance import Location


def infer_values(evidence: Evidence) -> dict[Where, Location]:
    inferred: dict[Where, Location] = {}
    for where, location in chain(
        infer_amounts(evidence), infer_counts(evidence), infer_due_dates(evidence), infer_readings(evidence)
    ):
        inferred.setdefault(where, location)
    return inferred

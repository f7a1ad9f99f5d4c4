"""How far checking has come: the fields and rows of an extraction, those verified and those that are uncertain."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from documents.models import Extraction
from documents.services import values

UNCERTAIN = {values.State.INFERRED, values.State.NOT_LOCATED}


@dataclass(frozen=True)
class Tally:
    total: int = 0
    verified: int = 0
    uncertain: int = 0


def tally(extraction: Extraction, verified: Collection[str], edited: Collection[str]) -> Tally:
    """Counts what a person looks at: each single field, each row of a table. `verified`, `edited` are addresses."""
    leaves = [(where, value) for where, value in values.leaves(extraction.current)]
    units = dict.fromkeys(unit_of(where) for where, _ in leaves)
    doubtful = {
        unit_of(where)
        for where, value in leaves
        if value not in (None, "") and where not in edited and _is_doubtful(extraction, where)
    }
    done = {unit for unit in units if "" in verified or unit in verified or _all_inside(unit, leaves, verified)}
    return Tally(total=len(units), verified=len(done), uncertain=len(doubtful - done))


def unit_of(where: str) -> str:
    """A field of a table belongs to its row: `items[id].amount` to `items[id]`."""
    return where[: where.index("]") + 1] if "]" in where else where


def _all_inside(unit: str, leaves: list[tuple[str, object]], verified: Collection[str]) -> bool:
    return all(where in verified for where, _ in leaves if unit_of(where) == unit)


def _is_doubtful(extraction: Extraction, where: str) -> bool:
    found = extraction.provenance.get(where)
    return found is None or found["state"] in UNCERTAIN

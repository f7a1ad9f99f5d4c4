"""How far checking has come, for lists: the same counts as `extraction_view`, without a query a row."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from documents.models import Extraction
from documents.services import values
from documents.services.extraction_view.shapes import UNCERTAIN
from documents.services.values.addresses import is_inside


@dataclass(frozen=True)
class Tally:
    """Of the values that are not empty."""

    total: int = 0
    verified: int = 0
    uncertain: int = 0


def tally(extraction: Extraction, verified: Collection[str], edited: Collection[str]) -> Tally:
    """`verified` and `edited` are the addresses of the marks that hold and of the edits."""
    held = [where for where, value in values.leaves(extraction.current) if value not in (None, "")]
    if "" in verified:
        return Tally(len(held), len(held))
    doubtful = [where for where in held if where not in verified and _is_doubtful(extraction, where, edited)]
    return Tally(total=len(held), verified=sum(where in verified for where in held), uncertain=len(doubtful))


def _is_doubtful(extraction: Extraction, where: str, edited: Collection[str]) -> bool:
    if any(is_inside(where, edit) for edit in edited):
        return False
    found = extraction.provenance.get(where)
    return found is None or found["state"] in UNCERTAIN

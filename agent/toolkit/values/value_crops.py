"""The piece of a page that a card shows beside a changed value."""

from __future__ import annotations

from agent.toolkit.previews import Crop
from agent.toolkit.registry import ToolContext
from documents.models import Extraction
from documents.values import Change, Location
from documents.values.addresses import is_inside
from documents.values.provenance import parse_location

STATE_WORDS = {
    "exact": "found exactly as written",
    "normalized": "found in another form",
    "similar": "similar words, not the same",
    "inferred": "inferred from the text there",
}
OLD_PLACE, ROW_PLACE = "where the old value is", "where its row is"


def build_crop(context: ToolContext, extraction: Extraction, change: Change, number: int) -> Crop | None:
    """Where the new value stands, else where the old one or its row does: there a person looks for what is right."""
    place = _find_place(context, change, number)
    if place and place.is_located and place.page is not None:
        return _cut(extraction, place, STATE_WORDS.get(str(place.state), ""))
    row = change.where[: change.where.rfind("]") + 1]
    beside = (each for each in extraction.provenance if row and is_inside(each, row))
    for where, note in [(change.where, OLD_PLACE), *((each, ROW_PLACE) for each in beside)]:
        old = parse_location(extraction.provenance[where]) if where in extraction.provenance else None
        if old and old.is_located and old.page is not None:
            return _cut(extraction, old, note)
    return None


def _cut(extraction: Extraction, place: Location, note: str) -> Crop:
    boxes = [list(box) for box in place.boxes]
    return {"document_id": extraction.document_id, "page": place.page or 0, "boxes": boxes, "note": note}


def _find_place(context: ToolContext, change: Change, number: int) -> Location | None:
    """Where the new value stands on the pages. Values in groups and lists have no one place."""
    located = context.evidence.of(change, number)
    if located is None or not located.locations or isinstance(change.new, dict | list):
        return None
    return located.locations[0]

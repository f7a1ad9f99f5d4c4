"""Words that the address of a document names: boxed when it opens, in whichever reading it shows."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import NamedTuple

from documents.models import Document, Reading
from documents.reading.blocks import BlockPlace, find_all_in_reading, load_blocks, parse_block_id, parse_place
from kit.errors import Invalid

AT = "at"
MAX_LETTERS = 3000
GONE = "The words that this link names are on no page of the reading that is shown."


@dataclass(frozen=True)
class Citation:
    """`boxes` is JSON: [[page, left, top, right, bottom]]; `problem` says why there are none."""

    boxes: str = ""
    problem: str = ""


class _Named(NamedTuple):
    reading_id: str
    places: list[BlockPlace]


def load_citation(at: str, document: Document, reading: Reading | None) -> Citation:
    """`at` is a block id, after which places of the same reading may come: `65f1….3.12.4,3.12.5`."""
    if not at:
        return Citation()
    try:
        named = _parse(at[:MAX_LETTERS])
    except Invalid as error:
        return Citation(problem=error.sentence)
    cited = document.readings.filter(pk=named.reading_id).first()
    blocks = load_blocks(cited, named.places) if cited else []
    placed = find_all_in_reading(blocks, reading) if reading else ()
    boxes = [[block.id.place.page, *block.box] for block in placed]
    return Citation(json.dumps(boxes)) if boxes else Citation(problem=GONE)


def _parse(at: str) -> _Named:
    first, *others = at.split(",")
    reading_id, place = parse_block_id(first)
    return _Named(reading_id, [place, *map(parse_place, others)])

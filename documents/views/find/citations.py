"""Words that the address of a document names: boxed when it opens, in whichever reading it shows."""

from __future__ import annotations

import json
from dataclasses import dataclass

from documents.models import Document, Reading
from documents.reading.blocks import find_all_in_reading, load_blocks, parse_block_ids
from kit.errors import Invalid

AT = "at"
MAX_LETTERS = 3000
GONE = "The words that this link names are on no page of the reading that is shown."


@dataclass(frozen=True)
class Citation:
    """`boxes` is JSON: [[page, left, top, right, bottom]]; `problem` says why there are none."""

    boxes: str = ""
    problem: str = ""


def load_citation(at: str, document: Document, reading: Reading | None) -> Citation:
    """`at` is read by parse_block_ids."""
    if not at:
        return Citation()
    try:
        named = parse_block_ids(at[:MAX_LETTERS])
    except Invalid as error:
        return Citation(problem=error.sentence)
    cited = document.readings.filter(pk=named[0].reading_id).first()
    blocks = load_blocks(cited, [each.place for each in named]) if cited else []
    placed = find_all_in_reading(blocks, reading) if reading else ()
    boxes = [[block.id.place.page, *block.box] for block in placed]
    return Citation(json.dumps(boxes)) if boxes else Citation(problem=GONE)

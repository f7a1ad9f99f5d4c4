"""What a model is told of the places that values rest on."""

from __future__ import annotations

import pytest

from accounts.actor import Actor
from documents.extractions import edits
from documents.extractions.proof_notes import NOT_LOOKED_UP, describe_proof
from documents.locate.choice import NO_MATCH
from documents.models import Extraction
from tests.documents.extraction_rows import RESULT
from tests.documents.test_edits import row_at, store_extraction

pytestmark = pytest.mark.servers


def test_values_have_lines_and_rows_have_theirs_once(actor: Actor) -> None:
    notes = describe_proof(store_extraction(actor))
    assert notes == {"lines": {"number": "1.1", "total": "1.5", "items.0": "1.3", "items.1": "1.4"}}


def test_what_is_on_no_page_says_why_and_what_is_empty_is_not_unproven(actor: Actor) -> None:
    notes = describe_proof(store_extraction(actor, {**RESULT, "number": "INV-99", "total": None}))
    assert (notes["unsure"], notes["empty"]) == ({"number": NO_MATCH}, ["total"])


def test_what_was_inferred_says_from_what(actor: Actor) -> None:
    extraction = store_extraction(actor)
    place = {**extraction.provenance["total"], "state": "inferred", "note": "The sum of the lines."}
    extraction.provenance["total"] = place
    assert describe_proof(extraction)["unsure"] == {"total": "The sum of the lines. From “30.50”."}
    extraction.provenance["total"] = {"state": "not_located"}
    assert describe_proof(extraction)["unsure"] == {"total": NOT_LOOKED_UP}


def test_two_fields_on_the_same_words_are_named(actor: Actor) -> None:
    extraction = store_extraction(actor)
    extraction.provenance["number"] = extraction.provenance["total"]
    (sentence,) = describe_proof(extraction)["same_words"]
    assert sentence == "number and total rest on the same words, “30.50” on line 1.5"


def test_a_row_over_two_lines_has_a_line_for_each_cell(actor: Actor) -> None:
    extraction = store_extraction(actor)
    where = f"{row_at(extraction, 0)}.amount"
    extraction.provenance[where] = extraction.provenance["total"]
    lines = describe_proof(extraction)["lines"]
    assert (lines["items.0.sku"], lines["items.0.amount"], lines["items.1"]) == ("1.3", "1.5", "1.4")


def test_what_was_corrected_is_neither_unsure_nor_empty(actor: Actor) -> None:
    extraction = store_extraction(actor)
    edits.set_field(actor, extraction=extraction, where="number", value="INV-99")
    edits.set_field(actor, extraction=extraction, where="total", value=None)
    notes = describe_proof(Extraction.objects.get())
    assert notes["edited"] == ["number", "total"] and not notes.keys() & {"unsure", "empty"}

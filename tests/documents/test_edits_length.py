"""A text that a value is to have is at most as long as what is read of a page."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from accounts.actor import Actor
from documents import values
from documents.extractions import edits
from documents.extractions.edits.current_values import MAX_TEXT
from documents.models import Extraction, FieldEdit
from kit.errors import Invalid
from reader.pdf import text_layer
from tests.documents.page_searches import watch_searches
from tests.documents.test_edits import store_extraction

LONG = "a" * (MAX_TEXT + 1)


def _replace(actor: Actor, extraction: Extraction) -> None:
    result = values.strip_row_ids(extraction.current)
    result["items"][1]["sku"] = LONG
    edits.replace_result(actor, extraction=extraction, result=result, verified=False)


CHANGES: dict[str, Callable[[Actor, Extraction], object]] = {
    "field": lambda actor, run: edits.set_field(actor, extraction=run, where="number", value=LONG),
    "path": lambda actor, run: edits.set_path(actor, extraction=run, path="number", value=LONG),
    "prepared": lambda _actor, run: edits.make_change_by_path(run, "items.1.sku", LONG),
    "row": lambda actor, run: edits.add_row(actor, extraction=run, where="items", value={"sku": LONG}),
    "result": _replace,
}


@pytest.mark.parametrize("change", CHANGES)
def test_it_refuses_a_longer_text_before_it_searches(actor: Actor, change: str) -> None:
    extraction = store_extraction(actor)
    with watch_searches() as depths, pytest.raises(Invalid, match="200,001 characters; 200,000 is the most"):
        CHANGES[change](actor, extraction)
    assert depths == [] and not FieldEdit.objects.exists()


def test_what_a_model_gave_comes_back_however_long_it_is(actor: Actor) -> None:
    extraction = store_extraction(actor, {"number": LONG, "total": 1, "items": []})
    edit = edits.set_field(actor, extraction=extraction, where="number", value="INV-7")
    edits.undo(actor, edit=edit)
    extraction.refresh_from_db()
    assert extraction.current["number"] == LONG


def test_all_that_is_read_of_a_page_fits_into_a_field() -> None:
    assert MAX_TEXT == text_layer.MAX_CHARACTERS

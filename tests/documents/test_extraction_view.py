from __future__ import annotations

from typing import Any

import pytest

from accounts.actor import Actor
from agent.conversation import threads
from agent.tools.values.described_extractions import describe_extraction
from documents import extractions
from documents.extractions import ExtractionDraft, edits
from documents.extractions.extraction_view import build_field_view, build_view
from documents.extractions.extraction_view.value_text import format_value
from documents.models import Extraction, FieldEdit
from documents.values.titles import make_title
from documents.views.value_counts import EditedPlaces, count_values
from tests.documents.extraction_rows import PAGE
from tests.documents.reading_rows import document_with
from tests.documents.test_edits import RESULT, row_at, store_extraction


@pytest.fixture
def extraction(actor: Actor) -> Extraction:
    return store_extraction(actor, {**RESULT, "number": "INV-99"})


@pytest.fixture
def prose(actor: Actor) -> Extraction:
    """What the default prompt wrote."""
    document = document_with(actor.organization, PAGE)
    written = {"text": "An invoice of 30.50."}
    draft = ExtractionDraft(
        document.pk, document.readings.get().pk, None, None, "none", "", written, {}, coverage=[1], page_count=1
    )
    return extractions.store(actor, draft=draft)


@pytest.mark.parametrize(
    ("name", "schema", "title"),
    [
        ("invoice_date", {}, "Invoice date"),
        ("grandTotal", {}, "Grand total"),
        ("vendor_iban", {}, "Vendor IBAN"),
        ("x", {"title": "Amount due"}, "Amount due"),
        ("Ship-To", {}, "Ship to"),
    ],
)
def test_it_names_fields_in_plain_words(name: str, schema: dict[str, Any], title: str) -> None:
    assert make_title(name, schema) == title


@pytest.mark.parametrize(
    ("value", "kind", "text"),
    [
        (17116.55, "number", "17,116.55"),
        (5, "number", "5"),
        (0.125, "number", "0.125"),
        (2.5, "number", "2.50"),
        (1234567, "integer", "1,234,567"),
        (True, "boolean", "Yes"),
        (None, "string", ""),
        ("2026-12-27", "string", "2026-12-27"),
        ([1], "array", "1 entry"),
        ({"a": "x", "b": None}, "object", "x"),
        (-0.5, "number", "-0.50"),
        (1e-7, "number", "0.0000001"),
    ],
)
def test_it_shows_values_as_people_write_them(value: Any, kind: str, text: str) -> None:
    assert format_value(value, kind) == text


def test_it_presents_fields_and_tables_in_the_schemas_order(extraction: Extraction) -> None:
    view = build_view(extraction)
    assert [item.title for item in view.items] == ["Number", "Total", "Items"]
    total, table = view.fields[1], view.tables[0]
    assert (total.shown, total.raw, total.state, total.page, total.quote) == ("30.50", 30.5, "normalized", 1, "30.50")
    assert total.boxes
    assert [column.title for column in table.columns] == ["SKU", "Amount"]
    assert [[cell.shown for cell in row.cells] for row in table.rows] == [["A-1", "10"], ["B-2", "20.50"]]
    assert table.rows[1].cells[1].wire_path == "items.1.amount"
    assert table.rows[1].where == row_at(extraction, 1)


def test_it_counts_what_a_person_has_to_look_at(actor: Actor, extraction: Extraction) -> None:
    view = build_view(extraction)
    assert (view.fields[0].state, view.fields[0].is_uncertain) == ("not_located", True)
    assert (view.counts.all, view.counts.uncertain, view.counts.verified) == (6, 1, 0)
    edits.verify(actor, extraction=extraction, where="number")
    assert (build_view(extraction).counts.uncertain, build_view(extraction).counts.verified) == (0, 1)
    assert build_view(extraction).fields[0].verified_by == "Admin"


def test_it_says_who_edited(actor: Actor, extraction: Extraction) -> None:
    edits.set_field(actor, extraction=extraction, where="total", value=31, hint="1.6")
    edits.verify(actor, extraction=extraction)
    view = build_view(extraction)
    total = view.fields[1]
    assert (total.state, total.edited_by, total.version, total.history_count) == ("edited", "Admin", 1, 1)
    assert (total.quote, view.verified_by) == ("31.00", "Admin")
    assert build_field_view(extraction, "total") == total


def test_an_empty_row_and_a_cleared_value_count_nowhere(actor: Actor, extraction: Extraction) -> None:
    before = build_view(extraction).counts.all
    edits.add_row(actor, extraction=extraction, where="items")
    edits.set_field(actor, extraction=extraction, where="total", value=None)
    extraction.refresh_from_db()
    assert build_view(extraction).counts.all == before - 1 == count_values(extraction, (), EditedPlaces()).total


def test_a_value_that_was_put_back_shows_again_how_it_was_found(actor: Actor, extraction: Extraction) -> None:
    edit = edits.set_field(actor, extraction=extraction, where="total", value=31)
    edits.undo(actor, edit=edit)
    extraction.refresh_from_db()
    total = build_view(extraction).fields[1]
    assert (total.state, total.quote, total.history_count) == ("normalized", "30.50", 2)


def test_an_undone_row_is_found_again_as_it_was(actor: Actor, extraction: Extraction) -> None:
    before = [cell.state for cell in build_view(extraction).tables[0].rows[0].cells]
    edits.undo(actor, edit=edits.remove_row(actor, extraction=extraction, where=row_at(extraction, 0)))
    extraction.refresh_from_db()
    (back,) = [row for row in build_view(extraction).tables[0].rows if row.cells[0].shown == "A-1"]
    assert [cell.state for cell in back.cells] == before


def test_a_carried_edit_stays_a_person_s_where_the_new_run_says_the_same(actor: Actor, extraction: Extraction) -> None:
    edit = edits.set_field(actor, extraction=extraction, where="number", value="INV-7")
    FieldEdit.objects.filter(pk=edit.pk).update(carried_from=edit)
    extraction.result = {**extraction.result, "number": "INV-7"}
    assert build_field_view(extraction, "number").state == "edited"


def test_free_text_is_neither_uncertain_nor_not_located(actor: Actor, prose: Extraction) -> None:
    (text,) = build_view(prose).fields
    assert (text.state, text.is_uncertain, build_view(prose).counts.uncertain) == ("prose", False, 0)
    edits.undo(actor, edit=edits.set_field(actor, extraction=prose, where="text", value="A bill."))
    prose.refresh_from_db()
    assert build_view(prose).fields[0].state == "prose"
    assert describe_extraction(threads.create(actor, document=prose.document), prose)["unsure"] == {}


def test_it_says_which_pages_were_not_seen(extraction: Extraction) -> None:
    extraction.page_count = 3
    assert build_view(extraction).pages_missing == (2, 3)


def test_it_shows_what_the_schema_asks_for_and_the_run_left_out(actor: Actor) -> None:
    view = build_view(store_extraction(actor, {"number": "INV-7"}))
    assert [(leaf.title, leaf.state) for leaf in view.fields] == [("Number", "exact"), ("Total", "empty")]
    assert view.tables[0].rows == ()


def test_it_shows_a_result_without_a_schema(actor: Actor, extraction: Extraction) -> None:
    extraction.schema_revision = None
    extraction.current = {"text": "A summary.", "tags": [{"row_id": "r", "value": "a"}], "to": {"city": "Bonn"}}
    extraction.provenance = {}
    view = build_view(extraction)
    assert [(leaf.where, leaf.shown, leaf.group) for leaf in view.leaves] == [
        ("text", "A summary.", ""),
        ("tags[r]", "a", ""),
        ("to.city", "Bonn", "To"),
    ]


def test_it_takes_three_queries(extraction: Extraction, django_assert_num_queries: Any) -> None:
    row = Extraction.objects.select_related("schema_revision", "prompt_revision__prompt").get(pk=extraction.pk)
    with django_assert_num_queries(2):
        build_view(row)

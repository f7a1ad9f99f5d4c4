"""Why a field has no value: not on the pages, left out by the model, or part of them could not be read."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

import pytest

from accounts.actor import Actor
from documents import extractions
from documents.api.llm.provenance import prove_leaves
from documents.extractions import edits
from documents.extractions.extraction_view import build_view
from documents.extractions.field_proofs import FieldProofs
from documents.extractions.proof_notes import describe_proof
from documents.locate import locate
from documents.locate.absence import prove_absence
from documents.models import Document, Page, PromptRevision, Reading
from documents.values import add_row_ids, get_wire_path
from documents.values.provenance import Location
from documents.views.value_counts import EditedPlaces, count_values
from kit.errors import NotFound
from tests.documents.extraction_rows import PAGE, builder, document, prompt  # noqa: F401 - fixtures
from tests.documents.locate_pages import INVOICE, ROWS
from tests.documents.reading_rows import document_with
from tests.documents.words_builder import pages
from tests.scripted_model import ScriptedModel, answers

TEXT, NUMBER, DAY = {"type": ["string", "null"]}, {"type": ["number", "null"]}, {"type": "string", "format": "date"}
ROW = {"type": "object", "properties": {"sku": TEXT, "description": TEXT, "quantity": NUMBER, "amount": NUMBER}}
GERMAN = """
Rechnung                                     Seite 1
Rechnungsnummer    R-77      Rechnungsdatum 04.04.2026
Zahlbar bis: 27.12.2026
Kundennummer
Menge   Bezeichnung   Gesamt
3       Rohr           30,00
        Zwischensumme  30,00
"""


def explain(result: dict, schema: dict, *texts: str, unread: tuple[str, ...] = ()) -> dict[str, Location]:
    whole = {"type": "object", "properties": schema}
    stored = add_row_ids(result, whole)
    words = pages(*texts)
    places = locate(stored, whole, words)
    absent = prove_absence(stored, whole, places, words, unread)
    return {get_wire_path(stored, where): place for where, place in absent.items()}


@pytest.mark.parametrize(
    ("result", "name", "schema", "text", "state", "words"),
    [
        ({}, "due_date", DAY, INVOICE, "left_out", "Due date 2026-12-27"),
        ({}, "zahlungsziel", {**DAY, "title": "Fällig am"}, GERMAN, "left_out", "Zahlbar bis: 27.12.2026"),
        (
            {},
            "payment",
            {**DAY, "description": "Printed as “Zahlbar bis”"},
            GERMAN,
            "left_out",
            "Zahlbar bis: 27.12.2026",
        ),
        ({}, "invoice_number", TEXT, GERMAN, "left_out", "Rechnungsnummer R-77"),
        ({}, "subtotal", NUMBER, INVOICE, "left_out", "Subtotal 2,748.35"),
        ({}, "iban", TEXT, INVOICE, "absent", ""),
        ({}, "po_number", TEXT, INVOICE, "absent", "Invoice no. INV-2025-49883"),
        # The label stands there, and nothing beside it.
        ({}, "customer_number", TEXT, GERMAN, "absent", "Kundennummer"),
        # What stands beside the label is the value of another field.
        ({"paid": 549.67}, "tax", NUMBER, "Paid 549.67\nTax", "absent", "Tax"),
        ({"vat_amount": 549.67}, "tax", NUMBER, "Tax 549.67", "absent", "Tax 549.67"),
        ({}, "date", DAY, "Date     Total\nsoon     3.00", "absent", "Date"),
        ({}, "buyer", TEXT, "Buyer     Seller\nAcme      Sons", "left_out", "Buyer Acme"),
        ({}, "phone", TEXT, "Tel:016-7574666    Receipt no: R-5", "left_out", "Tel:016-7574666"),
        ({}, "net", NUMBER, "Total\n12.00", "absent", ""),
    ],
)
def test_a_field_without_a_value_says_why(result, name, schema, text, state, words) -> None:
    place = explain({name: None, **result}, {name: schema}, text)[name]
    assert (place.state, place.candidates[0].words if place.candidates else "") == (state, words), place.note
    assert place.looked_for and not place.boxes and place.page is None


def test_it_looks_in_the_language_of_the_page() -> None:
    found = explain({}, {"customer_number": TEXT}, GERMAN)["customer_number"]
    assert found.looked_for[:2] == ("Customer number", "Kundennummer")
    assert found.note == "Not on the pages. “Kundennummer” is on page 1 with no value of its own."
    english = explain({}, {"iban": TEXT}, INVOICE, INVOICE)["iban"]
    assert english.note.startswith("Not on the pages. No label on the pages says “IBAN”")


def test_where_not_all_was_read_nobody_says_that_it_is_not_there() -> None:
    unread = ("Page 3 could not be read whole.",)
    found = explain({}, {"iban": TEXT, "due_date": DAY}, INVOICE, unread=unread)
    assert found["iban"].state == "unread" and found["iban"].note.startswith("Page 3 could not be read whole. No label")
    assert found["due_date"].state == "left_out"


def test_a_cell_is_looked_for_under_its_head_in_its_row() -> None:
    rows = [{**row, "quantity": None} for row in ROWS[:2]] + [{**ROWS[2], "amount": None, "sku": ""}]
    rows[1].pop("description")
    text = INVOICE.replace("B2455", "     ")
    found = explain({"line_items": rows}, {"line_items": {"type": "array", "items": ROW}}, text)
    assert {path: (place.state, place.candidates[0].words) for path, place in found.items()} == {
        "line_items.0.quantity": ("left_out", "Qty 15"),
        "line_items.1.quantity": ("left_out", "Qty 1"),
        "line_items.1.description": ("left_out", "Description Packing tape 6-pack"),
        "line_items.2.amount": ("left_out", "Amount 30.00"),
        "line_items.2.sku": ("absent", "SKU"),
    }


def test_a_table_without_rows_is_left_out_where_its_heads_stand() -> None:
    schema = {"line_items": {"type": "array", "items": ROW}, "taxes": {"type": "array", "items": ROW}}
    found = explain({"line_items": []}, {"line_items": schema["line_items"]}, INVOICE)["line_items"]
    assert (found.state, found.candidates[0].words) == ("left_out", "SKU · Description · Qty · Amount")
    assert explain({}, schema, "Nothing of it")["taxes"].state == "absent"


def test_members_of_groups_are_looked_for_by_the_name_of_the_group() -> None:
    schema = {"customer": {"type": "object", "properties": {"name": TEXT, "phone": TEXT}}}
    found = explain({"customer": None}, schema, "Customer: Delmar Logistics\nName: John")
    assert found["customer.name"].candidates[0].words == "Customer: Delmar Logistics"
    assert found["customer.phone"].state == "absent"


@pytest.mark.django_db(transaction=True)
def test_three_reasons_for_no_value_are_kept_and_told(
    builder: Actor, prompt: PromptRevision, document: Document, scripted_model: ScriptedModel
) -> None:
    scripted_model.will(answers({"number": "INV-7", "total": None, "items": []}))
    draft = extractions.prepare(builder, document=document, prompt_revision=prompt)
    extraction = extractions.store(builder, draft=draft)
    proofs = describe_proof(extraction)
    assert proofs["left_out"] == {
        "total": "Left out by the model. “30.50” is with “Total” on page 1.",
        "items": "Left out by the model. A table with the heads “Article · Amount” is on page 1.",
    }
    assert build_view(extraction).counts.uncertain == 2
    assert count_values(extraction, (), EditedPlaces()).uncertain == 2
    # A person who says that there is none has looked.
    edits.set_field(builder, extraction=extraction, where="total", value=None)

    whole = document_with(builder.organization, PAGE[:1], PAGE[:1])
    scripted_model.will(answers({"number": "INV-7"}), answers({"number": "INV-7"}))
    absent = extractions.prepare(builder, document=whole, prompt_revision=prompt)
    Reading.objects.filter(document=whole).update(reason="Page 2 is damaged.")
    Page.objects.filter(reading__document=whole, number=2).update(fault="Its picture is damaged.")
    unread = extractions.prepare(builder, document=whole, prompt_revision=prompt)
    assert [(draft.provenance["total"]["state"], draft.provenance["total"]["note"]) for draft in (absent, unread)] == [
        (
            "absent",
            "Not on the pages. No label on the pages says “Total”, “Grand total”, “Total payable” or “Total due”.",
        ),
        (
            "unread",
            "Page 2 could not be read whole. No label on the pages says “Total”, “Grand total”, “Total payable” or “Total due”.",
        ),
    ]
    stored = extractions.store(builder, draft=unread)
    assert describe_proof(stored)["unread"].keys() == {"total", "items"}
    fields = {
        field["path"]: field for field in prove_leaves(FieldProofs(stored), FieldProofs(stored).list_leaves()).fields
    }
    assert (fields["total"]["state"], fields["total"]["looked_for"][:2]) == ("unread", ["Total", "Grand total"])
    # The answer does not name it; a person may say that it is rightly empty, and nothing that no schema names.
    assert edits.verify(builder, extraction=stored, where="total").user == builder.user
    with pytest.raises(NotFound):
        edits.verify(builder, extraction=stored, where="nothing")

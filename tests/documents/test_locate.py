import pytest

from documents.locate import locate
from documents.values import State
from tests.documents.locate_pages import INVOICE, ROWS, find, line_of, one
from tests.documents.words_builder import page


@pytest.mark.parametrize(
    ("value", "text", "words"),
    [
        ("Delmar Logistics", "Bill to: Delmar Logistics, Leeds", "Delmar Logistics,"),
        ("INV-2025-49883", "No (INV-2025-49883)", "(INV-2025-49883)"),
        ("12 High Street Leeds", "Sold at 12 High\nStreet Leeds", "12 High Street Leeds"),
        (17116.55, "Paid 17116.55 in full", "17116.55"),
        ("2026-04-04", "Issued 2026-04-04.", "2026-04-04."),
    ],
)
def test_it_finds_the_exact_words(value, text, words):
    location = one(value, text)
    assert (location.state, location.words, location.page) == (State.EXACT, words, 1)


@pytest.mark.parametrize(
    ("value", "text", "words"),
    [
        (17116.55, "Paid 17,116.55", "17,116.55"),
        (17116.55, "Paid 17.116,55 €", "17.116,55"),
        (17116.55, "Paid €17.116,55", "€17.116,55"),
        (17116.55, "Paid 17 116,55", "17 116,55"),
        (-40.5, "Credit 40.50-", "40.50-"),
        (-40.5, "Credit (40.50)", "(40.50)"),
        ("$8.20", "Paid 8.20", "8.20"),
        ("2026-04-04", "on 04/04/2026 in Leeds", "04/04/2026"),
        ("2026-04-04", "on 4 April 2026 in Leeds", "4 April 2026"),
        ("2026-04-04", "on 04.04.26", "04.04.26"),
        ("2026-04-04T10:00:00Z", "on 04.04.26", "04.04.26"),
        ("OSTRAVA TOOLS", "by Ostrava  Tools", "Ostrava Tools"),
        ("DE63171754183969143723", "IBAN DE63 1717 5418 3969 1437 23", "DE63 1717 5418 3969 1437 23"),
        ("Müller", "Herr MULLER", "MULLER"),
        ("extraordinary", "an extraor-\ndinary case", "extraor- dinary"),
        ("17.50 net", "Sum:17.50 net", "Sum:17.50 net"),
    ],
)
def test_it_finds_what_is_written_otherwise(value, text, words):
    location = one(value, text)
    assert (location.state, location.words) == (State.NORMALIZED, words)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (15, "Page 15 of 15"),
        (1, "1 of 1"),
        ("A", "A A+"),
        (2026, "Dated 2026"),
        ("2025", "No INV-2025-49883"),
        (49883, "No INV-2025-49883"),
        ("1.5 mm", "bolt 15 mm"),
        (-40.5, "Credit 40.50"),
        (40.5, "Credit -40.50"),
        (25.19, "Paid 125.19"),
        (True, "yes and no"),
        (None, "None"),
        ("", "empty"),
        ("A12", "Model A1 2 pieces"),
        ("Blue Finch", "Blue Heron Finch"),
        (1.234, "Weight 1,234 and 5.50"),
        (1234, "Weight 1.234 and 5.50"),
        ("€8.20", "Paid £8.20"),
    ],
)
def test_it_would_rather_find_nothing(value, text):
    location = one(value, text)
    assert location.state is State.NOT_LOCATED
    assert location.boxes == ()


def test_it_says_why_nothing_was_found():
    assert "No words" in one("Leeds", "York").note
    assert "ties it to this field" in one(15, "Page 15").note


def test_it_never_uses_hidden_words():
    words = page("Total 99.50\nTotal 17.50", hidden=frozenset({1}))
    assert locate({"total": 99.5}, {}, [(1, words)])["total"].state is State.NOT_LOCATED
    assert locate({"total": 17.5}, {}, [(1, words)])["total"].blocks == ("1.2.2",)


def test_it_boxes_every_line_of_a_value():
    location = one("12 High Street Leeds", "at 12 High\nStreet Leeds")
    assert len(location.boxes) == 2
    assert location.boxes[0][0] == pytest.approx(0.03)
    assert location.blocks == ("1.1.2", "1.1.3", "1.2.1", "1.2.2")


def test_it_reads_a_block_of_text_past_its_neighbours():
    text = """
    12 High Street            Invoice 7
    Leeds LS1 4AP             2026-04-04
    """
    assert one("12 High Street, Leeds LS1 4AP", text).words == "12 High Street Leeds LS1 4AP"


def test_it_puts_every_field_of_an_invoice_in_its_place():
    locations = find(
        {
            "invoice_number": "INV-2025-49883",
            "invoice_date": "2026-04-04",
            "due_date": "2026-12-27",
            "currency": "GBP",
            "line_items": ROWS,
            "subtotal": 2748.35,
            "tax_rate": 20,
            "tax": 549.67,
            "total": 3298.02,
        },
        INVOICE,
    )
    assert {where: line_of(result) for where, result in locations.items() if "." not in where} == {
        "invoice_number": 2,
        "invoice_date": 3,
        "due_date": 4,
        "currency": 13,
        "subtotal": 11,
        "tax_rate": 12,
        "tax": 12,
        "total": 13,
    }
    lines = [line_of(locations[f"line_items.{at}.{name}"]) for at in range(3) for name in ROWS[0]]
    assert lines == [7] * 5 + [8] * 5 + [9] * 5


def test_it_tells_the_quantity_from_the_same_number_in_the_description():
    assert find({"line_items": ROWS}, INVOICE)["line_items.0.quantity"].blocks == ("1.7.6",)


def test_it_tells_equal_price_and_amount_apart_by_their_columns():
    locations = find({"line_items": ROWS}, INVOICE)
    assert locations["line_items.1.unit_price"].boxes[0][0] < locations["line_items.1.amount"].boxes[0][0]


def test_it_does_not_guess_between_price_and_amount_without_columns():
    locations = find({"items": [{"name": "Blue bag", "price": 80.91, "amount": 80.91}]}, "Blue bag 1 80.91 80.91")
    assert locations["items.0.name"].is_located
    assert not locations["items.0.price"].is_located
    assert not locations["items.0.amount"].is_located


def test_it_leaves_a_quantity_alone_that_only_the_description_says():
    row = {"sku": "X4514", "description": "Copper pipe", "quantity": 15, "amount": 377.85}
    text = """
    SKU     Description             Qty       Amount
    X4514   Copper pipe 15 mm                 377.85
    """
    assert not find({"line_items": [row]}, text)["line_items.0.quantity"].is_located


@pytest.mark.parametrize(("name", "line"), [("subtotal", 1), ("total", 2)])
def test_it_tells_subtotal_from_total_when_the_amounts_are_equal(name, line):
    assert line_of(find({"subtotal": 100.0, "total": 100.0}, "Subtotal 100.00\nTotal 100.00")[name]) == line


def test_it_does_not_lend_the_total_to_a_subtotal_that_is_not_printed():
    locations = find({"subtotal": 100.0, "total": 100.0}, "Total 100.00")
    assert locations["total"].is_located
    assert not locations["subtotal"].is_located


def test_it_leaves_equal_amounts_alone_that_nothing_tells_apart():
    assert "Several places" in one(100.5, "Alpha 100.50\nBeta 100.50").note


def test_it_tells_two_roles_of_one_date_apart():
    text = "Invoice date 04/04/2026\nDelivery date 04/04/2026\nDue date 04/04/2026"
    day = "2026-04-04"
    locations = find({"due_date": day, "invoice_date": day, "delivery_date": day}, text)
    assert [line_of(locations[name]) for name in ("invoice_date", "delivery_date", "due_date")] == [1, 2, 3]

"""Values that no page prints but that follow from what it prints, and those that would only seem to."""

import pytest

from documents.values import State
from tests.documents.locate_pages import find

ROWS = """
Description     Qty   Unit price    Amount
Blue bag          2        25.19     50.38
Red bag           4        10.05     40.20
Old bag           1        99.90     99.90
"""
ITEMS = [
    {"description": "Blue bag", "quantity": 2, "unit_price": 25.19, "amount": 50.38},
    {"description": "Red bag", "quantity": 4, "unit_price": 10.05, "amount": 40.2},
    {"description": "Old bag", "quantity": 1, "unit_price": 99.9, "amount": 99.9},
]
TERMS = [
    "Payment: 30 days net",
    "Zahlbar innerhalb von 30 Tagen netto",
    "Paiement à 30 jours",
    "Pago a 30 días",
    "Pagamento a 30 giorni",
    "Betaling binnen 30 dagen",
    "Płatność w ciągu 30 dni",
    "Pagamento em 30 dias",
    "Payable within thirty days",
    "2 % discount within 10 days, 30 days net",
]
DERIVED = [
    ({"line_items": ITEMS, "total": 190.48}, ROWS, "total", 3),
    ({"line_items": ITEMS, "summe": 190.48}, ROWS, "summe", 3),
    ({"items": [{"hours": 2.5}, {"hours": 4.25}], "total_hours": 6.75}, "Hours\n2.50\n4.25", "total_hours", 2),
    ({"subtotal": 100.0, "tax": 19.0, "total": 119.0}, "Subtotal 100.00\nTotal 119.00", "tax", 2),
    ({"netto": 100.0, "mwst": 19.0, "gesamt": 119.0}, "Netto 100.00\nGesamt 119.00", "mwst", 2),
    ({"subtotal": 100.0, "tax": 19.0, "total": 119.0}, "Tax 19.00\nTotal 119.00", "subtotal", 2),
    ({"subtotal": 100.0, "tax": 19.0, "total": 119.0}, "Subtotal 100.00\nTax 19.00", "total", 2),
    ({"subtotal": 100.0, "tax_rate": 19, "total": 119.0}, "Tax rate 19%\nTotal 119.00", "subtotal", 2),
    ({"tax": 16.97, "tax_rate": 0.19, "total": 106.29}, "Tax rate 19%\nTotal 106.29", "tax", 2),
    ({"subtotal": 89.32, "tax_rate": 19, "tax": 16.97}, "Net 89.32\nVAT rate 19%", "tax", 2),
    ({"line_items": ITEMS, "line_item_count": 3}, ROWS, "line_item_count", 3),
    ({"line_items": ITEMS, "number_of_items": 3}, ROWS, "number_of_items", 3),
    ({"name": "Maria Ortega"}, "Tenant: Ortega, Maria", "name", 1),
    ({"name": "Ortega, Maria"}, "Tenant: Maria Ortega", "name", 1),
    ({"name": "Maria del Carmen Ortega"}, "Tenant: Ortega, Maria del Carmen", "name", 1),
    ({"balance": -45.0}, "Balance 45.00 CR", "balance", 1),
    ({"revenue": 1204000}, "EUR thousand     2025\nRevenue     1,204", "revenue", 2),
    ({"revenue": 1204000}, "in TEUR\n\nRevenue     1.204", "revenue", 2),
    ({"umsatz": 4500000}, "Angaben in Mio. EUR\nUmsatz     4,5", "umsatz", 2),
    ({"insured": True}, "[x] Insured   [ ] Fragile", "insured", 2),
    ({"fragile": False}, "[x] Insured   [ ] Fragile", "fragile", 2),
    ({"insured": True}, "☒ Insured ☐ Fragile", "insured", 2),
    *(
        ({"invoice_date": "2026-03-02", "due_date": "2026-04-01"}, f"Invoice date 2026-03-02\n{terms}", "due_date", 2)
        for terms in TERMS
    ),
    (
        {"date": "2026-01-31", "due_date": "2026-02-28"},
        "Date 2026-01-31\nPayment within 1 month",
        "due_date",
        2,
    ),
]


@pytest.mark.parametrize(("values", "text", "name", "parts"), DERIVED)
def test_it_infers_a_value_from_its_parts(values, text, name, parts):
    location = find(values, text)[name]
    assert (location.state, len(location.places)) == (State.INFERRED, parts)
    assert location.boxes and location.note
    assert all(part.boxes for part in location.places)


@pytest.mark.parametrize(("values", "text", "name", "parts"), DERIVED)
def test_an_altered_value_is_not_inferred(values, text, name, parts):
    value = values[name]
    altered = {
        bool: lambda: not value,
        int: lambda: value + 1,
        float: lambda: round(value + 0.01, 2),
        str: lambda: value.replace("04-01", "04-02").replace("02-28", "03-01").replace("Ortega", "Ortiga"),
    }[type(value)]()
    assert find({**values, name: altered}, text)[name].state is not State.INFERRED


@pytest.mark.parametrize(
    ("values", "text", "name"),
    [
        # No row of these is printed in full, or a part is only similar.
        ({"line_items": ITEMS, "total": 190.48}, ROWS.replace("40.20", "     "), "total"),
        ({"line_items": ITEMS, "total": 190.48}, ROWS.replace("40.20", "4O.20"), "total"),
        ({"line_items": ITEMS, "line_item_count": 3}, "\n".join(ROWS.splitlines()[:-1]), "line_item_count"),
        ({"subtotal": 100.0, "tax": 19.0, "total": 119.0}, "Subtotal 1O0.00\nTotal 119.00", "tax"),
        # Two fields have the part of one.
        (
            {"net_amount": 90.0, "subtotal": 100.0, "tax": 19.0, "total": 119.0},
            "Net amount 90.00\nSubtotal 100.00\nTotal 119.00",
            "tax",
        ),
        # Numbers that happen to fit, without names that say so.
        ({"alpha": 100.0, "beta": 19.0, "gamma": 119.0}, "Alpha 100.00\nGamma 119.00", "beta"),
        ({"deposit": 190.48, "line_items": ITEMS}, ROWS, "deposit"),
        ({"tax_number": 19, "subtotal": 100.0, "total": 119.0}, "Subtotal 100.00\nTotal 119.00", "tax_number"),
        ({"invoice_number": 3, "line_items": ITEMS}, ROWS, "invoice_number"),
        ({"pages": 3, "line_items": ITEMS}, ROWS, "pages"),
        # Periods that are none of payment, and scales that belong to something else.
        (
            {"invoice_date": "2026-03-02", "due_date": "2026-04-01"},
            "Invoice date 2026-03-02\nReturn goods in 30 days",
            "due_date",
        ),
        ({"revenue": 1204000}, "Revenue     1,204\nEUR thousand", "revenue"),
        ({"revenue": 1204000}, "For more than a thousand good reasons\nRevenue     1,204", "revenue"),
        ({"name": "Maria Ortega"}, "Ortega and Maria", "name"),
        ({"balance": -45.0}, "Balance 45.00", "balance"),
        ({"balance": 45.0}, "Balance 45.00 DR", "balance"),
        ({"balance": -45.0}, "Balance 45,00 H", "balance"),
        ({"insured": True}, "[ ] Insured   [x] Fragile", "insured"),
    ],
)
def test_what_only_seems_to_follow_is_not_inferred(values, text, name):
    assert find(values, text)[name].state is State.NOT_LOCATED


def test_parts_on_two_pages_are_boxes_on_both():
    head, tail = "Description   Amount\nBlue bag   50.38\n", "Red bag    40.20\n"
    rows = [{"description": "Blue bag", "amount": 50.38}, {"description": "Red bag", "amount": 40.2}]
    location = find({"line_items": rows, "total": 90.58}, head, tail)["total"]
    assert (location.state, [place.page for place in location.places]) == (State.INFERRED, [1, 2])

"""Which of several places a value is given."""

import json
import time
from pathlib import Path

import pytest

from documents.locate import locate
from documents.values import State
from reader.pool.readers import ReaderPool
from tests.documents.locate_pages import INVOICE, ROWS, find, line_of, one

DATA = Path(__file__).parents[1] / "data"


def test_it_reports_an_ambiguous_order_of_day_and_month():
    assert "other way round" in one("2026-05-04", "Paid 04/05/2026").note
    assert one("2026-05-04", "Paid 04/05/2026 or 27/05/2026").note == ""
    assert not one("2026-04-05", "Paid 04/05/2026 or 27/05/2026").is_located


def test_it_uses_the_label_above_a_value():
    text = """
    Opening balance      Closing balance
    500.00               500.00
    """
    location = find({"closing_balance": 500.0}, text)["closing_balance"]
    assert location.boxes[0][0] == pytest.approx(0.25)


def test_it_understands_titles_and_descriptions():
    schema = {"properties": {"x1": {"type": "number", "title": "Quantity"}}}
    assert one(15, "Page 15\nQty 15", name="x1", schema=schema).blocks == ("1.2.2",)


@pytest.mark.parametrize(("value", "words"), [(20, "20%"), (0.2, "20%"), (20, "20 %"), (0.2, "20 %")])
def test_it_finds_percentages_by_their_label(value, words):
    assert one(value, f"20 items\nTax rate {words}", name="tax_rate").words == words


def test_it_does_not_take_a_rate_for_an_amount():
    locations = find({"tax_rate": 0, "tax": 0.0}, "Tax 0% 0.00")
    assert (locations["tax_rate"].words, locations["tax"].words) == ("0%", "0.00")


def test_it_finds_a_currency_by_its_symbol():
    assert one("EUR", "Sum € 5", name="currency").words == "€"
    location = one("USD", "Sum $5.00", name="currency")
    assert (location.words, location.state) == ("$5.00", State.NORMALIZED)
    assert "several currencies" in location.note


def test_it_finds_an_answer_beside_its_question_only():
    assert one(True, "Paid: Yes\nInsured: No", name="paid").words == "Yes"
    assert not one(True, "Insured: No, yes", name="paid").is_located


def test_it_takes_the_first_page_when_a_page_is_printed_again():
    assert find({"total": 3298.02}, INVOICE, INVOICE)["total"].page == 1
    locations = find({"line_items": ROWS}, INVOICE, INVOICE, INVOICE)
    assert {result.page for result in locations.values()} == {1}


def test_it_keeps_equal_rows_in_their_order():
    rows = [{"name": "Coffee beans", "price": 2.5}, {"name": "Coffee beans", "price": 2.5}]
    locations = find({"items": rows}, "Coffee beans 2.50\nGreen tea 1.10\nCoffee beans 2.50")
    assert [line_of(locations[f"items.{at}.price"]) for at in (0, 1)] == [1, 3]


def test_it_finds_rows_that_are_sorted_otherwise_than_the_page():
    locations = find({"line_items": ROWS[::-1]}, INVOICE)
    assert [line_of(locations[f"line_items.{at}.amount"]) for at in range(3)] == [9, 8, 7]


def test_it_finds_fields_on_the_line_below_their_row():
    text = """
    Coffee beans
         2 x       2.50      5.00
    Green tea
         1 x       5.00      5.00
    """
    rows = [{"name": "Coffee beans", "amount": 5.0, "price": 2.5}, {"name": "Green tea", "price": 5.0}]
    locations = find({"items": rows}, text)
    assert line_of(locations["items.0.price"]) == 2
    assert line_of(locations["items.0.amount"]) == 2


def test_it_keeps_a_wrapped_description_together():
    text = """
    SKU     Description        Qty     Amount
    X4514   Copper pipe with     2     377.85
            brass fitting
    X4515   Steel pipe           2     100.00
    """
    rows = [{"sku": "X4514", "description": "Copper pipe with brass fitting", "quantity": 2, "amount": 377.85}]
    locations = find({"line_items": rows}, text)
    assert locations["line_items.0.description"].words == "Copper pipe with brass fitting"
    assert line_of(locations["line_items.0.quantity"]) == 2


def test_it_keeps_debit_credit_and_balance_in_their_columns():
    text = """
    Date         Text             Debit    Credit    Balance
    02.01.2026   Card payment     12.50                12.50
    03.01.2026   Salary                    100.00     100.00
    """
    rows = [
        {"date": "2026-01-02", "debit": 12.5, "credit": None, "balance": 12.5},
        {"date": "2026-01-03", "debit": None, "credit": 100.0, "balance": 100.0},
    ]
    locations = find({"entries": rows}, text)
    assert locations["entries.0.debit"].boxes[0][0] < locations["entries.0.balance"].boxes[0][0]
    assert locations["entries.1.credit"].boxes[0][0] < locations["entries.1.balance"].boxes[0][0]
    assert locations["entries.0.credit"].note == "There is no value to look for."


def test_a_head_that_is_known_for_another_column_names_no_field():
    text = """
    Omschrijving     Bedrag excl BTW     Korting
    Blauw papier               10,00       10,00
    Rode pennen                20,00       20,00
    """
    names = {"Blauw papier": 10.0, "Rode pennen": 20.0}
    found = find({"items": [{"description": name, "vat_amount": amount} for name, amount in names.items()]}, text)
    assert [found[f"items.{at}.vat_amount"].state for at in (0, 1)] == [State.NOT_LOCATED] * 2


def test_it_keeps_rows_inside_rows_apart():
    text = """
    Order SO-1001
    SKU      Qty
    AB-12      2
    Order SO-1002
    SKU      Qty
    AB-12      3
    CD-44      2
    """
    orders = [
        {"no": "SO-1001", "lines": [{"sku": "AB-12", "qty": 2}]},
        {"no": "SO-1002", "lines": [{"sku": "AB-12", "qty": 3}, {"sku": "CD-44", "qty": 2}]},
    ]
    locations = find({"orders": orders}, text)
    places = ["orders.0.lines.0.qty", "orders.1.lines.0.qty", "orders.1.lines.1.qty"]
    assert [line_of(locations[place]) for place in places] == [3, 6, 7]


def test_it_follows_a_table_over_the_page_break():
    rows = [{"sku": f"X45{n}", "qty": n} for n in range(10, 16)]
    texts = ["SKU   Qty\n" + "\n".join(f"X45{n}   {n}" for n in part) for part in (range(10, 13), range(13, 16))]
    locations = find({"rows": rows}, *texts)
    assert [locations[f"rows.{at}.qty"].page for at in range(6)] == [1, 1, 1, 2, 2, 2]


def test_it_reads_a_form_with_two_fields_on_a_line():
    text = "Name: Ann Lee           Date of birth: 04/05/1980\nChildren: 2             Rooms: 2"
    locations = find({"children": 2, "rooms": 2, "date_of_birth": "1980-05-04"}, text)
    assert (locations["children"].blocks, locations["rooms"].blocks) == (("1.2.2",), ("1.2.4",))
    assert locations["date_of_birth"].words == "04/05/1980"


def test_it_does_not_take_a_row_value_for_a_total():
    text = "Widget deluxe 377.85\nGadget simple 10.00"
    locations = find({"items": [{"name": "Widget deluxe", "price": 377.85}], "total": 377.85}, text)
    assert locations["items.0.price"].is_located
    assert not locations["total"].is_located


def test_it_infers_an_amount_that_is_the_product_of_its_row():
    text = "SKU      Qty    Price\nX4514      3    10.50"
    locations = find({"items": [{"sku": "X4514", "quantity": 3, "price": 10.5, "amount": 31.5}]}, text)
    assert locations["items.0.amount"].state is State.INFERRED


def test_it_gives_the_same_answer_every_time():
    assert find({"line_items": ROWS}, INVOICE) == find({"line_items": ROWS}, INVOICE)


def test_it_survives_odd_input():
    assert locate({}, {}, []) == {}
    assert not locate({"a": "x" * 9}, {"properties": []}, [(1, [])])["a"].is_located
    assert not one(float("inf"), "inf").is_located
    assert not one("...", "...").is_located


def test_it_places_every_value_of_a_real_page():
    pool = ReaderPool(1)
    try:
        read = pool.read(DATA / "gen_invoice_101.pdf", [1])
    finally:
        pool.close()
    fields = json.loads((DATA / "ground_truth" / "gen_invoice_101.json").read_text())["fields"]
    places = find(fields, schema={}, words=[(1, read[0].words)])
    assert [where for where, result in places.items() if not result.is_located] == []
    assert (places["total"].words, places["subtotal"].words) == ("17,116.55", "14,263.79")
    lines = [{line_of(places[f"line_items.{n}.{name}"]) for name in row} for n, row in enumerate(fields["line_items"])]
    assert all(len(line) == 1 for line in lines)
    assert len(set.union(*lines)) == len(lines)


def test_it_is_quick_on_an_invoice_of_three_pages():
    texts = [INVOICE] * 3
    started = time.process_time()
    find({"line_items": ROWS * 4}, *texts)
    assert time.process_time() - started < 0.05

"""Words that are nearly a value, values that are printed more than once, and what is said where nothing is near."""

import pytest

from documents.locate import locate
from documents.values import State, parse_location
from tests.documents.locate_pages import find, one
from tests.documents.words_builder import pages


@pytest.mark.parametrize(
    ("value", "text", "words", "note"),
    [
        ("INV-2026", "Invoice no. INV-2O26", "INV-2O26", "“O” for “0”"),
        ("INV-2O26", "Invoice no. INV-2026", "INV-2026", "“0” for “O”"),
        ("Kestrel", "Kestrl", "Kestrl", "no “e”"),
        ("Restoran Wan Sheng", "RSTORAN WAN SHENG", "RSTORAN WAN SHENG", "no “e”"),
        ("Kestrl Parts Ltd", "Kestrel Parts Ltd", "Kestrel Parts Ltd", "“e” more"),
        ("Harbour Mills Ltd", "by Harbour Mi11s Ltd", "Harbour Mi11s Ltd", "“11” for “ll”"),
        ("Delmar Farm Ltd", "Delmar Farrn Ltd in Dover", "Delmar Farrn Ltd", "“rn” for “m”"),
        (1204.5, "Reference 1,2O4.50", "1,2O4.50", "“O” for “0”"),
        ("2026-04-12", "Reference O4/12/2026", "O4/12/2026", "“O” for “0”"),
    ],
)
def test_it_finds_words_that_read_nearly_alike(value, text, words, note):
    location = one(value, text)
    assert (location.state, location.words) == (State.SIMILAR, words)
    assert note in location.note
    assert location.boxes and location.differences
    assert not location.is_printed


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("INV-2026", "Invoice no. INV-2027"),
        ("INV-2026", "Invoice no. INV-20266"),
        ("INV-2026-1", "Invoice no. INV-2026-I8"),
        ("12 High Street Leeds", "13 High Street Leeds"),
        ("1.5 mm bolt of steel", "15 mm bolt of stel"),
        ("Kestrel", "by the kestrls of Dover"),
        ("Bill", "Bull"),
        (1204.5, "Reference 1,204.60"),
        (55.0, "Reference S5.00"),
        (12.51, "Reference 12.5l"),
        (1204.5, "Another 1,2O4.50"),
        ("2026-04-12", "Reference 04/13/2026"),
    ],
)
def test_other_digits_and_other_words_are_not_similar(value, text):
    assert one(value, text).state is State.NOT_LOCATED


def test_it_finds_a_similar_cell_in_its_own_row():
    text = "Name       Amount\nKestrl     377.85\nKestrl     912.40"
    rows = [{"name": "Kestrel", "amount": 377.85}, {"name": "Kestrel", "amount": 912.4}]
    found = find({"items": rows}, text)
    assert [found[f"items.{at}.name"].blocks for at in (0, 1)] == [("1.2.1",), ("1.3.1",)]
    assert {found[f"items.{at}.name"].state for at in (0, 1)} == {State.SIMILAR}


def test_words_that_say_another_value_are_not_similar_to_this_one():
    found = find({"vendor": "Kestrel Parts Ltd", "customer": "Kestral Parts Ltd"}, "Vendor: Kestrel Parts Ltd")
    assert (found["vendor"].state, found["customer"].state) == (State.EXACT, State.NOT_LOCATED)


def test_nothing_is_inferred_from_similar_words():
    text = "Name       Qty    Price\nBlue bag   1O.5   25.19"
    found = find({"items": [{"name": "Blue bag", "qty": 10.5, "price": 25.19, "amount": 264.495}]}, text)
    assert found["items.0.qty"].state is State.SIMILAR
    assert found["items.0.amount"].state is State.NOT_LOCATED


@pytest.mark.parametrize(
    ("values", "text", "nearest"),
    [
        ({"reference": "INV-2026-4711"}, "Invoice no. INV-2027-4711", ["INV-2027-4711"]),
        ({"total": 99.5}, "Total 1,243.56\nTax 10.00", ["1,243.56"]),
        ({"balance": 1234.56}, "Sum 1,243.56\nTax 10.00", ["1,243.56"]),
        ({"balance": -1243.56}, "Sum 12,435.60", ["12,435.60"]),
        ({"balance": "$1,234.56"}, "Sum 1,243.56\nOther 1,234.5", ["1,243.56", "1,234.5"]),
        ({"due_date": "2031-01-09"}, "Due date 26 March 2026\nIssued 1 May 2027", ["26 March 2026"]),
        ({"delivered": "2026-03-26"}, "Sent 26.03.2025 and 27.09.2026", ["26.03.2025"]),
        (
            {"items": [{"sku": "A-1", "amount": 28.0}]},
            "Sku   Qty   Amount\nA-1   4     82.00\nTax         28.10",
            ["82.00"],
        ),
    ],
)
def test_it_names_the_nearest_words_where_there_are_any(values, text, nearest):
    location = list(find(values, text).values())[-1]
    assert location.note == f"The pages do not say this value. The nearest words are “{nearest[0]}” on page 1."
    assert [each.words for each in location.candidates] == nearest


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ({"reference": "INV-2026-4711"}, "Total 5.00"),
        ({"balance": 77.5}, "Sum 1,243.56"),
        ({"count": 7}, "Rooms 8"),
        ({"balance": 77}, "Sum 7.70"),
        ({"delivered": "2026-03-26"}, "Sent 1 May 2024"),
        ({"total": 1243.56, "balance": 1243.65}, "Total 1,243.56"),
    ],
)
def test_nothing_is_near_that_has_other_digits_or_says_another_value(values, text):
    location = list(find(values, text).values())[-1]
    assert (location.note, location.candidates) == ("No words on the pages say this value.", ())


@pytest.mark.parametrize(
    ("name", "value", "text", "more"),
    [
        ("total", 80.9, "Total 80.90\nA line between\n\nTotal 80.90", 1),
        ("date", "2026-03-27", "27/03/2026\n\nPrinted on\n27/03/2026 11:45", 1),
        ("vendor", "Acme", "Acme\nHigh Street\n\nThank you for coming to Acme", 1),
        ("reference", 100.5, "Paid 100.50\nStreet\nPaid 100.50\n\nPaid 100.50", 2),
    ],
)
def test_what_is_printed_again_is_one_value_with_several_places(name, value, text, more):
    location = one(value, text, name=name)
    assert (location.is_printed, len(location.places)) == (True, more)


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("reference", 100.5, "Alpha 100.50\nBeta 100.50"),
        ("reference", 80.91, "Blue bag 80.91 80.91"),
        ("day", "2026-04-27", "Invoice date 27/04/2026\nDue date 27/04/2026"),
    ],
)
def test_two_things_of_one_value_are_no_repeats(name, value, text):
    assert one(value, text, name=name).state is State.NOT_LOCATED


def test_many_rows_that_say_the_same_have_a_line_each():
    text = "Sku   Name       Qty   Amount\n" + "X11   Blue bag   1     10.00\n" * 12
    row = {"sku": "X11", "name": "Blue bag", "qty": 1, "amount": 10.0}
    found = find({"items": [row] * 12}, text)
    assert [found[f"items.{at}.amount"].blocks[0] for at in range(12)] == [f"1.{at + 2}.5" for at in range(12)]
    alone = find({"items": [row]}, text)["items.0.amount"]
    assert (alone.blocks, len(alone.places)) == (("1.2.5",), 11)


def test_a_similar_value_is_the_same_after_it_was_stored():
    location = locate({"vendor": "Kestrel"}, {}, pages("Kestrl"))["vendor"]
    assert parse_location(location.as_json()) == location


@pytest.mark.parametrize(("confidence", "look_first"), [(79, True), (80, False)])
def test_words_that_were_hard_to_read_are_only_to_be_looked_at_first(confidence, look_first):
    [(number, words)] = pages("Total 80.90\nNumber 4711")
    unsure = [word._replace(confidence=confidence) if word.text == "80.90" else word for word in words]
    found = find({"total": 80.9, "number": "4711"}, words=[(number, unsure)])
    assert [found[name].look_first for name in ("total", "number")] == [look_first, False]
    assert found["total"] == parse_location(found["total"].as_json()) and found["total"].state is State.NORMALIZED

from datetime import date
from decimal import Decimal

import pytest

from documents.locate.labels import make_label, make_tokens
from documents.locate.weights import is_self_evident, is_unique_unlabelled
from printed.dates import find_dates, parse_dates
from printed.folding import compact_text, digits_agree, split_names, split_parts
from printed.numbers import find_decimal_mark, parse_numbers


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("17116.55", ["17116.55"]),
        ("17,116.55", ["17116.55"]),
        ("17.116,55", ["17116.55"]),
        ("1.234.567", ["1234567"]),
        ("12,34,567.00", ["1234567"]),
        ("1'234.50", ["1234.50"]),
        ("1 234,50", ["1234.50"]),
        ("€17.116,55", ["17116.55"]),
        ("RM51.30", ["51.30"]),
        ("GBP9", ["9"]),
        ("12.00EUR", ["12"]),
        ("-40.00", ["-40"]),
        ("−40.00", ["-40"]),
        ("40.00-", ["-40"]),
        ("-$40", ["-40"]),
        ("$-40", ["-40"]),
        ("(40.00)", ["40", "-40"]),
        ("20%", ["20"]),
        ("12,-", ["12"]),
        ("1,234", ["1.234", "1234"]),
        ("0,234", ["0.234"]),
        ("5.", ["5"]),
        (".50", ["0.50"]),
        ("$.50", ["0.50"]),
        ("12 34", []),
        ("1234 567", []),
        ("A15", []),
        ("15mm", []),
        ("1.2.3", []),
        ("04.04.26", []),
        ("07-3523888", []),
        ("10:30", []),
        ("1,23,4", []),
        ("%", []),
    ],
)
def test_it_reads_printed_numbers(text, values):
    assert [number.value for number in parse_numbers(text)] == [Decimal(value) for value in values]


def test_it_learns_the_decimal_mark_only_where_all_agree():
    assert find_decimal_mark(["1,234", "5.50", "12,000.00"]) == "."
    assert find_decimal_mark(["1.234", "5,50"]) == ","
    assert find_decimal_mark(["5,50", "5.50"]) == ""
    assert find_decimal_mark(["1,234"]) == ""


@pytest.mark.parametrize(
    "text",
    [
        "2026-04-04",
        "04/04/2026",
        "4.4.26",
        "04. 04. 2026",
        "4 April 2026",
        "4. April 2026",
        "April 4th, 2026",
        "Apr 4, 26",
        "4th of April 2026",
        "04-APR-2026",
        "04APR2026",
        "4 avril 2026",
        "4 de abril de 2026",
        "2026年4月4日",
        "2026/4/4",
    ],
)
def test_it_reads_printed_dates(text):
    assert parse_dates(text) == {date(2026, 4, 4)}


def test_it_reads_both_orders_of_day_and_month():
    assert parse_dates("04/05/2026") == {date(2026, 5, 4), date(2026, 4, 5)}
    assert parse_dates("13/05/2026") == {date(2026, 5, 13)}
    assert parse_dates("04.05.2026") == {date(2026, 5, 4)}


@pytest.mark.parametrize(
    "text", ["", "2026", "1.2.3", "31/02/2026", "192.168.10.26", "page 4", "INV-2026-04-04-1", "12/13/14/15"]
)
def test_it_takes_nothing_else_for_a_date(text):
    assert list(find_dates(text)) == []


@pytest.mark.parametrize(
    ("printed", "year"), [("00", 2000), ("68", 2068), ("69", 2069), ("70", 1970), ("71", 1971), ("99", 1999)]
)
@pytest.mark.parametrize("text", ["31.12.{}", "31 Dec {}", "Dec 31st, '{}"])
def test_a_year_of_two_digits_is_of_this_century_up_to_69(text, printed, year):
    assert parse_dates(text.format(printed)) == {date(year, 12, 31)}


def test_it_finds_dates_inside_a_line():
    line = "Date: 4. März 2026 due 04.05.2026"
    assert [line[match.start : match.end] for match in find_dates(line)] == ["4. März 2026", "04.05.2026"]


def test_a_number_before_a_date_is_no_day_of_it():
    line = "Work sheet 8 of March 11, 2026"
    assert [line[match.start : match.end] for match in find_dates(line)] == ["March 11, 2026"]


def test_it_compares_letters_and_digits_only():
    assert compact_text("DE63 1717-5418") == "de6317175418"
    assert compact_text("Müller & Söhne") == compact_text("MULLER SOHNE")
    assert compact_text("ﬁne print") == "fineprint"


@pytest.mark.parametrize(
    ("one", "other", "agree"),
    [
        ("1.5 mm", "15 mm", False),
        ("1.5 mm", "1,5 mm", True),
        ("-5 °C", "5 °C", False),
        ("07-3523888", "073523888", True),
        ("13 81100", "13, 81100", True),
    ],
)
def test_it_sees_when_a_mark_changes_the_meaning(one, other, agree):
    assert digits_agree(one, other) is agree


def test_it_takes_words_apart_that_hold_two_things():
    assert split_parts("Total:17.50") == ["Total", "17.50"]
    assert split_parts("12:30") == ["12:30"]
    assert split_parts("(1,5)") == ["1,5"]
    assert split_parts("7/4,KAWASAN") == ["7/4", "KAWASAN"]


def test_it_reads_names_and_labels_alike():
    assert split_names("unitPrice_net") == ["unit", "price", "net"]
    assert make_tokens(["invoice", "no"]) == make_tokens(["rechnung", "nr"]) == ["invoice", "number"]
    assert make_tokens(["sub", "total"]) == make_tokens(["subtotal"])
    assert make_tokens(["bill", "to"]) == ["customer"]


def test_it_fits_the_whole_label_better_than_a_part_of_it():
    due = make_label(["due_date"])
    assert due.fit(make_tokens(["due", "date"])) == 1
    assert due.fit(make_tokens(["due", "date"])) > due.fit(make_tokens(["date"])) > due.fit(make_tokens(["total"])) == 0
    assert make_label(["total"]).fit(make_tokens(["sub", "total"])) == 0


@pytest.mark.parametrize(
    ("value", "alone", "itself"),
    [
        (1, False, False),
        (15, False, False),
        (2026, False, False),
        (17116, True, False),
        (25.19, True, False),
        (0.0, False, False),
        ("A", False, False),
        ("GBP", False, False),
        ("2026-04-04", True, False),
        ("X4514", True, True),
        ("81100", True, False),
        ("Ostrava Tools s.r.o.", True, True),
        (True, False, False),
    ],
)
def test_it_knows_what_a_value_says_by_itself(value, alone, itself):
    assert (is_unique_unlabelled(value), is_self_evident(value)) == (alone, itself)

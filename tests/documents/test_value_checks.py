"""What each kind of value check says of values."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from documents.checks.checked_values import list_pages
from documents.checks.definitions import MAX_CHECKS, clean_checks
from documents.checks.kinds import KINDS
from documents.checks.schema_paths import SchemaPaths
from documents.values.bounded_checks import Budget
from kit.errors import Invalid
from tests.documents.checked_invoice import INVOICE, SCHEMA, SUM, judge_values

TOTAL = {"kind": "total", "parts": ["subtotal", "tax"], "field": "total"}
PRODUCT = {"kind": "product", "factors": ["line_items.quantity", "line_items.unit_price"], "field": "line_items.amount"}
DATES = {"kind": "date_order", "first": "invoice_date", "then": "due_date"}
IBAN = {"kind": "identifier", "field": "iban", "standard": "iban"}
COVERAGE = {"kind": "coverage", "list": "line_items", "count_field": "line_count"}
PASSED, FAILED, NOT_COMPUTED = "passed", "failed", "not_computed"


@pytest.mark.parametrize(
    ("check", "changes", "status", "message"),
    [
        (SUM, {}, PASSED, "Amount of all rows adds up to Subtotal."),
        (SUM, {"subtotal": 35.01}, PASSED, ""),
        (SUM, {"subtotal": 35.02}, FAILED, "2 lines add up to 35.00; Subtotal says 35.02."),
        (SUM, {"subtotal": 99000}, FAILED, "2 lines add up to 35.00; Subtotal says 99,000.00."),
        (SUM, {"currency": "JPY", "subtotal": 36}, PASSED, ""),
        (SUM, {"currency": "KWD", "subtotal": 35.002}, FAILED, "35.000; Subtotal says 35.002."),
        (SUM | {"tolerance": "0.5"}, {"subtotal": 35.4}, PASSED, ""),
        (SUM, {"subtotal": None}, NOT_COMPUTED, "Subtotal is empty."),
        (SUM, {"line_items": []}, NOT_COMPUTED, "No row has a value of Amount."),
        (SUM, {"line_items": [{"amount": 35}, {"sku": "B"}], "subtotal": 36}, FAILED, "1 more has no value there."),
        (SUM, {"line_items": [{"amount": 0.1}] * 3, "subtotal": 0.3}, PASSED, ""),
        (SUM, {"line_items": [{"amount": 1e300}] * 2, "subtotal": 5}, FAILED, "2 lines add up to"),
        (TOTAL, {}, PASSED, "Subtotal + Tax is Total."),
        (TOTAL, {"total": "€ 42,00"}, PASSED, ""),
        (TOTAL, {"total": "43.00"}, FAILED, "35.00 + 7.00 is 42.00; Total says 43.00."),
        (TOTAL, {"total": "1,234"}, NOT_COMPUTED, "Total: “1,234” can be read as several amounts."),
        (TOTAL, {"total": "forty"}, NOT_COMPUTED, "Total: “forty” is no number."),
        (TOTAL, {"tax": None}, NOT_COMPUTED, "Tax is empty."),
        (TOTAL, {"tax": None, "total": "35.00"}, PASSED, ""),
        (TOTAL, {"total": "$ 42.00"}, NOT_COMPUTED, "the amounts are in $ and EUR, and are not added up."),
        (TOTAL, {"total": "USD 42.00", "currency": None}, PASSED, ""),
        (
            SUM,
            {"line_items": [{"amount": "20 USD"}, {"amount": 15}]},
            NOT_COMPUTED,
            "the amounts are in EUR and USD, and are not added up.",
        ),
        (PRODUCT, {}, PASSED, "Quantity × Unit price is Amount."),
        (PRODUCT, {"line_items": [{"quantity": 2, "unit_price": 10, "amount": 21}]}, FAILED, "2 × 10 is 20.00; Amount"),
        (PRODUCT, {"line_items": [{"quantity": 2}]}, NOT_COMPUTED, "No row has a value in each"),
        (DATES, {"invoice_date": "2026-05-01", "due_date": "2026-05-01"}, PASSED, ""),
        (DATES, {"invoice_date": "2026-05-02", "due_date": "1 May 2026"}, FAILED, "Due date, 2026-05-01, is before"),
        (DATES, {"invoice_date": "03/04/2026", "due_date": "2026-05-01"}, NOT_COMPUTED, "can be read as two days"),
        (DATES, {"due_date": "2026-05-01"}, NOT_COMPUTED, "Invoice date or Due date is empty."),
        ({"kind": "required_if", "field": "tax", "if_field": "number"}, {"tax": None}, FAILED, "Tax is empty; Number"),
        (
            {"kind": "required_if", "field": "tax", "if_field": "currency", "equals": "USD"},
            {"tax": None},
            PASSED,
            "Tax is needed when Currency is “USD”.",
        ),
        ({"kind": "pattern", "field": "number", "pattern": "^INV-[0-9]$"}, {}, PASSED, ""),
        ({"kind": "pattern", "field": "number", "pattern": "^X"}, {}, FAILED, "“INV-1” does not match the pattern ^X."),
        ({"kind": "pattern", "field": "number", "pattern": "^X", "message": "No X."}, {}, FAILED, "No X."),
        ({"kind": "one_of", "field": "line_items.sku", "choices": ["a", "b"]}, {}, PASSED, ""),
        ({"kind": "one_of", "field": "line_items.sku", "choices": ["a"]}, {}, FAILED, "“B” is none of a."),
        (IBAN, {"iban": "DE89 3704 0044 0532 0130 00"}, PASSED, ""),
        (IBAN, {"iban": "DE88 3704 0044 0532 0130 00"}, FAILED, "its check digits do not match."),
        (IBAN, {"iban": "hello"}, FAILED, "“hello” is not a valid IBAN"),
        (IBAN, {"iban": "1" * 200}, FAILED, "it is too long."),
        (
            {"kind": "identifier", "field": "vendor.vat", "standard": "eu_vat"},
            {"vendor": {"vat": "NL4495445B01"}},
            PASSED,
            "VAT is a valid VAT number of the European Union.",
        ),
        ({"kind": "duplicate", "fields": ["number"]}, {}, NOT_COMPUTED, "compared once the check is saved"),
        ({"kind": "duplicate", "fields": ["number"]}, {"number": None}, NOT_COMPUTED, "Number is empty."),
    ],
)
def test_a_check_says_what_is_wrong_in_words(
    check: dict[str, Any], changes: dict[str, Any], status: str, message: str
) -> None:
    *_, last = judge_values(check, INVOICE | changes)
    assert last["status"] == status
    assert message in last["message"]


def test_a_result_names_the_places_that_own_it() -> None:
    [sums] = judge_values(SUM, INVOICE | {"subtotal": 1})
    assert sums["places"] == ["subtotal"]
    wrong = {"quantity": 1, "unit_price": 1, "amount": 2}
    results = judge_values(PRODUCT, INVOICE | {"line_items": [INVOICE["line_items"][0], wrong, wrong]})
    assert len({result["places"][0] for result in results}) == 2
    assert all(result["places"][0].startswith("line_items[") for result in results)


def test_a_page_is_named_as_the_source_and_an_unread_one_as_the_cause() -> None:
    located: Any = {"subtotal": {"page": 1, "state": "exact"}}
    [result] = judge_values(SUM, INVOICE | {"subtotal": 99000}, provenance=located, page_count=4, pages_seen=[1, 2, 3])
    assert result["message"] == "2 lines add up to 35.00; the page says 99,000.00. Page 4 was not read."


def test_it_sees_pages_that_gave_nothing_and_rows_that_are_missing() -> None:
    located: Any = {"line_items[x].amount": {"page": 1, "state": "exact"}}
    pages, rows = judge_values(COVERAGE, INVOICE | {"line_count": 200}, provenance=located, pages=[1, 2, 3, 4, 5, 6])
    assert pages["message"] == "5 of 6 pages gave no row: 2 to 6."
    assert pages["places"] == ["line_items"]
    assert rows["message"] == "2 rows; Line count says 200."
    allowed = COVERAGE | {"allowed_pages": 5}
    [passed] = judge_values(allowed, INVOICE | {"line_count": 2}, provenance=located, pages=[1, 2, 3, 4, 5, 6])
    assert passed["status"] == PASSED


def test_a_check_ends_after_so_many_rows_and_says_so() -> None:
    rows = [{"amount": 1}] * 101
    [result] = judge_values(SUM, INVOICE | {"line_items": rows}, budget=Budget(100))
    assert (result["status"], result["message"][:23]) == (NOT_COMPUTED, "The values are too many")
    many = judge_values(PRODUCT, INVOICE | {"line_items": [{"quantity": 1, "unit_price": 1, "amount": 5}] * 500})
    assert len(many) == 20


@pytest.mark.parametrize(
    ("check", "sentence"),
    [
        (5, "kind must be one of sum, total, product"),
        ({"kind": "magic"}, "kind must be one of"),
        ({"kind": "sum", "column": "line_items.amount"}, "field is missing: what it adds up to"),
        (SUM | {"field": "subtotals"}, "the schema has no field subtotals. The nearest are: subtotal"),
        (SUM | {"field": "line_items.amount"}, "outside of lists; line_items.amount is a column of line_items"),
        (SUM | {"column": "tax"}, "column must be a column of numbers in a list; tax is a number"),
        (SUM | {"field": 5}, "field must be the dotted name of a field"),
        (SUM | {"tolerance": -1}, "tolerance must be a number from 0"),
        (SUM | {"tolerance": "NaN"}, "tolerance must be a number from 0"),
        (SUM | {"colum": "x"}, "sum has no colum; it has column, field, tolerance"),
        (TOTAL | {"parts": "subtotal"}, "parts must be a list of 1 to 10 fields"),
        (TOTAL | {"parts": ["vendor"]}, "vendor is a group"),
        (IBAN | {"standard": "isbn"}, "standard must be one of iban, bic"),
        ({"kind": "pattern", "field": "number", "pattern": "(a*)*b"}, "repeats a group that repeats"),
        ({"kind": "pattern", "field": "number", "pattern": "("}, "is no regular expression"),
        ({"kind": "one_of", "field": "number", "choices": [["a"]]}, "choices must be text"),
        ({"kind": "coverage", "allowed_pages": 1.5}, "allowed_pages must be a whole number"),
        (DATES | {"first": "subtotal"}, "first must be a date; subtotal is a number"),
    ],
)
def test_a_check_that_makes_no_sense_is_refused_with_what_would(check: Any, sentence: str) -> None:
    with pytest.raises(Invalid) as refusal:
        clean_checks([SUM, check], SCHEMA)
    assert sentence in refusal.value.sentence
    assert refusal.value.problems[0].where.startswith("value_checks.1")


def test_the_columns_of_a_check_stand_in_one_list() -> None:
    number = {"type": "number", "description": "n"}
    rows = {"type": "array", "description": "l", "items": {"type": "object", "properties": {"n": number, "m": number}}}
    schema = {"type": "object", "properties": {"one": rows, "other": rows}}
    with pytest.raises(Invalid, match="are in several lists: one, other"):
        clean_checks([{"kind": "product", "factors": ["one.n", "one.m"], "field": "other.n"}], schema)


def test_so_many_checks_and_no_more() -> None:
    assert len(clean_checks([SUM] * MAX_CHECKS, SCHEMA)) == MAX_CHECKS
    with pytest.raises(Invalid, match="51 value checks; 50 are the most"):
        clean_checks([SUM] * (MAX_CHECKS + 1), SCHEMA)


def test_what_is_stored_reads_as_what_was_sent() -> None:
    sent = [SUM | {"tolerance": 0.05}, IBAN, COVERAGE, TOTAL]
    stored = clean_checks(sent, SCHEMA)
    assert stored == [SUM | {"tolerance": "0.05"}, IBAN, COVERAGE, TOTAL]
    assert clean_checks(stored, SCHEMA) == stored


def test_every_kind_names_its_parameters_as_its_fields() -> None:
    for kind in KINDS.values():
        assert [each.name for each in kind.parameters] == [each.name for each in fields(kind)]


def test_paths_of_a_schema_have_no_positions() -> None:
    paths = SchemaPaths(SCHEMA)
    amount = paths.find("line_items.amount")
    assert amount is not None
    assert (amount.table, amount.column, amount.title, amount.lists) == ("line_items", "amount", "Amount", 1)
    assert paths.find("line_items.0.amount") is None


def test_pages_are_listed_by_stretches() -> None:
    assert list_pages([1, 3, 4, 5, 9]) == "1, 3 to 5, 9"

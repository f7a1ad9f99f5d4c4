"""The language of value checks."""

from __future__ import annotations

from typing import Any

import pytest

from documents.checks.expressions import MAX_LETTERS, find_expression_problem
from documents.checks.schema_paths import SchemaPaths
from documents.values.bounded_checks import Budget
from tests.documents.checked_invoice import INVOICE, SCHEMA, judge_values

AMOUNTS = '[row["amount"] for row in line_items]'


def check(expression: str, **changes: Any) -> tuple[str, str]:
    [result] = judge_values({"kind": "expression", "expression": expression, "field": "total"}, INVOICE | changes)
    return result["status"], result["message"]


@pytest.mark.parametrize(
    "expression",
    [
        f"sum({AMOUNTS}) == subtotal",
        "0.1 + 0.2 == 0.3",
        "near(subtotal + tax, amount(total))",
        "count(line_items) == 2 and max(subtotal, tax) == 35",
        'all(row["quantity"] * row["unit_price"] == row["amount"] for row in line_items)',
        'currency in ["EUR", "USD"]',
        '"INV" in number',
        'fields["vendor"] is None',
        "days('2026-05-01', '2026-05-31') == 30",
        "round(10 / 3, 2) == 3.33",
        "subtotal > 10 if tax else True",
        "due_date is None or due_date > invoice_date",
    ],
)
def test_it_computes_with_decimals_over_fields_and_rows(expression: str) -> None:
    assert find_expression_problem(expression, SchemaPaths(SCHEMA)) == ""
    assert check(expression)[0] == "passed"


def test_a_comparison_that_fails_says_both_sides() -> None:
    status, message = check(f"sum({AMOUNTS}) == subtotal", subtotal=99000)
    assert (status, message[-24:]) == ("failed", "l (35.00 and 99,000.00).")
    assert check("(tax > 1) == False")[1].endswith("(true and false).")


@pytest.mark.parametrize(
    ("expression", "problem"),
    [
        ("subtotal.real", "Attribute is not part of the language"),
        ("().__class__", "Attribute is not part of the language"),
        ("__import__('os')", "there is no function __import__"),
        ("(lambda: 1)()", "a function is called by its name"),
        ("subtotal ** 9", "Pow is not part of the language"),
        ("9 << 9", "LShift is not part of the language"),
        ("[x for x, y in line_items]", "a loop over rows has one name"),
        ("f'{subtotal}'", "JoinedStr is not part"),
        ("b'x' == number", "b'x' is no value"),
        ("1e9000 > 1", "inf is no value"),
        ("subtotl > 1", "the schema has no field subtotl. The nearest are: subtotal"),
        ('line_items[0]["amount"] > 1', "brackets take the name of a field"),
        ('[row["amuont"] for row in line_items]', "the schema has no field amuont"),
        ("sum(x=1)", "without names of arguments"),
        ("1 +", "the expression cannot be read"),
        ("x = 5", "the expression cannot be read"),
        ("+".join(["1"] * 130), "more than 200 parts"),
        ("[1 for a in line_items for b in line_items for c in line_items]", "more than 2 times"),
        ("1" * (MAX_LETTERS + 1), "500 are the most"),
        ("(" * 240 + "1" + ")" * 240, "cannot be read"),
    ],
)
def test_what_is_not_part_of_it_is_refused_before_it_is_stored(expression: str, problem: str) -> None:
    assert problem in find_expression_problem(expression, SchemaPaths(SCHEMA))


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        ("subtotal + due_date > 1", "A value that the expression needs is empty."),
        ("subtotal + number > 1", "“INV-1” is no number"),
        ("subtotal / 0 > 1", "It divides by zero"),
        ("subtotal", "The expression gives 35.00, which is neither true nor false."),
        ("line_items == line_items", "Only single values can be compared"),
        ("number > 1", "“INV-1” is no number"),
        ("days('03/04/2026', '2026-05-01') > 1", "“03/04/2026” is no one date."),
        ("round(1, 2, 3) == 1", "too few or too many arguments"),
        ("min(line_items) == 1", "a group of fields is no number"),
        ("subtotal['amount'] == 1", "subtotal is no group of fields"),
        ("1e300 * 1e300 * 1e300 * 1e300 > 1", "Its numbers are too large"),
        ("subtotal % 0 == 1", "or it divides by zero"),
        ("-(tax > 1) == 1", "true is no number"),
        ("[line_items] > 1", "a list is no number"),
        ("all(name for name in fields)", "fields is no list."),
        ("count([sign for sign in number]) == 5", "number is no list."),
        ("count([row for row in subtotal]) == 0", "subtotal is no list."),
    ],
)
def test_what_cannot_be_computed_says_why(expression: str, reason: str) -> None:
    status, message = check(expression)
    assert status == "not_computed"
    assert reason in message


def test_a_list_that_was_not_found_leaves_the_verdict_open() -> None:
    assert check(f"sum({AMOUNTS}) == subtotal", line_items=None) == ("not_computed", "line_items is empty.")


def test_it_ends_after_so_many_steps() -> None:
    rows = [{"amount": 1}] * 2_000
    status, message = check("any(a['amount'] > b['amount'] for a in line_items for b in line_items)", line_items=rows)
    assert status == "not_computed"
    assert "more rows than it may" in message
    nested = f"all(sum({AMOUNTS}) > 0 for row in line_items)"
    status, message = check(nested, line_items=rows)
    assert status == "not_computed"


def test_each_part_that_is_computed_is_a_step() -> None:
    few = {"line_items": [{"amount": 1}] * 50, "subtotal": 50}
    sums = {"kind": "expression", "expression": f"sum({AMOUNTS}) == subtotal", "field": "total"}
    [enough] = judge_values(sums, few, budget=Budget(1000))
    [too_few] = judge_values(sums, few, budget=Budget(250))
    assert (enough["status"], too_few["status"]) == ("passed", "not_computed")
    assert "too many to compute" in too_few["message"]

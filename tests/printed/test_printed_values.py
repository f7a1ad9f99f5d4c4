"""What is printed may mean something else: signs that several currencies share, months that are other words."""

from __future__ import annotations

import pytest

from agent.citations.statements.measures.bounds import MAXIMUM, MINIMUM, find_bound
from printed.currencies import SYMBOLS, find_code
from printed.dates import find_partial_dates
from printed.quantities import find_quantities


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("$ 5", "USD"),
        ("Total C$ 12.50", "CAD"),
        ("5 zł", "PLN"),
        ("¥9 or €8", "JPY"),
        ("RM51.30", "MYR"),
        ("SEK 5", "SEK"),
        ("12 kr", ""),
        ("Fr. Kern", ""),
        ("ARM 5", ""),
    ],
)
def test_a_sign_is_its_best_known_currency_and_a_word_is_none(text: str, code: str) -> None:
    assert find_code(text) == code


def test_every_currency_has_a_code_of_three_letters() -> None:
    assert all(len(code) == 3 and code.isupper() for code in SYMBOLS)


@pytest.mark.parametrize(("text", "month"), [("3 set of plates", 0), ("3 Set 2026", 9), ("on 5 may", 0), ("5 May", 5)])
def test_a_month_that_is_another_word_needs_its_capital_letter(text: str, month: int) -> None:
    assert [each.month for each in find_partial_dates(text)] == ([month] if month else [])


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("at least 5", MINIMUM),
        ("bis zu 5", MAXIMUM),
        ("not more than 5", MAXIMUM),
        ("is not due up to 5", 0),
        ("nie kosztuje ponad 5", 0),
    ],
)
def test_a_bound_is_none_where_something_is_denied_before_it(text: str, bound: int) -> None:
    assert find_bound(text, text.index("5"), len(text)) == bound


@pytest.mark.parametrize(
    ("text", "values"),
    [("two years", {2, 24}), ("vierundzwanzig Monate", {24, 2}), ("drie weken", {3, 21}), ("quinze jours", {15})],
)
def test_a_time_may_be_printed_in_the_unit_below_or_above(text: str, values: set[int]) -> None:
    [quantity] = find_quantities(text)
    assert quantity.values == values

from __future__ import annotations

import time

import pytest

from documents.reading.exports.formulas import escape_formula


@pytest.mark.parametrize(
    "text",
    [
        "=1",
        "+1",
        "-1",
        "@SUM(1)",
        " =1",
        "\u00ad=1",
        "\u2066=1",
        "\u180e=1",
        "\n",
        "＝1",
        "＋1",
        "－1",
        "＠A",
        "−1",
        "\ufeff=1",
    ],
)
def test_what_a_spreadsheet_would_run_is_told_to_be_text(text: str) -> None:
    assert escape_formula(text) == f"'{text}"


@pytest.mark.parametrize("value", ["a=1", "Total", "", -5, 1.5, None, True, "1-2", "a; b", "a;1"])
def test_other_cells_stay_as_they_are(value: object) -> None:
    assert escape_formula(value) == value


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("x;=1", "x;'=1"),
        ("x\t=1", "x\t'=1"),
        ("x\n =1", "x\n' =1"),
        ("\t=1", "'\t'=1"),
        ("a\n=1", "a\n'=1"),
        ("a\n\n=1", "a\n\n'=1"),
    ],
)
def test_no_formula_begins_inside_of_a_text_where_other_signs_divide_cells(text: str, safe: str) -> None:
    assert escape_formula(text) == safe


def test_a_long_text_of_line_breaks_is_made_safe_in_no_time() -> None:
    text, began = "a" + "\n " * 25_000, time.process_time()
    assert escape_formula(text) == text
    assert time.process_time() - began < 2

"""docs/limits.md shows the values that the code has."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.repository import limits_page

PAGE = limits_page.PAGE.read_text(encoding="utf-8")


def test_the_page_of_limits_is_what_the_code_prints() -> None:
    assert limits_page.print_page(PAGE) == PAGE, "Run `python -m tests.repository.limits_page`."


def test_every_row_is_read_and_none_stands_twice() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("| ") and not line.startswith("| limit ")]
    names = [row["name"] for row in limits_page.ROW.finditer(PAGE)]
    assert len(names) == len(rows) == len(set(names)) > 100


def test_it_names_a_constant_that_is_gone() -> None:
    with pytest.raises(LookupError, match=r"kit\.jobs\.MAX_GONE"):
        limits_page.read_constant("kit.jobs.MAX_GONE")


@pytest.mark.parametrize(
    ("name", "value", "cell", "printed"),
    [
        ("MAX_FILES", 2_000, "500 files", "2,000 files"),
        ("HEAD_SECONDS", 90.0, "0", "90 seconds"),
        ("LONGEST_SECONDS", 1800, "0", "30 minutes"),
        ("MAX_BYTES", 4 * 1024**3, "0", "4 GB"),
        ("MAX_BYTES", 12_000_000, "0", "12 MB"),
        ("LIFETIME", timedelta(days=1), "0", "1 day"),
        ("MAX_TURN_MICROS", 1_000_000_000, "0", "$1,000"),
        ("MAX_DOCUMENTS", {"simple": 1, "detailed": 15}, "1, 5 documents", "1, 15 documents"),
    ],
)
def test_it_prints_a_number_with_its_unit(name: str, value: object, cell: str, printed: str) -> None:
    assert limits_page.print_value(name, value, cell) == printed

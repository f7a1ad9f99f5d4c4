"""Which tests run on PostgreSQL too."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.statements.choosing import choose_covered
from tests.statements.covered import Record, describe_record, read_record
from tests.statements.noting import Notes, name_types, shape_of


def notes(test: str, *shapes: str, cpu: float = 0.01, threads: int = 1, failed: int = 0, always: bool = False) -> Notes:
    return Notes(f"tests/a.py::{test}", cpu, list(shapes), failed, threads, always)


def test_what_two_others_send_for_less_need_not_be_sent_again() -> None:
    tests = [notes("dear", "a", "b", cpu=1), notes("first", "a", "b"), notes("second", "a"), notes("third", "b")]
    assert choose_covered(tests) == ["tests/a.py::dear"]


def test_what_was_chosen_early_is_left_out_when_later_ones_send_all_of_it() -> None:
    kept, wide = notes("kept", "a", "b", "c", "d", always=True), notes("wide", "a", "b", "c", "d", cpu=1)
    narrow = [notes("left", "a", "b", "x", cpu=1), notes("right", "c", "d", "y", cpu=1)]
    assert choose_covered([kept, wide, *narrow]) == ["tests/a.py::wide"]


@pytest.mark.parametrize("name", ["test_research", "test_unlocked", "test_blocks"])
def test_a_name_that_only_contains_such_a_word_is_left_out_like_any(name: str) -> None:
    assert choose_covered([notes("one", "a"), notes("two", "a"), notes(name, "a", cpu=1)]) == [f"tests/a.py::{name}"]


def test_the_only_two_that_send_a_statement_both_run() -> None:
    assert choose_covered([notes("one", "a", "b", cpu=1), notes("two", "a"), notes("three", "b")]) == []


@pytest.mark.parametrize(
    "kept",
    [
        notes("always", "a", cpu=1, always=True),
        notes("failed", "a", cpu=1, failed=1),
        notes("threads", "a", cpu=1, threads=2),
        replace(notes("red", "a", cpu=1), passed=False),
        notes("test_order_of_names", "a", cpu=1),
    ],
)
def test_what_is_about_the_server_always_runs(kept: Notes) -> None:
    assert kept.test not in choose_covered([notes("one", "a"), notes("two", "a"), notes("three", "a"), kept])


def test_a_test_without_a_statement_of_ours_is_covered() -> None:
    assert choose_covered([notes("words")]) == ["tests/a.py::words"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("SELECT a WHERE b IN (%s, %s, %s) LIMIT 21", "SELECT a WHERE b IN (%s, %s) LIMIT 1"),
        ("INSERT INTO a VALUES (%s, %s), (%s, %s)", "INSERT INTO a VALUES (%s, %s)"),
        ('SAVEPOINT "s139_x2"', 'SAVEPOINT "s140_x1"'),
    ],
)
def test_the_same_statement_with_more_of_something_is_the_same(one: str, other: str) -> None:
    assert shape_of(one) == shape_of(other)


def test_another_kind_of_value_is_another_statement() -> None:
    assert name_types([None, "a", 1], False) == "NoneType,int,str" != name_types(["a"], False)
    assert name_types([["a"], ["b"]], True) == "str"


SOURCE = """
from pytest import fixture, mark
LETTERS = ["x y", "z"]
@fixture
def row(): return make()
def make(): return 1
@mark.parametrize("letter", LETTERS)
def test_one(letter): assert letter
def test_two(row): assert row
class TestThree:
    number = 3
    def test_three(self): assert self.number
    def test_four(self): assert True
"""
TESTS = ["test_one[x y]", "test_one[z]", "test_two", "TestThree::test_three", "TestThree::test_four"]


def record_of(folder: Path, covered: list[str]) -> Record:
    """Of covered tests of SOURCE, with `test_a.py` as it is now."""
    file, record = folder / "test_a.py", folder / "covered.txt"
    now = file.read_text() if file.exists() else SOURCE
    file.write_text(SOURCE)
    known = [f"test_a.py::{test}" for test in TESTS]
    record.write_text(describe_record(known, [f"test_a.py::{test}" for test in covered], folder))
    file.write_text(now)
    read_record.cache_clear()
    return read_record(record, folder)


def list_left_out(folder: Path, covered: list[str]) -> list[str]:
    record = record_of(folder, covered)
    return [test for test in TESTS if record.covers(f"test_a.py::{test}")]


@pytest.mark.parametrize(
    ("before", "after", "run_again"),
    [
        ("", "", []),
        ("    def test_four", "    def test_five(self): pass\n    def test_four", []),
        ("import fixture", "import approx, fixture", []),
        ("assert True", "assert 1", ["TestThree::test_four"]),
        ("return 1", "return 2", ["test_two"]),
        ("@fixture", "@fixture(scope='module')", ["test_two"]),
        ("@fixture", "@fixture(autouse=True)", TESTS),
        ("LETTERS =", "letters.register()\nLETTERS =", TESTS),
        ("LETTERS =", "pytestmark = mark.redis\nLETTERS =", TESTS),
        ('"x y", "z"', '"x y", "z", "a"', ["test_one[x y]", "test_one[z]"]),
        ("number = 3", "number = 4", ["TestThree::test_three", "TestThree::test_four"]),
        ("import fixture", "import cache as fixture", ["test_two"]),
    ],
)
def test_only_what_has_changed_or_uses_it_runs_again(
    before: str, after: str, run_again: list[str], tmp_path: Path
) -> None:
    (tmp_path / "test_a.py").write_text(SOURCE.replace(before, after, 1))
    record = record_of(tmp_path, TESTS)
    assert list_left_out(tmp_path, TESTS) == [test for test in TESTS if test not in run_again]
    assert record.changed_tests == len({test.partition("[")[0] for test in run_again})
    assert record.covers_file("test_a.py") == (before == after)


def test_nothing_is_left_out_of_a_file_that_is_new_or_gone(tmp_path: Path) -> None:
    record = record_of(tmp_path, ["test_two"])
    assert not record.covers("test_b.py::test_two") and not record.covers_file("test_a.py")
    (tmp_path / "test_a.py").unlink()
    read_record.cache_clear()
    assert read_record(tmp_path / "covered.txt", tmp_path).changed_tests == 1


def test_one_set_of_parameters_may_be_left_out_alone(tmp_path: Path) -> None:
    assert list_left_out(tmp_path, ["test_one[x y]", "test_two"]) == ["test_one[x y]", "test_two"]

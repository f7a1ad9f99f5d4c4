"""Which tests run on PostgreSQL too."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.statements.choosing import choose_covered
from tests.statements.covered import describe_record, is_covered, list_changed, read_record
from tests.statements.noting import Notes, name_types, shape_of


def notes(test: str, *shapes: str, cpu: float = 0.01, threads: int = 1, failed: int = 0, always: bool = False) -> Notes:
    return Notes(f"tests/a.py::{test}", cpu, list(shapes), failed, threads, always)


def test_what_two_others_send_for_less_need_not_be_sent_again() -> None:
    tests = [notes("dear", "a", "b", cpu=1), notes("first", "a", "b"), notes("second", "a"), notes("third", "b")]
    assert choose_covered(tests) == ["tests/a.py::dear"]


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


def test_a_file_that_has_changed_runs_whole(tmp_path: Path) -> None:
    file, record = tmp_path / "test_a.py", tmp_path / "covered.txt"
    file.write_text("1")
    tests = ["test_a.py::one[x y]", "test_a.py::two", "test_a.py::three"]
    record.write_text(describe_record(tests, tests[:2], tmp_path))
    assert [is_covered(test, read_record(record, tmp_path)) for test in tests] == [True, True, False]
    assert list_changed(record, tmp_path) == []
    file.write_text("2")
    read_record.cache_clear()
    assert not is_covered(tests[0], read_record(record, tmp_path))
    assert list_changed(record, tmp_path) == ["test_a.py"]
    file.unlink()
    assert list_changed(record, tmp_path) == ["test_a.py"]


def test_a_file_of_which_all_is_covered_is_not_even_looked_at(tmp_path: Path) -> None:
    (tmp_path / "test_a.py").write_text("1")
    record = tmp_path / "covered.txt"
    record.write_text(describe_record(["test_a.py::one", "test_b.py::two"], ["test_a.py::one"], tmp_path))
    assert read_record(record, tmp_path) == {"test_a.py": frozenset()}
    assert is_covered("test_a.py::one", {"test_a.py": frozenset()})
    assert not is_covered("test_b.py::two", {"test_a.py": frozenset()})

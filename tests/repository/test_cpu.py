"""What the tests took of CPU, in figures."""

from __future__ import annotations

from tests.cpu import AROUND, Cpu


def test_it_adds_what_each_worker_reports_and_lists_the_costliest_file_first() -> None:
    cpu = Cpu()
    cpu.add("tests/kit/test_env.py", 0.25)
    cpu.merge(
        {"tests/kit/test_env.py": 0.25, "tests/api/test_tags.py": 1.5, AROUND: 1.0}, {"tests/api/test_tags.py": 3}
    )
    assert cpu.describe_total() == "4 tests took 3.0 s of CPU: 750 ms a test"
    assert [line.split("  ")[-1] for line in cpu.list_files()] == [
        "tests/api/test_tags.py",
        AROUND,
        "tests/kit/test_env.py",
    ]
    assert cpu.list_files()[0].split() == ["1.50", "s", "500", "ms", "a", "test", "3", "tests/api/test_tags.py"]


def test_a_run_of_no_tests_has_figures_too() -> None:
    assert Cpu().describe_total() == "0 tests took 0.0 s of CPU: 0 ms a test"

"""How the suites share the cores."""

from __future__ import annotations

import os
import resource

import pytest

from tests.suites import SUITES, Suite, choose_next, describe_use, run_side_by_side


def suite(name: str, *, cores: float = 1, command: str = "true", budget_seconds: int = 1) -> Suite:
    return Suite(name, ((command,),), budget_seconds, cores=cores)


WIDE, NARROW, SMALL = suite("wide", cores=2), suite("narrow", cores=1.1), suite("small", cores=0.6)


@pytest.mark.parametrize(
    ("running", "expected"),
    [((), WIDE), ((WIDE,), None), ((NARROW,), NARROW), ((NARROW, SMALL), None), ((SMALL,), NARROW)],
)
def test_the_first_suite_begins_for_which_there_are_cores(running: tuple[Suite, ...], expected: Suite | None) -> None:
    assert choose_next([WIDE, NARROW, SMALL], running, 2.2) is expected


def test_a_suite_for_more_cores_than_there_are_runs_alone() -> None:
    assert choose_next([WIDE], [], 1) is WIDE
    assert choose_next([WIDE], [SMALL], 1) is None


def test_every_suite_runs_whatever_the_others_said() -> None:
    lines = run_side_by_side([suite("good", cores=2), suite("bad", command="false", cores=2), suite("last")], 2.2)
    assert sorted((line.text.split()[1], line.passed) for line in lines) == [
        ("bad", False),
        ("good", True),
        ("last", True),
    ]


def test_suites_that_fill_no_core_run_together_and_the_journeys_alone() -> None:
    by_name = {each.name: each for each in SUITES}
    browser, chaos, injection, hostile = (by_name[name] for name in ("browser", "chaos", "injection", "hostile"))
    clients = by_name["clients"]
    assert choose_next([injection], [chaos, hostile], 2.2) is injection
    assert choose_next([clients], [chaos, hostile], 2.2) is clients
    assert choose_next([chaos], [browser], 2.2) is None


def test_at_the_end_stands_how_much_of_the_cores_was_used() -> None:
    usage = resource.struct_rusage((6.0, 2.0, *[0] * 14))
    cores = len(os.sched_getaffinity(0))
    assert describe_use(8 / cores, usage) == f"{8 / cores:.0f} s, 8 s of CPU: 100% of {cores} cores"

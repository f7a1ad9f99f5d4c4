"""How the suites share the cores."""

from __future__ import annotations

import os
import resource
import time
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from tests.needs import Need
from tests.suites import (
    FAST_AND_FLOWS,
    SUITES,
    Suite,
    choose_next,
    command_on_servers,
    describe_use,
    list_all,
    run_side_by_side,
)


def suite(name: str, *, cores: float = 1, command: str = "true", budget_seconds: int = 1) -> Suite:
    return Suite(name, ((command,),), budget_seconds, cores=cores, is_patient=not cores)


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


def test_one_patient_suite_after_the_other_takes_what_is_left() -> None:
    patient, other = suite("patient", cores=0), suite("other", cores=0)
    assert choose_next([patient, WIDE], [], 2.2) is patient
    assert choose_next([other, WIDE], [patient], 2.2) is WIDE
    assert choose_next([other, NARROW], [patient, WIDE], 2.2) is None


def test_a_suite_that_needs_a_program_waits_until_it_is_installed_and_the_others_do_not(tmp_path: Path) -> None:
    program = tmp_path / "program"
    needing = suite("needing", command=f"{program}", cores=2)
    installing = suite("installing", command=f"{tmp_path / 'installer'}", cores=2)
    need = Need("A program", partial(wait_for, program), ())
    (tmp_path / "installer").write_text(f"#!/bin/sh\ncp /bin/true {program}\n")
    (tmp_path / "installer").chmod(0o700)
    lines = run_side_by_side([replace(needing, needs=(need,), budget_seconds=9), installing], 2.2)
    assert [line.text.split()[:2] for line in lines] == [["passed", "installing"], ["passed", "needing"]]


def wait_for(path: Path) -> str | None:
    deadline = time.monotonic() + 10
    while not path.exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    return str(path) if path.exists() else None


def test_every_suite_runs_whatever_the_others_said() -> None:
    lines = run_side_by_side([suite("good", cores=2), suite("bad", command="false", cores=2), suite("last")], 2.2)
    assert sorted((line.text.split()[1], line.passed) for line in lines) == [
        ("bad", False),
        ("good", True),
        ("last", True),
    ]


def test_suites_run_together_as_far_as_the_cores_suffice() -> None:
    by_name = {each.name: each for each in (*SUITES, FAST_AND_FLOWS)}
    fast, browser, services = (by_name[name] for name in ("fast+flows", "browser", "services"))
    chaos, injection, hostile, layout = (by_name[name] for name in ("chaos", "injection", "hostile", "layout"))
    assert choose_next([hostile, chaos], [fast], 2.2) is chaos
    assert choose_next([injection], [fast, chaos], 2.2) is injection
    assert choose_next([chaos, hostile], [browser], 2.2) is chaos and choose_next([hostile], [browser], 2.2) is hostile
    assert choose_next([layout], [fast], 2.2) is None and choose_next([layout], [services], 2.2) is layout
    assert choose_next([browser], [fast], 2.2) is None and choose_next([services], [browser], 2.2) is None


def test_where_all_run_fast_tests_and_flows_are_loaded_once() -> None:
    names = {each.name for each in list_all()}
    assert names == {each.name for each in SUITES} - {"fast", "flows"} | {"fast+flows"}
    (command,), (fast,), (flows,) = (
        each.commands for each in (FAST_AND_FLOWS, *(by for by in SUITES if by.name in ("fast", "flows")))
    )
    marks = command[command.index("-m", 3) + 1]
    assert f"{marks} and not flows" == fast[fast.index("-m", 3) + 1]
    assert f"flows and {marks}" == flows[flows.index("-m", 3) + 1]


def test_marked_tests_run_on_servers_and_all_of_them_when_asked() -> None:
    marked, everything = command_on_servers({}), command_on_servers({"TESTS_ON_SERVERS": "all"})
    assert marked[marked.index("-m", 3) + 1] == "services or servers"
    assert "tests/kit/test_locks.py" in marked and "tests/kit/test_env.py" not in marked
    assert "services" not in everything[everything.index("-m", 3) + 1]
    assert not any(each.endswith(".py") for each in everything)


def test_at_the_end_stands_how_much_of_the_cores_was_used() -> None:
    usage = resource.struct_rusage((6.0, 2.0, *[0] * 14))
    cores = len(os.sched_getaffinity(0))
    assert describe_use(8 / cores, usage) == f"{8 / cores:.0f} s, 8 s of CPU: 100% of {cores} cores"

"""A loop maps no memory for its calls, however deep it runs. Each mapping is met as a page fault."""

from __future__ import annotations

import resource
import threading
from collections.abc import Callable

from tests.stack_room import call_with_room

CALLS = 500


def leaf(*_: object) -> None:
    a = b = c = d = e = f = g = h = None
    assert a is b is c is d is e is f is g is h


def count_faults_at(depth: int) -> int:
    if depth:
        return count_faults_at(depth - 1)
    before = resource.getrusage(resource.RUSAGE_THREAD).ru_minflt
    for _ in range(CALLS):
        leaf()
    return resource.getrusage(resource.RUSAGE_THREAD).ru_minflt - before


def count_faults() -> int:
    """At the depth of the most."""
    return max(count_faults_at(depth) for depth in range(200))


def in_new_thread(count: Callable[[], int]) -> int:
    """Whose stack begins empty."""
    counted: list[int] = []
    thread = threading.Thread(target=lambda: counted.append(count()))
    thread.start()
    thread.join()
    return counted[0]


def test_a_loop_maps_no_memory_at_any_depth() -> None:
    assert in_new_thread(lambda: call_with_room(count_faults)) < CALLS


def test_without_room_some_depth_does() -> None:
    """Where an interpreter no longer needs the room, this test says so."""
    assert in_new_thread(count_faults) >= CALLS


def test_it_gives_what_the_function_gives() -> None:
    assert call_with_room(max, 1, 3, key=lambda number: -number) == 1

"""Places at readers: each organization gets its turn, and nobody waits for ever."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest

from kit.errors import Busy
from kit.fair_places import FairPlaces
from reader.pool.readers import ReaderPool
from tests.documents.reader_files import DATA

pytestmark = pytest.mark.servers


def wait_until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 120
    while not is_so() and time.monotonic() < deadline:
        time.sleep(0.001)
    assert is_so()


def serve(places: FairPlaces, taken: str, waiting: str) -> str:
    """The order in which groups, a letter each, get places while those of `taken` are let go."""
    order: list[str] = []

    def ask(group: str) -> None:
        with places.take(group, None):
            order.append(group)

    with ThreadPoolExecutor(len(waiting)) as pool, ExitStack() as held:
        for group in taken:
            held.enter_context(places.take(group, None))
        for number, group in enumerate(waiting, start=1):
            pool.submit(ask, group)
            wait_until(lambda number=number: len(places.waiting) == number)  # type: ignore[misc]
        held.close()
    return "".join(order)


def test_who_asks_for_little_goes_before_the_rest_of_who_asks_for_much() -> None:
    assert serve(FairPlaces(1), "b", "bbbbaca") == "acbabbb"


def test_without_groups_the_first_come_first() -> None:
    places = FairPlaces(1)
    assert serve(places, "a", "aaa") == "aaa"
    assert not places.latest and not places.taken and places.free == 1


def test_a_group_with_a_place_leaves_the_next_to_one_without() -> None:
    places = FairPlaces(2)
    with places.take("b", None):
        assert serve(places, "c", "ba")[0] == "a"


def test_no_more_than_its_size_are_taken_and_who_waits_too_long_is_told_so() -> None:
    places = FairPlaces(1)
    with places.take("a", None), pytest.raises(Busy, match="Try again"), places.take("b", 0.01):
        pass
    assert not places.waiting and places.free == 1


def test_a_reader_is_waited_for_in_turn() -> None:
    pool, widths = ReaderPool(1), list[str]()
    path = DATA / "gen_105.txt"

    def draw(group: str) -> None:
        pool.render(path, 1, 100, group=group)
        widths.append(group)

    with ThreadPoolExecutor(3) as threads, pool.places.take("b", None):
        for number, group in enumerate("bba", start=1):
            threads.submit(draw, group)
            wait_until(lambda number=number: len(pool.places.waiting) == number)  # type: ignore[misc]
    pool.close()
    assert widths == ["a", "b", "b"]


def test_places_hold_under_many_threads() -> None:
    places, inside, most = FairPlaces(3), [0], [0]
    counting = threading.Lock()

    def go(number: int) -> None:
        with places.take(f"{number % 5}", None):
            with counting:
                inside[0] += 1
                most[0] = max(most[0], inside[0])
            with counting:
                inside[0] -= 1

    with ThreadPoolExecutor(10) as threads:
        list(threads.map(go, range(100)))
    assert most[0] <= 3 and places.free == 3 and not places.waiting

from __future__ import annotations

import logging
from collections.abc import Callable

import pytest
from django.db import OperationalError
from psycopg.errors import ProgramLimitExceeded

from accounts.actor import Actor
from documents.models import Tag
from kit.errors import Conflict
from kit.rows.row_guard import RowGuard

pytestmark = [pytest.mark.django_db, pytest.mark.servers]


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def tags(actor: Actor) -> list[str]:
    names = [f"{number:02}" for number in range(6)]
    return [Tag.objects.create(organization=actor.organization, name=name).pk for name in names]


def fails_on(broken: str, seen: list[str], error: type[Exception] = ValueError) -> Callable[[str], None]:
    def handle(key: str) -> None:
        seen.append(key)
        if key == broken:
            raise error("broken")

    return handle


def sweep(guard: RowGuard, handle: Callable[[str], None], *, maximum: int = 100) -> int:
    return guard.run_each(Tag.objects.order_by("name"), handle, maximum=maximum)


def test_a_row_that_fails_keeps_no_other_waiting(tags: list[str], caplog: pytest.LogCaptureFixture) -> None:
    seen: list[str] = []
    assert sweep(RowGuard("tag"), fails_on(tags[0], seen)) == 5
    assert seen == tags
    assert f"tag {tags[0]} failed" in caplog.text and "Traceback" in caplog.text


def test_what_is_refused_is_logged_without_a_traceback(tags: list[str], caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    assert sweep(RowGuard("tag"), fails_on(tags[0], [], Conflict)) == 5
    assert "waits and is tried again later: broken" in caplog.text and "Traceback" not in caplog.text


def test_a_row_that_fails_does_not_take_the_place_of_the_next_again(tags: list[str]) -> None:
    guard, seen = RowGuard("tag", Clock()), list[str]()
    handle = fails_on(tags[0], seen)
    sweep(guard, handle, maximum=1)
    sweep(guard, handle, maximum=1)
    assert seen == tags[:2]


def test_a_row_rests_longer_with_each_failure_and_not_at_all_after_a_success(tags: list[str]) -> None:
    clock = Clock()
    guard, seen = RowGuard("tag", clock), list[str]()
    for seconds in (5, 10, 20, 40, 80, 160, 300, 300):
        sweep(guard, fails_on(tags[0], seen), maximum=1)
        clock.now += seconds - 0.1
        sweep(guard, fails_on(tags[1], []), maximum=1)
        assert seen == tags[:1]
        clock.now += 0.1
        seen.clear()
    sweep(guard, seen.append, maximum=1)
    sweep(guard, seen.append, maximum=1)
    assert seen == [tags[0], tags[0]]


def test_it_ends_when_the_database_fails_and_begins_with_another_row_the_next_time(tags: list[str]) -> None:
    guard, seen = RowGuard("tag", Clock()), list[str]()
    with pytest.raises(OperationalError):
        sweep(guard, fails_on(tags[0], seen, OperationalError))
    assert seen == tags[:1]
    assert sweep(guard, seen.append) == 5


def test_a_row_that_is_too_large_for_postgresql_keeps_no_other_waiting(tags: list[str]) -> None:
    seen: list[str] = []

    def handle(key: str) -> None:
        seen.append(key)
        if key == tags[0]:
            raise OperationalError from ProgramLimitExceeded("string is too long for tsvector")

    assert sweep(RowGuard("tag"), handle) == 5 and seen == tags


def test_it_remembers_a_bounded_number_of_failures(tags: list[str]) -> None:
    guard, seen = RowGuard("tag", Clock(), max_resting=3), list[str]()
    for tag in tags[:4]:
        sweep(guard, fails_on(tag, []), maximum=1)
    sweep(guard, seen.append)
    assert seen == [tags[0], tags[4], tags[5]]

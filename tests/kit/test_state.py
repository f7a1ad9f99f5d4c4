import threading

import pytest

from documents.models import Document, Reading
from kit.errors import Conflict
from kit.rows.state import move, sources, table


def test_sources_are_the_states_that_may_become_another():
    assert sources(table(a="b c", b="c"), "c") == ["a", "b"]


@pytest.fixture
def waiting(actor):
    document = Document.objects.create(organization=actor.organization, name="a.txt", size=1, sha256="0", media_type="")
    return Reading.objects.create(document=document, number=1)


@pytest.mark.django_db
def test_a_move_that_the_table_forbids_changes_nothing(waiting):
    with pytest.raises(Conflict):
        move(waiting, "completed", transitions=Reading.TRANSITIONS, reason="skipped ahead")
    waiting.refresh_from_db()
    assert (waiting.status, waiting.reason) == ("queued", "")


@pytest.mark.django_db
def test_a_condition_that_no_longer_holds_is_a_conflict(waiting):
    with pytest.raises(Conflict):
        move(waiting, "reading", transitions=Reading.TRANSITIONS, where={"fence": 7})


@pytest.mark.django_db(transaction=True)
def test_of_many_movers_at_once_one_wins(waiting):
    won, start = [], threading.Barrier(8)

    def race(number):
        start.wait()
        try:
            move(Reading.objects.get(pk=waiting.pk), "reading", transitions=Reading.TRANSITIONS, fence=number)
            won.append(number)
        except Conflict:
            pass

    racers = [threading.Thread(target=race, args=(n,)) for n in range(1, 9)]
    for racer in racers:
        racer.start()
    for racer in racers:
        racer.join()
    waiting.refresh_from_db()
    assert won == [waiting.fence]

"""Reading workers and their readers, killed with SIGKILL while they read texts and scans."""

from __future__ import annotations

import os
import random
import signal
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from accounts.actor import Actor
from documents.models import READING_LEASE, Page, Reading
from documents.reading import reading
from tests.chaos.killing import Victims
from tests.chaos.test_agent import SEED
from tests.documents.reader_files import pdf
from tests.documents.test_reading_lanes import LOW, LOW_PAGE, PICTURE, put, put_scan

pytestmark = [pytest.mark.chaos, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("fork_server")]
PATIENCE = timedelta(seconds=2)
# Some hundredths of a second to draw.
SLOW = "0 0 200 2 re f " * 20_000 + "BT /F1 2 Tf 20 0 Td (Total 12.50 EUR, net, in thirty days) Tj ET"
GIVEN_UP = ("It was tried 3 times.",)
chance = random.Random(SEED)


def schedule(victims: Victims, slowness: float) -> None:
    """As the scheduler does, only that a lease counts as over sooner; and some reader dies alone."""
    silent = timezone.now() + READING_LEASE.duration - PATIENCE * slowness
    Reading.objects.filter(status="reading", lease_until__lt=silent).update(lease_until=timezone.now())
    reading.requeue_lost_readings()
    # Whoever is killed all the time would be given up, which is not what is tried here.
    Reading.objects.filter(status="queued").update(attempt=0)
    process, _ = chance.choice(victims.running)
    if chance.random() < 0.05:
        kill_a_reader_of(process.pid or 0)


def kill_a_reader_of(worker: int) -> None:
    with suppress(OSError):
        readers = [
            int(pid)
            for task in Path(f"/proc/{worker}/task").iterdir()
            for pid in (task / "children").read_text().split()
        ]
        if readers:
            os.kill(chance.choice(readers), signal.SIGKILL)


def pages_left() -> int:
    """Of readings that have not ended; a listed page is progress as well."""
    rows = Reading.objects.filter(status__in=["queued", "reading"]).values_list("pages_listed", "pages_read")
    return sum(100 - listed - read for listed, read in rows)


def test_every_page_is_read_once_in_either_lane_whoever_is_killed(actor: Actor) -> None:
    for number in range(2):
        put_scan(actor, pages=12)
        put(actor, f"{number}.pdf", pdf([SLOW] * 12, page=LOW_PAGE))
        put(actor, f"{number}, mixed.pdf", pdf([SLOW, PICTURE] * 6, page=LOW_PAGE, images=[LOW]))
    victims = Victims("readings", number=2, life=4, seed=SEED)
    try:
        victims.torment(left=pages_left, between=lambda slowness: schedule(victims, slowness))
    finally:
        victims.end()

    ended = list(Reading.objects.all())
    whole = [row for row in ended if row.status == "completed"]
    print(f"{victims.kills} kills, {len(whole)} of {len(ended)} read")
    assert victims.kills >= 2 and len(whole) >= 3
    assert all(row.reason.endswith(GIVEN_UP) for row in ended if row.status == "failed")
    assert not Page.objects.filter_unread().exists()
    for row in ended:
        numbers = list(row.pages.order_by("number").values_list("number", flat=True))
        assert row.pages_read == row.pages_listed == len(numbers)
        assert row.status == "failed" or numbers == list(range(1, 13))

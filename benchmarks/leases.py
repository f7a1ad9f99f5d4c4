"""What it costs to claim, renew and finish a row: by the fixed SQL of kit.leases against `QuerySet.update`.

    python -m benchmarks.leases [rounds]

Microseconds of CPU a statement, and how many times as much the ORM takes. Both run in one process, in turns, on the
same row of a SQLite in one transaction. The bare statement is what the database itself takes for a renewal.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

from benchmarks.instruments import embedded

embedded.start()

from django.db import connection, transaction  # noqa: E402 - after the environment is there
from django.utils import timezone  # noqa: E402

from agent.models import CALL_LEASE, TURN_LEASE  # noqa: E402
from documents.models import EXTRACTION_LEASE, READING_LEASE  # noqa: E402
from kit.leases import Lease  # noqa: E402
from tests.kit.test_leases import make_waiting  # noqa: E402

BLOCK = 100
TEXT = "What an answer has brought so far. " * 20
LEASES: tuple[Lease[Any], ...] = (READING_LEASE, EXTRACTION_LEASE, TURN_LEASE, CALL_LEASE)


def measure(*ways: Callable[[], object], rounds: int) -> list[float]:
    """Microseconds of CPU of each way, taken in turns so that what else the machine does falls on all alike."""
    seconds = [0.0] * len(ways)
    for _ in range(rounds):
        for position, way in enumerate(ways):
            began = time.process_time()
            for _ in range(BLOCK):
                way()
            seconds[position] += time.process_time() - began
    return [1e6 * each / (rounds * BLOCK) for each in seconds]


def update_by_orm(lease: Lease[Any], row: Any, **changes: Any) -> None:
    """As each user did it before."""
    ours = lease.model.objects.filter(pk=row.pk, status=lease.working, fence=row.fence)
    assert ours.update(lease_until=timezone.now() + lease.duration, **changes)


def cycle_by_orm(lease: Lease[Any], row: Any) -> None:
    waiting = lease.model.objects.filter(pk=row.pk, status__in=[lease.waiting], fence=row.fence)
    until = timezone.now() + lease.duration
    assert waiting.update(status=lease.working, fence=row.fence + 1, lease_until=until, attempt=1)
    row.fence += 1
    ours = lease.model.objects.filter(pk=row.pk, status=lease.working, fence=row.fence)
    assert ours.update(status=lease.waiting, lease_until=None, attempt=0)


def cycle(lease: Lease[Any], row: Any) -> None:
    assert lease.claim(row, attempt=1)
    lease.release(row, attempt=0)


def bare_statement(row: Any) -> Callable[[], object]:
    sql = f"UPDATE {row._meta.db_table} SET lease_until = ? WHERE id = ? AND status = ? AND fence = ?"
    raw = connection.connection
    values = (str(timezone.now()), row.pk, row.status, row.fence)
    return lambda: raw.execute(sql, values)


@transaction.atomic
def compare(lease: Lease[Any], rounds: int) -> None:
    name, row = lease.model.__name__, make_waiting(lease.model)
    orm, fixed = measure(lambda: cycle_by_orm(lease, row), lambda: cycle(lease, row), rounds=rounds)
    print_line(f"{name}: claim and release", orm, fixed)
    assert lease.claim(row)
    text = {"partial_text": TEXT, "partial_thinking": TEXT} if lease is TURN_LEASE else {}
    ways = (lambda: update_by_orm(lease, row, **text), lambda: lease.renew(row, **text), bare_statement(row))
    orm, fixed, bare = measure(*ways, rounds=rounds)
    print_line(f"{name}: renew{' with text' if text else ''}", orm, fixed, f"; the bare statement {bare:.0f}")


def print_line(what: str, orm: float, fixed: float, more: str = "") -> None:
    print(f"{what:30} ORM {orm:4.0f} µs, fixed SQL {fixed:4.0f} µs, {orm / fixed:4.1f} times as much{more}")


if __name__ == "__main__":
    for each in LEASES:
        compare(each, int(sys.argv[1]) if len(sys.argv) > 1 else 20)

"""Claims of rows: a lease says until when the holder counts as alive, and a fence makes a late one harmless.

A claim raises the fence of its row. Whatever the holder writes afterwards is one UPDATE that compares status and fence:
a holder that was taken for dead finds another fence there, and its transaction rolls back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Generic, Protocol, TypeVar

from django.db import models
from django.utils import timezone

from kit.rows.fixed_update import update_row

AnyRow = TypeVar("AnyRow", bound=models.Model)


class LeaseLost(Exception):
    """The row is another's by now, or has ended. No AppError, since nobody is to be told."""


@dataclass(frozen=True)
class Lease(Generic[AnyRow]):
    """A lease on rows of `model`: `waiting` ones become `working`, for `duration` after the last sign of life.

    The model has a column of each name below and a table of transitions. Each method changes the row by one fixed
    UPDATE, with any further `changes`, and brings the instance up to date when it succeeds.
    """

    model: type[AnyRow]
    waiting: str
    working: str
    duration: timedelta
    status: str = "status"
    fence: str = "fence"
    lease_until: str = "lease_until"
    transitions: str = "TRANSITIONS"

    def claim(self, row: AnyRow, **changes: object) -> bool:
        """False when another took it, or it no longer waits."""
        # Compared as well: a row that was claimed and released since it was read has the same status again.
        fence = self._fence_of(row)
        claimed = {self.status: self.working, self.fence: fence + 1, self.lease_until: self._end(), **changes}
        return self._update(row, claimed, where={"pk": row.pk, self.status: self.waiting, self.fence: fence})

    def renew(self, row: AnyRow, **changes: object) -> bool:
        """A sign of life. False when the row is no longer ours."""
        return self._update(row, {self.lease_until: self._end(), **changes}, where=self._ours(row))

    def lock(self, row: AnyRow, *, read: Sequence[str] = (), **changes: object) -> None:
        """Renews, and keeps everybody else from the row until the transaction ends. Raises LeaseLost.

        What to `read` is brought up to date under the lock.
        """
        if not self._update(row, {self.lease_until: self._end(), **changes}, where=self._ours(row), read=read):
            raise LeaseLost

    def finish(self, row: AnyRow, to: str, **changes: object) -> None:
        """The end of the claim: the row moves to `to`. Raises LeaseLost."""
        if to not in getattr(self.model, self.transitions)[self.working]:
            raise ValueError(f"A {self.model._meta.verbose_name} does not become {to} after {self.working}.")
        if not self._update(row, {self.status: to, self.lease_until: None, **changes}, where=self._ours(row)):
            raise LeaseLost

    def release(self, row: AnyRow, **changes: object) -> None:
        """Puts the row back for the next one. Raises LeaseLost."""
        self.finish(row, self.waiting, **changes)

    def fetch_ours(self, row: AnyRow) -> AnyRow | None:
        """The row as it is stored, None when it is no longer ours: the instance may show an end that rolled back."""
        return self.model._base_manager.filter(**self._ours(row)).first()

    def list_working(self) -> models.QuerySet[AnyRow, AnyRow]:
        return self.model._base_manager.filter(**{self.status: self.working})

    def list_lost(self) -> models.QuerySet[AnyRow, AnyRow]:
        """List rows whose holder has given no sign of life for so long, the longest lost first."""
        return self.list_working().filter(**{self._has_ended: timezone.now()}).order_by(self.lease_until)

    def take_over(self, row_id: str) -> AnyRow | None:
        """The row with a fence of our own; None when its holder has renewed the lease, or ended, in the meantime.

        The UPDATE itself compares the lease, so that a holder that is late but alive keeps its work. The lease stays
        as it ended: it says until when the holder worked, and whoever dies here leaves a lost row again.
        """
        row = self.list_working().filter(pk=row_id).first()
        if row is None:
            return None
        lost = {**self._ours(row), self._has_ended: timezone.now()}
        return row if self._update(row, {self.fence: self._fence_of(row) + 1}, where=lost) else None

    def void_all(self) -> int:
        """Ends every lease now; returns how many there were. Right only while no holder lives."""
        now = timezone.now()
        return self.list_working().filter(**{f"{self.lease_until}__gt": now}).update(**{self.lease_until: now})

    def _end(self) -> datetime:
        return timezone.now() + self.duration

    def _ours(self, row: AnyRow) -> dict[str, object]:
        return {"pk": row.pk, self.status: self.working, self.fence: self._fence_of(row)}

    def _fence_of(self, row: AnyRow) -> int:
        return int(getattr(row, self.fence))

    @property
    def _has_ended(self) -> str:
        return f"{self.lease_until}__lte"

    def _update(
        self, row: AnyRow, changes: dict[str, object], *, where: dict[str, object], read: Sequence[str] = ()
    ) -> bool:
        stored = update_row(self.model, changes, where=where, read=read)
        if stored is None:
            return False
        for name, value in (*changes.items(), *zip(read, stored, strict=True)):
            setattr(row, name, value)
        return True


class Claimed(Protocol):
    claimed_at: datetime | None
    lease_until: datetime | None

    worked_ms: int


def count_worked_ms(row: Claimed) -> int:
    """Count the time that claims have worked on it over all tries, which attempts do not count.

    With the present one: until now, or until the lease ended of a holder that died.
    """
    if row.claimed_at is None or row.lease_until is None:
        return row.worked_ms
    until = min(timezone.now(), row.lease_until)
    return row.worked_ms + max(0, round((until - row.claimed_at).total_seconds() * 1000))

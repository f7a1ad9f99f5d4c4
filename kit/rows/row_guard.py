"""Sweeps deal with each row on its own: one that fails is logged, rests for a while, and keeps no other waiting."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from django.db import InterfaceError, OperationalError
from django.db.models import Model, QuerySet

from kit import stopping
from kit.errors import AppError

log = logging.getLogger(__name__)
FIRST_REST_SECONDS, LONGEST_REST_SECONDS = 5.0, 300.0
# program_limit_exceeded: PostgreSQL's documentation, appendix A.
_LIMITS = "54"


def is_limit_failure(error: BaseException) -> bool:
    """Whether one row is too large for PostgreSQL. Django takes that for an OperationalError, as if all would fail."""
    return (getattr(error.__cause__, "sqlstate", None) or "").startswith(_LIMITS)


@dataclass
class _Rest:
    failures: int
    until: float


@dataclass
class RowGuard:
    """`name` says in the log what the rows are. What rests is this process's own knowledge: others try for themselves.

    `clock` gives monotonic seconds.
    """

    name: str
    clock: Callable[[], float] = time.monotonic
    max_resting: int = 1000
    _rests: dict[str, _Rest] = field(default_factory=dict)

    def run_each(self, rows: QuerySet[Model, object], handle: Callable[[str], object], *, maximum: int) -> int:
        """Hands the keys of the first `maximum` rows that do not rest to `handle`; answers how many it handled.

        Raises OperationalError or InterfaceError when it is the database that fails: the rows after this one would
        fail alike.
        """
        handled = 0
        for key in list(rows.exclude(pk__in=self._list_resting()).values_list("pk", flat=True)[:maximum]):
            if stopping.is_set():
                break
            handled += self._run(key, handle)
        return handled

    def _run(self, key: str, handle: Callable[[str], object]) -> bool:
        try:
            handle(key)
        except AppError as error:
            log.info("%s %s waits and is tried again later: %s", self.name, key, error)
            self._let_rest(key)
        except Exception as error:  # The edge of a sweep: what one row fails with must not keep the others waiting.
            # A deadlock may be this row's own, so that it must not come first again.
            self._let_rest(key)
            if isinstance(error, (OperationalError, InterfaceError)) and not is_limit_failure(error):
                raise
            log.exception("%s %s failed and will be tried again", self.name, key)
        else:
            self._rests.pop(key, None)
            return True
        return False

    def _list_resting(self) -> list[str]:
        now = self.clock()
        return [key for key, rest in list(self._rests.items()) if rest.until > now]

    def _let_rest(self, key: str) -> None:
        """Twice as long with each failure. Of too many, the one that failed first is forgotten."""
        before = self._rests.pop(key, None)
        failures = before.failures + 1 if before else 1
        seconds = min(FIRST_REST_SECONDS * 2 ** min(failures - 1, 10), LONGEST_REST_SECONDS)
        self._rests[key] = _Rest(failures, self.clock() + seconds)
        if len(self._rests) > self.max_resting:
            self._rests.pop(next(iter(self._rests)), None)

"""What value checks say, by the place that owns it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from documents.checks.findings import CheckResult, Status
from documents.values import Where


class CheckMessages:
    """A result belongs to the first of its places, one without places to the whole extraction ("")."""

    def __init__(self, results: Iterable[CheckResult]) -> None:
        self._by_place: defaultdict[tuple[str, Where], list[str]] = defaultdict(list)
        for result in results:
            owner = result["places"][0] if result["places"] else ""
            self._by_place[result["status"], owner].append(result["message"])

    def list_failed(self, where: Where) -> tuple[str, ...]:
        return tuple(self._by_place.get((Status.FAILED, where), ()))

    def list_uncomputed(self, where: Where) -> tuple[str, ...]:
        return tuple(self._by_place.get((Status.NOT_COMPUTED, where), ()))

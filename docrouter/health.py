"""`/health`: the process lives. `/ready`: what it needs answers. Only the system admin sees which part does not."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable

from django.contrib.auth.decorators import login_not_required
from django.core.files.storage import FileSystemStorage, default_storage
from django.http import HttpRequest, JsonResponse
from redis.exceptions import RedisError

from kit.processes import heartbeats
from worker.services import write_probe

OK, UNAVAILABLE = {"status": "ok"}, {"status": "unavailable"}
log = logging.getLogger(__name__)


@login_not_required
def health(request: HttpRequest) -> JsonResponse:
    return JsonResponse(OK)


@login_not_required
def ready(request: HttpRequest) -> JsonResponse:
    parts = {name: _passes(check) for name, check in _CHECKS.items()} | _check_workers()
    well = all(parts.values())
    answer: dict[str, object] = dict(OK if well else UNAVAILABLE)
    if parts["database"] and request.user.is_superuser:
        answer["parts"] = {name: "ok" if fine else "unavailable" for name, fine in parts.items()}
    return JsonResponse(answer, status=200 if well else 503)


def _passes(check: Callable[[], bool]) -> bool:
    try:
        return check()
    except Exception as error:  # noqa: BLE001 - each part has its own errors, and all of them mean "not ready"
        log.warning("not ready: %s", error)
        return False


def _check_workers() -> dict[str, bool]:
    """Redis, and the processes that sign there."""
    try:
        return {"redis": True, **heartbeats.find_alive()}
    except (RedisError, OSError) as error:
        log.warning("not ready: %s", error)
        return {"redis": False, **dict.fromkeys(heartbeats.KINDS, False)}


def _check_storage() -> bool:
    if isinstance(default_storage, FileSystemStorage):
        return os.access(default_storage.location, os.W_OK)
    # The answer does not matter; a store that is away raises.
    default_storage.exists("ready")
    return True


_CHECKS: dict[str, Callable[[], bool]] = {"database": write_probe.DATABASE.works, "storage": _check_storage}

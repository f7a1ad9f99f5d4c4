"""The queue of turns: which one runs next, and taking it for this process."""

from __future__ import annotations

import threading
import time
from typing import Any, cast

from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.access import make_role
from agent.models import TURN_LEASE, Turn
from agent.scope_profiles.applied.in_force import make_has_scope
from kit import jobs
from kit.jobs import Job
from kit.rows.fairness import under_way
from kit.rows.fixed_select import FixedSelect
from llm.money import free_slots

# More than one, since several processes look for the same one at once.
CANDIDATES = 8
# Of the threads of one process one looks at a time: a hundred that found the same eight wrote eight times in vain each.
_looking = threading.Lock()


def find_runnable_turns() -> QuerySet[Turn]:
    """Queued turns that need not wait: the organizations with the least under way first, then by age.

    A provider that has as many calls under way as it may have gets no further turn for now.
    """
    queued = Turn.objects.filter(_is_ready(), thread__organization__agent_stopped=False)
    for prefix in free_slots.list_full_prefixes():
        queued = queued.exclude(model__startswith=prefix)
    busy = under_way(TURN_LEASE.list_working(), "thread__organization")
    return queued.annotate(busy=busy).order_by("busy", "created_at")


def _is_ready() -> Q:
    return Q(status=Turn.Status.QUEUED) & (Q(not_before=None) | Q(not_before__lte=timezone.now()))


def claim_next() -> Turn | None:
    """Takes the turn whose time it is; None when there is none, or when others take them all at this moment."""
    with _looking:
        for turn_id in find_runnable_turns().values_list("pk", flat=True)[:CANDIDATES]:
            if turn := claim_turn(turn_id):
                return turn
    return None


def wake_next() -> None:
    """This thread and perhaps a place at a provider are free: whoever waits for them need not wait for the scheduler.

    Not every turn that waits has a wake-up of its own in the broker.
    """
    if Turn.objects.filter(_is_ready()).exists():  # mostly none waits, and then nobody has to be found whose time it is
        for turn_id in find_runnable_turns().values_list("pk", flat=True)[:1]:
            jobs.send(Job.RUN_TURN, turn_id)


@FixedSelect
def _select_queued(turn: str) -> QuerySet[Turn]:
    rows = Turn.objects.select_related(
        "thread__owner", "thread__organization__agent_settings", "thread__document", "started_by"
    ).annotate(
        role_of_owner=make_role("thread__owner", "thread__organization"),
        **make_has_scope("thread__organization"),
    )
    return rows.filter(status=Turn.Status.QUEUED, pk=turn)


def claim_turn(turn_id: str) -> Turn | None:
    """Takes the turn for this process, for one round."""
    turn = _select_queued.first(turn_id)
    if turn is None or (turn.not_before is not None and turn.not_before > timezone.now()):
        return None
    fresh = {"partial_text": "", "partial_thinking": "", "not_before": None, "reason": ""}
    if not TURN_LEASE.claim(turn, attempt=turn.attempt + 1, claimed_at=timezone.now(), **fresh):
        return None
    turn.running_since, turn.owner_role = time.monotonic(), cast(Any, turn).role_of_owner
    return turn

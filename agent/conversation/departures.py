"""What becomes of the threads and rules of somebody who leaves an organization.

Threads, which everybody there reads, go to the heir, so that their cards can be decided. Private ones are theirs
alone and stay closed; nothing runs in them. What they allowed ends: nobody else has said that it may run.
"""

from __future__ import annotations

from contextlib import suppress

from django.db.models import Q, QuerySet

from accounts.actor import Actor
from accounts.models import Member, Role, User
from accounts.services.departures import register_handler
from agent.models import Rule, Thread, Turn
from agent.policy.rules import revoke_rule
from kit.errors import Conflict


def connect() -> None:
    """Once, when all models are loaded."""
    register_handler(hand_over_threads, count_threads)


def hand_over_threads(actor: Actor, member: Member, heir: User | None) -> dict[str, int]:
    rules = _list_rules(member)
    for rule in rules:
        with suppress(Conflict):
            revoke_rule(actor, rule=rule)
    threads = _give_threads(member, heir) if heir else 0
    return {"rules": len(rules), "threads": threads}


def count_threads(member: Member) -> dict[str, int]:
    own = Thread.objects.filter(organization=member.organization_id, owner=member.user_id)
    shared = _list_shared_threads(member).count()
    return {"rules": len(_list_rules(member)), "threads": shared, "private": own.count() - shared}


def _list_shared_threads(member: Member) -> QuerySet[Thread]:
    return Thread.objects.filter(organization=member.organization_id, owner=member.user_id, private=False)


def _list_rules(member: Member) -> list[Rule]:
    of_member = Q(scope=Rule.Scope.USER, user=member.user_id)
    in_threads = Q(scope=Rule.Scope.THREAD, verdict=Rule.Verdict.ALLOW, thread__owner=member.user_id)
    rows = Rule.objects.filter(of_member | in_threads, organization=member.organization_id, revoked_at=None)
    return list(rows.select_related("thread", "organization"))


def _give_threads(member: Member, heir: User) -> int:
    """The heir's rights are not what the turns under way were begun with, so they keep those of the one who leaves."""
    threads = _list_shared_threads(member)
    for turn in _list_live_turns(threads):
        Turn.objects.filter(pk=turn.pk).update(role_ceiling=turn.limit(Role(member.role)), auto_approved=[])
    return threads.update(owner=heir, mode=Thread.Mode.ASK)


def _list_live_turns(threads: QuerySet[Thread]) -> list[Turn]:
    return list(Turn.objects.filter(thread__in=threads, status__in=Turn.LIVE).only("role_ceiling"))

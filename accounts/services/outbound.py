"""Requests to addresses that a person, a model or another server gives: by the organization's rules, and recorded.

Call `fetch` outside of a transaction: it waits for others, and what it records is to stay whatever comes of it.
"""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Organization, OutboundRequest, OutboundRule, Role, User
from accounts.services import audit
from kit.errors import Conflict, Invalid, TooMany
from kit.http import rate_limits
from kit.outbound.fetching import Answer, Bounds, Fetcher, Request, Step
from kit.outbound.network import Network, SystemNetwork
from kit.outbound.rules import Rules, normalize_pattern

MAX_RULES = 200
MAX_KEPT, ROWS_AT_ONCE, SLICES_A_RUN = 200_000, 5_000, 20
Effect = OutboundRule.Effect


def fetch(
    request: Request,
    *,
    purpose: str,
    organization: Organization | None,
    user: User | None = None,
    bounds: Bounds | None = None,
    network: Network | None = None,
) -> Answer:
    """purpose: in a few words, for the list of requests. organization: none for what no member asks for.

    Raises Invalid, Denied, TooLarge, TooMany, and Upstream where the server fails.
    """
    _count(organization)

    def record(step: Step) -> None:
        OutboundRequest.objects.create(
            organization=organization,
            user=user,
            purpose=purpose[:40],
            method=step.method[:10],
            origin=step.target.origin[:300],
            address=step.address[:60],
            status=step.status,
            size=step.size,
            milliseconds=round(step.seconds * 1000),
            is_denied=step.is_denied,
            reason=step.refusal[:300],
        )

    fetcher = Fetcher(make_rules(organization), bounds or Bounds(), network or SystemNetwork(), record)
    return fetcher.fetch(request)


def _count(organization: Organization | None) -> None:
    key = f"outbound:{organization.pk if organization else ''}"
    for quota in rate_limits.count_request([rate_limits.Limit("organization", key, settings.OUTBOUND_PER_MINUTE)]):
        if quota.is_exceeded:
            sentence = f"More than {settings.OUTBOUND_PER_MINUTE} requests to the outside in a minute. Try again later."
            raise TooMany(sentence, retry_after=quota.reset_seconds)


def make_rules(organization: Organization | None) -> Rules:
    rules = OutboundRule.objects.filter(organization=organization).values_list("effect", "pattern")
    patterns = list(rules) if organization else []
    return Rules(
        allowed=tuple(pattern for effect, pattern in patterns if effect == Effect.ALLOW),
        denied=tuple(pattern for effect, pattern in patterns if effect == Effect.DENY),
        ports=settings.OUTBOUND_PORTS,
        private_hosts=settings.OUTBOUND_PRIVATE_HOSTS,
    )


@transaction.atomic
def add_rule(actor: Actor, *, effect: str, pattern: str) -> OutboundRule:
    """Raises Invalid, Denied for who is no admin, and Conflict for a rule that there is."""
    actor.require(Role.ADMIN)
    normalized = normalize_pattern(pattern)
    if effect == Effect.ALLOW and "/" in normalized:
        raise Invalid("A network can be denied; what is allowed is named by its host.")
    if OutboundRule.objects.filter(organization=actor.organization).count() >= MAX_RULES:
        raise Invalid(f"An organization has at most {MAX_RULES} rules for the outside.")
    rule = OutboundRule(
        organization=actor.organization, effect=Effect(effect), pattern=normalized, created_by=actor.user
    )
    try:
        with transaction.atomic():
            rule.save(force_insert=True)
    except IntegrityError:
        raise Conflict(f"There is this rule: {rule}.") from None
    audit.record(actor, "added", rule, rule=str(rule))
    return rule


@transaction.atomic
def remove_rule(actor: Actor, rule: OutboundRule) -> None:
    actor.require(Role.ADMIN)
    audit.record(actor, "removed", rule, rule=str(rule))
    rule.delete()


def delete_old(*, keep: int = MAX_KEPT) -> int:
    """What is older than OUTBOUND_LOG_DAYS, and all but the newest `keep`; how many. For the scheduler."""
    limit = timezone.now() - timedelta(days=settings.OUTBOUND_LOG_DAYS)
    times = OutboundRequest.objects.order_by("-created_at").values_list("created_at", flat=True)
    limit = max([limit, *times[keep : keep + 1]])
    old = OutboundRequest.objects.filter(created_at__lte=limit).order_by("created_at").values_list("pk", flat=True)
    deleted = 0
    for _ in range(SLICES_A_RUN):
        keys = list(old[:ROWS_AT_ONCE])
        if not keys:
            break
        OutboundRequest.objects.filter(pk__in=keys).delete()
        deleted += len(keys)
    return deleted

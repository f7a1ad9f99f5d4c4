"""An organization's rules for the hosts that its requests may ask."""

from __future__ import annotations

from django.conf import settings
from django.db import IntegrityError, transaction

from accounts.actor import Actor
from accounts.models import Organization, OutboundRule, Role
from accounts.services import audit
from kit.errors import Conflict, Invalid
from kit.outbound.rules import Rules, normalize_pattern

MAX_RULES = 200
Effect = OutboundRule.Effect


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

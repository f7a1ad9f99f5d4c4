"""Approving a card together with the rule that spares the next ones like it."""

from __future__ import annotations

from django.db import transaction

from accounts.actor import Actor
from agent.calls import decisions
from agent.models import Rule, ToolCall
from agent.policy import rules
from agent.policy.policy_context import Policy
from kit.errors import Invalid
from kit.ids import new_id


def allow_always(
    actor: Actor,
    *,
    call: ToolCall,
    scope: str,
    version: int | None = None,
    shown_hash: str = "",
    idempotency_key: str = "",
    days: int | None = None,
    seen_ms: int | None = None,
) -> Rule:
    """Approves the card and makes the rule that spares the next ones like it; both or neither.

    `version` and `shown_hash` are what the actor was shown; without them the card as it stands. Raises what `decide`
    raises, and Invalid where the rule would change nothing.
    """
    decisions.expire_overdue(call.turn)
    offered = rules.find_offers(actor, call=call, policy=Policy(call.thread))
    rules.require_right(actor, scope, call.thread)
    if scope not in offered.scopes and call.status == ToolCall.Status.PENDING:
        raise Invalid(f"An allowing rule would change nothing here. {offered.why_none}".strip())
    with transaction.atomic():
        decisions.decide(
            actor,
            call=call,
            kind="approved",
            version=version or call.version,
            shown_hash=shown_hash or call.shown_hash,
            idempotency_key=idempotency_key or new_id(),
            seen_ms=seen_ms,
        )
        return rules.find_or_allow(actor, scope=scope, tool=call.tool, thread=call.thread, days=days)

"""The claim of an approved call, after which no other process runs it."""

from __future__ import annotations

from django.db.models import QuerySet
from django.utils import timezone

from agent.calls import rounds
from agent.models import CALL_LEASE, ToolCall
from agent.scope_profiles.applied.in_force import make_has_scope
from kit.rows.fixed_select import FixedSelect

_JOINED = ("turn__thread__owner", "turn__thread__organization", "turn__thread__document")


@FixedSelect
def _select_approved(call: str) -> QuerySet[ToolCall]:
    rows = ToolCall.objects.select_related(*_JOINED).annotate(**make_has_scope("thread__organization"))
    return rows.filter(pk=call, status=ToolCall.Status.APPROVED)


def claim_call(call_id: str) -> ToolCall | None:
    """Takes the call for this process. Calls of a round that touch the same thing go in the model's order."""
    call = _select_approved.first(call_id)
    if call is None or call.turn.thread.organization.agent_stopped or rounds.is_behind(call):
        return None
    call.thread = call.turn.thread
    call.turn.has_scope = call.has_scope
    # Its UPDATE asks again whether the call is approved: of all that read so, one gets it.
    return call if CALL_LEASE.claim(call, attempt=call.attempt + 1, claimed_at=timezone.now()) else None

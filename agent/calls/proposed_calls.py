"""From what a model asked for to a tool call row: invalid, denied, approved at once, or a card that waits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest

from django.utils.crypto import get_random_string

from agent.calls import plans
from agent.calls.call_checks import Plan, search_evidence
from agent.calls.call_drafts import Draft, RequestedCall, fill_call
from agent.calls.chains import linking
from agent.calls.chains.untried import refuse_untried
from agent.calls.refused.denied import note_denied
from agent.models import Message, ToolCall, Turn
from agent.outside.catalog import find_tool
from agent.policy.permissions import Verdict
from agent.policy.policy_context import Policy, owner_of
from agent.toolkit.signatures import parse_arguments
from documents.extractions.edits import NO_EVIDENCE, Evidence
from kit.errors import AppError, Invalid


def search_requested(turn: Turn, requested: RequestedCall) -> Evidence:
    """What the pages say of a call that the model asks for. Before the transaction that proposes it: it may be long."""
    try:
        tool = find_tool(turn.thread.organization_id, requested.name)
        if tool.search is None:
            return NO_EVIDENCE
        return search_evidence(turn, tool, parse_arguments(requested.arguments_text), actor=owner_of(turn.thread))
    except AppError:
        return NO_EVIDENCE


def propose_round(
    turn: Turn,
    *,
    message: Message,
    requested: Sequence[RequestedCall],
    policy: Policy | None = None,
    evidence: Sequence[Evidence] = (),
) -> list[ToolCall]:
    """Writes the rows of a round's calls, in their order. Nothing a model can write makes this fail.

    They share a `policy`; without one it is read here.
    """
    policy = policy or Policy(turn.thread)
    drafts = [
        Draft(turn, _new_call(turn, message, position, each), each, known or NO_EVIDENCE)
        for position, (each, known) in enumerate(zip_longest(requested, evidence))
    ]
    alone = [draft for draft in drafts if not draft.is_step]
    for draft in alone:
        draft.check(policy)
        draft.call.save(force_insert=True)
    linking.link_drafts(turn, alone, policy)
    for draft in alone:
        draft.record_policy()
    _propose_steps(turn, [draft for draft in drafts if draft.is_step], policy)
    for draft in refuse_untried(drafts):
        draft.call.save()
    calls = [draft.call for draft in drafts]
    note_denied(turn, calls)
    return calls


def _new_call(turn: Turn, message: Message, position: int, requested: RequestedCall) -> ToolCall:
    return ToolCall(
        thread_id=turn.thread_id,
        turn=turn,
        message=message,
        round=message.round,
        position=position,
        # Mistral takes nine letters and digits, no more and no others; every other provider takes these too.
        wire_id=get_random_string(9),
        tool=requested.name[:100],
        proposed_text=requested.arguments_text,
    )


def _propose_steps(turn: Turn, drafts: Sequence[Draft], policy: Policy) -> None:
    """All in one try of the plan: a try for each would do the steps before it as often, while nobody else writes."""
    if not drafts:
        return
    room = plans.count_room(turn)
    for draft in drafts[room:]:
        draft.refuse(Invalid(plans.FULL))
    try:
        if drafts[:room]:
            with plans.simulate_steps(turn):
                for draft in drafts[:room]:
                    draft.check(policy)
                    draft.call.save(force_insert=True)  # For those after it; it is rolled back with the try.
    except AppError as error:
        for draft in drafts[:room]:
            draft.refuse(error)
    for draft in drafts:
        draft.call.save(force_insert=True)
        draft.record_policy()


def revise(call: ToolCall, plan: Plan, why: str) -> ToolCall:
    """The card again, with present preconditions: a new pending revision in place of a stale one. It always asks."""
    fresh = ToolCall(
        thread_id=call.thread_id,
        turn_id=call.turn_id,
        message_id=call.message_id,
        round=call.round,
        position=call.position,
        wire_id=call.wire_id,
        tool=call.tool,
        proposed_text=call.proposed_text,
        proposed=call.proposed,
        decided=call.decided,
        version=call.version + 1,
        replaces=call,
        planned_step=call.planned_step,
        chain=call.chain,
        chain_step=call.chain_step,
        builds_on=call.builds_on,
        preassigned_ids=call.preassigned_ids,
    )
    fill_call(fresh, replace(plan, verdict=Verdict("ask", why)))
    fresh.save(force_insert=True)
    return fresh

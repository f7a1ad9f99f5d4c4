"""From what a model asked for to a tool call row: invalid, denied, approved at once, or a card that waits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import zip_longest

from django.conf import settings
from django.utils import timezone
from django.utils.crypto import get_random_string

from agent.calls import plans
from agent.calls.call_checks import Plan, plan_call, search_evidence
from agent.calls.outcomes import failure_result
from agent.models import Decision, Message, ToolCall, Turn
from agent.policy.permissions import COSTS, COSTS_NOTHING, Verdict
from agent.policy.policy_context import Policy, owner_of
from agent.toolkit.previews import Preview
from agent.toolkit.registry import registry
from agent.toolkit.signatures import Arguments, parse_arguments
from documents.extractions.edits import NO_EVIDENCE, Evidence
from kit.errors import AppError, Invalid
from kit.rows.fixed_select import FixedValues

Status = ToolCall.Status
CUT_OFF = "Your answer reached its length limit inside this call, so it was not run. Send the call again, shorter."
REPEATED = "You have asked for exactly this call three times in this turn. It was not run again: do something else."
REJECTED_BEFORE = "A person has rejected exactly this call in this turn, so it was not shown again. Ask what they want."
MAX_REPEATS = 3
# More cards than these at once nobody reads, which is what a document that asks for hundreds is after.
MAX_AT_ONCE = 50
TOO_MANY = (
    f"One answer may ask for {MAX_AT_ONCE} calls; this one came after those and was not run. Send it again later."
)


@dataclass(frozen=True)
class RequestedCall:
    """One call as the model wrote it. `cut_off` when the answer ended inside it."""

    name: str
    arguments_text: str
    cut_off: bool = False


def search_requested(turn: Turn, requested: RequestedCall) -> Evidence:
    """What the pages say of a call that the model asks for. Before the transaction that proposes it: it may be long."""
    try:
        tool = registry.find(requested.name)
        if tool.search is None:
            return NO_EVIDENCE
        return search_evidence(turn, tool, parse_arguments(requested.arguments_text), actor=owner_of(turn.thread))
    except AppError:
        return NO_EVIDENCE


@dataclass
class _Draft:
    """One call of a round on its way to a row."""

    turn: Turn
    call: ToolCall
    requested: RequestedCall
    evidence: Evidence
    plan: Plan | None = None

    @property
    def is_step(self) -> bool:
        return any(tool.name == self.requested.name and plans.is_planned(self.turn, tool) for tool in registry)

    def check(self, policy: Policy) -> None:
        """Fills the call, or makes it invalid."""
        try:
            self._fill(policy)
        except AppError as error:
            self.refuse(error)

    def _fill(self, policy: Policy) -> None:
        if self.requested.cut_off:
            raise Invalid(CUT_OFF)
        if self.call.position >= MAX_AT_ONCE:
            raise Invalid(TOO_MANY)
        tool = registry.find(self.requested.name)
        self.call.proposed = parse_arguments(self.requested.arguments_text)
        plan = plan_call(
            self.turn,
            tool,
            self.call.proposed,
            actor=policy.owner,
            call=self.call,
            policy=policy,
            evidence=self.evidence,
        )
        self.plan = _deny_repetition(self.turn, plan)
        fill_call(self.call, self.plan)
        if self.call.status == Status.PLANNED:
            plans.add_step(self.call, tool, plan.context)

    def refuse(self, error: AppError) -> None:
        self.call.status, self.call.result = Status.INVALID, failure_result(error)
        self.call.finished_at = timezone.now()

    def write(self) -> None:
        self.call.save(force_insert=True)
        if self.plan and self.call.status in (Status.APPROVED, Status.DENIED):
            _record_rule(self.call, self.plan)


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
        _Draft(turn, _new_call(turn, message, position, each), each, known or NO_EVIDENCE)
        for position, (each, known) in enumerate(zip_longest(requested, evidence))
    ]
    for draft in drafts:
        if not draft.is_step:
            draft.check(policy)
            draft.write()
    _propose_steps(turn, [draft for draft in drafts if draft.is_step], policy)
    return [draft.call for draft in drafts]


def _new_call(turn: Turn, message: Message, position: int, requested: RequestedCall) -> ToolCall:
    return ToolCall(
        thread_id=turn.thread_id,
        turn=turn,
        message=message,
        round=message.round,
        position=position,
        wire_id=get_random_string(9),
        tool=requested.name[:100],
        proposed_text=requested.arguments_text,
    )


def _propose_steps(turn: Turn, drafts: Sequence[_Draft], policy: Policy) -> None:
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
        draft.write()


def _deny_repetition(turn: Turn, plan: Plan) -> Plan:
    """The same thing for the third time, or once more after a person rejected it, is denied."""
    same = _list_same(turn, plan.tool.name, plan.arguments)
    if sum(version == 1 for version, _ in same) >= MAX_REPEATS - 1:
        return replace(plan, verdict=Verdict("deny", REPEATED))
    if any(status == Status.REJECTED for _, status in same):
        return replace(plan, verdict=Verdict("deny", REJECTED_BEFORE))
    return plan


_STATUS = {"allow": Status.APPROVED, "ask": Status.PENDING, "plan": Status.PLANNED, "deny": Status.DENIED}


def fill_call(call: ToolCall, plan: Plan) -> None:
    """Puts the plan and the policy's answer on a call that is not saved yet."""
    copy_plan(call, plan)
    call.status = _STATUS[plan.verdict.outcome]
    call.why_asks = plan.verdict.why[:300] if plan.verdict.outcome in ("ask", "plan") else ""
    call.allowed_by = plan.verdict.allowed_by
    if call.status == Status.DENIED:
        call.result, call.finished_at = {"error": plan.verdict.why}, timezone.now()
    else:
        preview = plan.preview
        call.preview, call.why_asks = dict(preview), reason_to_ask(call.why_asks, preview)
    if call.status == Status.PENDING:
        call.expires_at = timezone.now() + timedelta(days=settings.CARD_EXPIRY_DAYS)


def reason_to_ask(why: str, preview: Preview) -> str:
    """In the words of the true price: the policy knows that a tool may cost, the tool knows the model."""
    return COSTS_NOTHING if why == COSTS and preview.get("is_free") else why


def copy_plan(call: ToolCall, plan: Plan) -> None:
    call.effective, call.preconditions = plan.arguments, plan.preconditions
    call.access, call.effect, call.reach = plan.tool.access, plan.tool.effect, plan.reach
    call.shown_hash = plan.shown_hash


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
        preassigned_ids=call.preassigned_ids,
    )
    fill_call(fresh, replace(plan, verdict=Verdict("ask", why)))
    fresh.save(force_insert=True)
    return fresh


def _record_rule(call: ToolCall, plan: Plan) -> None:
    """The decision that a rule or the mode has made. Reads that no rule speaks of need none."""
    verdict, allowed = plan.verdict, call.status == Status.APPROVED
    if not verdict.rule_id and (plan.tool.is_read or not allowed):
        return
    Decision.objects.create(
        call=call,
        version=call.version,
        kind=Decision.Kind.APPROVED if allowed else Decision.Kind.REJECTED,
        rule_id=verdict.rule_id or None,
        mode=verdict.mode,
        reason=verdict.why,
        shown_hash=call.shown_hash,
        idempotency_key="policy",
    )


_calls_of_tool = FixedValues(
    lambda turn, tool: ToolCall.objects.filter(turn=turn, tool=tool).values_list("effective", "version", "status"),
    "turn",
    "tool",
)


def _list_same(turn: Turn, tool: str, arguments: Arguments) -> list[tuple[int, str]]:
    """(version, status) of all that this turn has asked for of the same. Version 1 counts a card once."""
    calls = _calls_of_tool.list(turn=turn.pk, tool=tool)
    return [(version, status) for effective, version, status in calls if effective == arguments]

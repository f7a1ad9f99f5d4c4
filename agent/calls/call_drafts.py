"""One call of an answer on its way to a row: checked, filled with what the policy says, or refused with a sentence."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone

from agent.calls import plans
from agent.calls.call_checks import Plan, plan_call
from agent.calls.outcomes import failure_result
from agent.models import Decision, ToolCall, Turn
from agent.outside.catalog import find_tool, is_outside, list_outside
from agent.policy.permissions import COSTS, COSTS_NOTHING, Verdict
from agent.policy.policy_context import Policy
from agent.toolkit.old_names import get_present_name
from agent.toolkit.previews import Preview
from agent.toolkit.registry import END_TURN, ToolContext, registry
from agent.toolkit.signatures import Arguments, parse_arguments
from agent.toolkit.tool_kinds import Category, Effect
from documents.extractions.edits import Evidence
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

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", get_present_name(self.name))


@dataclass
class Draft:
    """One call of a round on its way to a row. `error` is why it was refused, `because` the call before it that failed
    first.
    """

    turn: Turn
    call: ToolCall
    requested: RequestedCall
    evidence: Evidence
    plan: Plan | None = None
    error: AppError | None = None
    because: Draft | None = None

    @property
    def takes_effect(self) -> bool:
        """Whether it would change rows at once when it runs, so that later calls of the answer can be tried on top."""
        tool = self.plan.tool if self.plan else None
        lives = self.call.status in (Status.APPROVED, Status.PENDING)
        return lives and tool is not None and not tool.is_read and tool.effect is Effect.LOCAL

    @property
    def is_unusable_definition(self) -> bool:
        """Whether it was to make or change a schema or prompt, and cannot."""
        changes = (tool for tool in registry if tool.category is Category.DEFINITION and not tool.is_read)
        return self.call.status == Status.INVALID and self.requested.name in {tool.name for tool in changes}

    @property
    def organization_id(self) -> str:
        return self.turn.thread.organization_id

    @property
    def is_step(self) -> bool:
        name = self.requested.name
        if is_outside(name):
            tools = list_outside(self.organization_id)
            return any(tool.name == name and plans.is_planned(self.turn, tool) for tool in tools)
        return any(tool.name == name and plans.is_planned(self.turn, tool) for tool in registry)

    def check(self, policy: Policy) -> None:
        """Fills the call, or makes it invalid."""
        try:
            self._fill(self._plan(policy))
        except AppError as error:
            self.refuse(error)

    def check_again(self, policy: Policy) -> bool:
        """As things stand after the calls before it. True where it would do something else than without them.

        What no longer fits is refused: those before it run first.
        """
        first = self.plan
        try:
            # Where nothing differs the caller tries it anyway, for those after it.
            plan = self._plan(policy, simulate=first is None)
            if first and _list_targets(first) == _list_targets(plan):
                return False
            plan = plan if first is None else self._plan(policy)
        except AppError as error:
            self.refuse(error)
            return False
        self.call.result, self.call.finished_at = None, None
        self._fill(plan)
        return True

    def make_context(self) -> ToolContext:
        """To try it as a person would have approved it."""
        assert self.plan  # noqa: S101 - it was checked
        return replace(self.plan.context, actor=self.plan.context.actor.as_agent(by_rule=False))

    def record_policy(self) -> None:
        """The decision of a rule or mode, once it is clear what it was about."""
        if self.plan and self.call.status in (Status.APPROVED, Status.DENIED):
            _record_rule(self.call, self.plan)

    def _plan(self, policy: Policy, *, simulate: bool = True) -> Plan:
        if self.requested.cut_off:
            raise Invalid(CUT_OFF)
        if self.call.position >= MAX_AT_ONCE:
            raise Invalid(TOO_MANY)
        tool = find_tool(self.organization_id, self.requested.name)
        self.call.proposed = parse_arguments(self.requested.arguments_text)
        plan = plan_call(
            self.turn,
            tool,
            self.call.proposed,
            actor=policy.owner,
            call=self.call,
            policy=policy,
            simulate=simulate,
            evidence=self.evidence,
        )
        return _deny_repetition(self.call, plan)

    def _fill(self, plan: Plan) -> None:
        self.plan = plan
        fill_call(self.call, plan)
        if self.call.status == Status.PLANNED:
            plans.add_step(self.call, plan.tool, plan.context)

    def refuse(self, error: AppError, *, because: Draft | None = None) -> None:
        self.plan, self.error, self.because = None, error, because
        self.call.status, self.call.result = Status.INVALID, failure_result(error)
        self.call.finished_at, self.call.why_asks, self.call.expires_at = timezone.now(), "", None


def _list_targets(plan: Plan) -> tuple[object, ...]:
    """What it would do, and to what: a place such as rows.2 is another row once a row before it is gone."""
    return plan.arguments, plan.reach, plan.preconditions.keys()


def _deny_repetition(call: ToolCall, plan: Plan) -> Plan:
    """The same thing for the third time, or once more after a person rejected it, is denied."""
    if plan.tool.name == END_TURN:
        return plan
    same = _list_same(call, plan.tool.name, plan.arguments)
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


@FixedValues
def _select_same(turn: str, tool: str) -> QuerySet[ToolCall, tuple[str, Arguments | None, int, str]]:
    return ToolCall.objects.filter(turn=turn, tool=tool).values_list("pk", "effective", "version", "status")


def _list_same(call: ToolCall, tool: str, arguments: Arguments) -> list[tuple[int, str]]:
    """(version, status) of all else that its turn has asked for of the same. Version 1 counts a card once."""
    rows = _select_same.list(call.turn_id, tool)
    return [(version, status) for pk, effective, version, status in rows if effective == arguments and pk != call.pk]

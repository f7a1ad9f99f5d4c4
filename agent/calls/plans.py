"""Plan mode: writes become the steps of one change set, tried and rolled back, and decided when the plan is presented.

A step is simulated on top of the steps before it, with the ids that it will really get, so a later step may name what
an earlier one makes. Nothing of a simulation stays: each is a savepoint that is rolled back.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils import timezone

from agent import feed
from agent.models import Thread, ToolCall, Turn
from agent.outside.catalog import find_tool_of
from agent.policy.policy_context import context_for, owner_of
from agent.toolkit.registry import Tool, ToolContext
from agent.toolkit.tool_kinds import Effect
from kit.errors import AppError, Invalid
from kit.ids import preassign_ids
from kit.rows.fixed_select import FixedSelect
from kit.rows.state import move

Status = ToolCall.Status
LATER = "It costs or takes time, so it has not been tried: its result is known when the plan is carried out."
# What a person reads at once. Each further step is tried on top of all before it.
MAX_STEPS = 50
FULL = (
    f"A plan has at most {MAX_STEPS} steps, and this one has them. Say now what they do; a person decides on them, "
    "and you can go on after that."
)
CARRIED_OUT = "The plan was carried out."
TO_COME = (Status.PLANNED, Status.PENDING, Status.APPROVED, Status.EXECUTING)


def is_planned(turn: Turn, tool: Tool) -> bool:
    return turn.thread.mode == Thread.Mode.PLAN and not tool.is_read


@FixedSelect
def _select_steps(turn: str) -> QuerySet[ToolCall]:
    return ToolCall.objects.filter(turn=turn, planned_step__gt=0).order_by("planned_step", "version")


def list_steps(turn: Turn, *, before: ToolCall | None = None) -> list[ToolCall]:
    """The steps of the turn's plan, in order: of each its newest revision."""
    newest: dict[int, ToolCall] = {}
    for call in _select_steps.list(turn.pk):
        call.turn = turn
        newest[call.planned_step] = call
    return [call for number, call in newest.items() if before is None or number < before.planned_step]


def count_room(turn: Turn) -> int:
    """How many steps the plan still takes."""
    return max(0, MAX_STEPS - sum(step.status in TO_COME for step in list_steps(turn)))


@contextmanager
def simulate_steps(turn: Turn, *, before: ToolCall | None = None) -> Iterator[None]:
    """Inside, the plan's steps (those before one of them) that have not run yet are done. Afterwards nothing is.

    The turn is locked: a step that ran meanwhile would have taken the ids that it is simulated with.
    """
    with transaction.atomic():
        Turn.objects.select_for_update().get(pk=turn.pk)
        for step in list_steps(turn, before=before):
            if step.status in TO_COME:
                _simulate_step(turn, step)
        yield
        transaction.set_rollback(True)


def _simulate_step(turn: Turn, step: ToolCall) -> None:
    tool = find_tool_of(step)
    if tool.effect is not Effect.LOCAL:
        return
    context = context_for(turn, owner_of(turn.thread).as_agent(by_rule=False), call_id=step.pk)
    try:
        with preassign_ids(step.preassigned_ids):
            tool.run(context, **(step.effective or {}))
    except AppError as error:
        raise Invalid(f"Step {step.planned_step} of the plan cannot be done any more: {error.sentence}") from error


def add_step(call: ToolCall, tool: Tool, context: ToolContext) -> None:
    """Makes the call the next step, with what it will answer. Call it inside `simulate_steps`."""
    call.planned_step = (context.turn.calls.aggregate(last=Max("planned_step"))["last"] or 0) + 1
    call.result = {"note": LATER}
    if tool.effect is Effect.LOCAL:
        with preassign_ids() as call.preassigned_ids, transaction.atomic():
            call.result = tool.run(context, **(call.effective or {}))


def publish_cards(turn: Turn) -> list[ToolCall]:
    """The plan is presented: inside the caller's transaction its new steps become cards, and are answered."""
    cards = [step for step in list_steps(turn) if step.status == Status.PLANNED]
    expires_at = timezone.now() + timedelta(days=settings.CARD_EXPIRY_DAYS)
    for card in cards:
        move(card, Status.PENDING, transitions=ToolCall.TRANSITIONS, expires_at=expires_at, result=None)
    for card in cards:
        feed.report_call(card)
    return cards


def find_dependents(step: ToolCall, plan: Sequence[ToolCall] | None = None) -> list[ToolCall]:
    """The later steps that wait and name what this one would have made, directly or by another."""
    dependents: list[ToolCall] = []
    for later in list_steps(step.turn) if plan is None else plan:
        is_later = later.planned_step > step.planned_step and later.status in (Status.PENDING, Status.APPROVED)
        if is_later and any(_names_result_of(later, earlier) for earlier in (step, *dependents)):
            dependents.append(later)
    return dependents


def find_prerequisites(step: ToolCall, plan: Sequence[ToolCall]) -> list[ToolCall]:
    """The earlier steps whose makings this one names."""
    return [earlier for earlier in plan if earlier.planned_step < step.planned_step and _names_result_of(step, earlier)]


def find_unfinished_before(step: ToolCall, plan: Sequence[ToolCall]) -> list[ToolCall]:
    """The earlier steps that have not ended: an approved step runs after them."""
    return [call for call in plan if call.planned_step < step.planned_step and call.status not in ToolCall.TERMINAL]


def _names_result_of(later: ToolCall, earlier: ToolCall) -> bool:
    named = str(later.effective)
    return any(row_id in named for row_id in earlier.preassigned_ids)


def complete_if_carried_out(turn: Turn) -> bool:
    """Completes a turn whose whole plan ran. Where something was refused or failed the model goes on: False.

    Also where a step's result is news to it, as that of an extraction: it looks at that and reports.
    """
    plan = list_steps(turn)
    if not plan or any(step.status != Status.SUCCEEDED for step in plan) or _has_news(turn, plan):
        return False
    move(turn, Turn.Status.COMPLETED, transitions=Turn.TRANSITIONS, finished_at=timezone.now(), reason=CARRIED_OUT)
    feed.report_turn(turn)
    return True


def _has_news(turn: Turn, plan: Sequence[ToolCall]) -> bool:
    """Whether a step that could not be tried has run since the model's last round."""
    since = turn.claimed_at
    return any(
        find_tool_of(step).effect is not Effect.LOCAL
        and (since is None or (step.finished_at is not None and step.finished_at > since))
        for step in plan
    )

"""After a person edited a step: what builds on it and still waits is checked again, on top of what it became."""

from __future__ import annotations

import copy
from datetime import timedelta

from django.conf import settings
from django.utils import timezone

from agent import feed
from agent.calls import call_checks, call_drafts
from agent.calls.call_checks import Plan
from agent.calls.chains import members
from agent.models import ToolCall, Turn
from agent.outside.catalog import find_tool_of
from agent.policy.policy_context import owner_of
from kit.errors import AppError, NotFound
from kit.ids import new_id
from kit.rows.state import move

Status = ToolCall.Status
EDITED = "Step {step} was edited after this was approved, and this would do something else now. It asks again."
UNFIT = "Step {step} was edited, and this does not fit what it is now: {why} Edit this step, or reject it."


def refit_dependents(turn: Turn, edited: ToolCall) -> None:
    """In the transaction of the decision. A step that does not fit any more waits, with a sentence, to be edited.

    Its face changes with what it shows: who saw the earlier one decides nothing by it. One that was approved already
    asks again where it would do something else by now.
    """
    for step in members.find_dependents(edited):
        if step.status not in (Status.PENDING, Status.APPROVED):
            continue
        fresh = copy.copy(step)
        try:
            _write_plan(fresh, _plan_again(turn, fresh))
        except AppError as error:
            _mark_unfit(fresh, UNFIT.format(step=edited.chain_step, why=error.sentence))
        if step.status == Status.PENDING:
            fresh.save(update_fields=["effective", "preconditions", "reach", "preview", "shown_hash", "why_asks"])
            feed.report_call(fresh)
        elif fresh.shown_hash != step.shown_hash or fresh.reach != step.reach:
            _ask_again(step, fresh, EDITED.format(step=edited.chain_step))


def _ask_again(step: ToolCall, fresh: ToolCall, why: str) -> None:
    """`fresh`, filled already, becomes a new pending revision in place of an approved step."""
    now = timezone.now()
    move(step, Status.STALE, transitions=ToolCall.TRANSITIONS, result={"reason": why}, finished_at=now)
    fresh.pk, fresh.version, fresh.replaces, fresh.why_asks = new_id(), step.version + 1, step, why
    fresh.status, fresh.expires_at = Status.PENDING, now + timedelta(days=settings.CARD_EXPIRY_DAYS)
    fresh.save(force_insert=True)
    feed.report_call(step)
    feed.report_call(fresh)


def _plan_again(turn: Turn, step: ToolCall) -> Plan:
    """From what the model wrote, so that a patch is a patch of what the earlier step became.

    A name that the edit has changed is not there any more: then by the ids that were written in its place.
    """
    try:
        return _plan(turn, step, step.decided or step.proposed or {})
    except NotFound:
        return _plan(turn, step, step.effective or {})


def _plan(turn: Turn, step: ToolCall, arguments: dict[str, object]) -> Plan:
    with members.simulate_foundations(turn, step):
        plan = call_checks.plan_call(turn, find_tool_of(step), arguments, actor=owner_of(turn.thread), call=step)
        step.preview = dict(plan.preview)
        return plan


def _write_plan(step: ToolCall, plan: Plan) -> None:
    why = call_drafts.reason_to_ask(plan.verdict.why[:300] or step.why_asks, step.preview)
    step.effective, step.preconditions, step.reach = plan.arguments, plan.preconditions, plan.reach
    step.shown_hash, step.why_asks = plan.shown_hash, why


def _mark_unfit(step: ToolCall, problem: str) -> None:
    step.preview = {**step.preview, "problem": problem}
    step.shown_hash = call_checks.compute_shown_hash(step.tool, step.effective or {}, {"unfit": 1})

"""The second guard: an approved call takes effect once, whatever dies while it runs.

A claim raises the fence. The effect, its result and the end of the call are one transaction that begins by checking
the fence: an executor that was taken for dead finds another fence there, and everything it did rolls back.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from typing import TypeAlias

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import AuditEntry
from accounts.services import audit
from agent import feed
from agent.calls import call_checks, proposed_calls, rounds, withdrawal
from agent.calls.call_words import STOPPED, describe_changes, get_step
from agent.calls.jobs.job_ends import find_job
from agent.calls.leases.claiming import claim_call
from agent.calls.outcomes import failure_result
from agent.calls.refused.denied import note_denied
from agent.calls.refused.refusing import refuse_turn
from agent.calls.screening.results import describe_empty, screen_result
from agent.calls.working_state import keep_in_mind, save_working_state
from agent.models import CALL_LEASE, ToolCall, Turn
from agent.outside.calling import OutcomeUnknown
from agent.outside.catalog import find_tool_of
from agent.policy.policy_context import actor_for, context_for
from agent.toolkit.registry import Result, Tool, ToolContext
from agent.toolkit.signatures import Arguments
from agent.toolkit.tool_kinds import Effect
from documents.extractions.edits import Evidence, store_with_evidence
from kit import stopping
from kit.cleanup import on_failure
from kit.errors import AppError, Conflict
from kit.ids import preassign_ids
from kit.leases import LeaseLost, count_worked_ms
from kit.rows.state import move
from llm.client import Cancelled

log = logging.getLogger(__name__)
MAX_ATTEMPTS = 5
Status = ToolCall.Status
Outcome: TypeAlias = tuple[Status, Result]
GIVEN_UP = "This was tried five times and broke off each time. Nothing was changed."
TOO_LONG = "This ran for {minutes} minutes in all, and broke off each time. Nothing was changed."
BROKEN_OFF = "The worker stopped as this ran outside DocRouter."


def execute(call_id: str, *, holder: str) -> None:
    """Runs an approved call. Does nothing when it is another's, not approved, or not its turn yet."""
    call = claim_call(call_id)
    if call is not None:
        execute_claimed(call, holder=holder)


def execute_claimed(call: ToolCall, *, holder: str) -> None:
    """The same for a call that this process has claimed."""
    log.info("%s executes %s %s", holder, call.tool, call.pk)
    try:
        with on_failure(lambda: release_call(call), but=LeaseLost):
            _run_call(call)
    except LeaseLost:
        log.info("call %s was taken over, this pass is dropped", call.pk)


def release_call(call: ToolCall, *, counts: bool = True) -> None:
    """A claim that broke off. Another process may try, except where it could happen twice: a person looks at that.

    The time it took counts even where the attempt does not: what never ends would be taken up after each restart.
    """
    try:
        stored = CALL_LEASE.fetch_ours(call)
        if stored is None:
            raise LeaseLost
        call, worked_ms = stored, count_worked_ms(stored)
        if call.effect == Effect.EXTERNAL:
            _mark_outcome_unknown(call)
        elif counts and call.attempt >= MAX_ATTEMPTS:
            _finish_call(call, Status.FAILED, {"error": GIVEN_UP})
        elif worked_ms >= settings.WORK_LIMIT_SECONDS * 1000:
            _finish_call(call, Status.FAILED, {"error": TOO_LONG.format(minutes=worked_ms // 60_000)})
        else:
            attempt = call.attempt if counts else call.attempt - 1
            CALL_LEASE.release(call, attempt=attempt, worked_ms=worked_ms)
    except LeaseLost:
        log.info("call %s was taken over meanwhile", call.pk)


@transaction.atomic
def resolve_outcome(actor: Actor, *, call: ToolCall, happened: bool) -> ToolCall:
    """A person reports the outcome of a call, and its turn goes on. Conflict when somebody has reported it before."""
    actor.require(find_tool_of(call).needed_role)
    turn = rounds.lock_turn(call.turn_id)
    result = {"note": f"{actor.shown_name} reported: it {'happened' if happened else 'did not happen'}."}
    to = Status.SUCCEEDED if happened else Status.FAILED
    try:
        move(
            call,
            to,
            transitions=ToolCall.TRANSITIONS,
            only_from=[Status.IN_DOUBT],
            result=result,
            finished_at=timezone.now(),
        )
    except Conflict:
        raise Conflict("Somebody has reported the outcome already.") from None
    audit.record(actor, "resolved", call, tool=call.tool, happened=happened)
    if not happened:
        withdrawal.withdraw_dependents(call)
    rounds.resume_after_doubt(turn)
    feed.report_call(call)
    return call


def _run_call(call: ToolCall) -> None:
    """A failure that the tool can put into a sentence is a result, which the model corrects from."""
    try:
        tool = find_tool_of(call)
        context = replace(context_for(call.turn, actor_for(call), call_id=call.pk), tool=call.tool)
        if tool.is_read and not tool.writes_thread:
            _run_read(call, tool, context)
        elif tool.effect is Effect.LOCAL:
            _run_local(call, tool, context)
        elif not _end_if_changed(call, tool, context):  # `_commit` would be too late for what is sent out or paid
            _run_long(call, tool, context)
    except AppError as error:
        _finish_call(call, Status.FAILED, failure_result(error))


def _run_read(call: ToolCall, tool: Tool, context: ToolContext) -> None:
    """In no transaction, since it may take long and has no effect to roll back."""
    if tool.asks_model:
        context.cancelled = lambda: not _may_go_on(call)
    try:
        outcome = _attempt(lambda: tool.run(context, **_arguments(call)))
    except Cancelled:
        return _end_stopped(call)
    return _commit(call, tool, context, lambda: outcome)


def _run_local(call: ToolCall, tool: Tool, context: ToolContext) -> None:
    """What the effect needs of the pages is searched before its transaction, and again when that came too late."""

    def commit(evidence: Evidence) -> None:
        context.evidence = evidence
        _commit(call, tool, context, lambda: _take_effect(lambda: tool.run(context, **_arguments(call))))

    store_with_evidence(lambda: tool.find_evidence(context, _arguments(call)), commit)


def _run_long(call: ToolCall, tool: Tool, context: ToolContext) -> None:
    """Models, files and the outside world, in no transaction. After a crash `prepare` runs, and is paid, again."""
    context.cancelled = lambda: not _may_go_on(call)
    try:
        draft = tool.run(context, **_arguments(call))
    except Cancelled:
        return _end_stopped(call)
    except OutcomeUnknown as unknown:
        return _mark_outcome_unknown(call, unknown.sentence)
    if tool.apply is None:
        return _finish_call(call, Status.SUCCEEDED, draft, context)
    apply = tool.apply
    return _commit(call, tool, context, lambda: _take_effect(lambda: apply(context, draft)))


def _end_stopped(call: ToolCall) -> None:
    """A worker that is to stop leaves the call to another; a turn that was stopped ends it."""
    if stopping.is_set():
        release_call(call, counts=False)
    else:
        _finish_call(call, Status.FAILED, {"error": STOPPED})


@feed.one_transaction()
def _commit(call: ToolCall, tool: Tool, context: ToolContext, effect: Callable[[], Outcome]) -> None:
    """One transaction: still ours, still allowed, still as shown; the effect; its result and the end of the call."""
    turn = rounds.lock_turn(call.turn_id)
    CALL_LEASE.lock(call)
    if not tool.is_read:
        rounds.lock_documents(context, tool, _arguments(call))
    if _end_if_not_as_shown(call, tool, context):
        return
    with preassign_ids(call.preassigned_ids) if call.preassigned_ids else nullcontext():
        status, result = effect()
    inverse = tool.inverse(context, _arguments(call), result) if tool.inverse and status == Status.SUCCEEDED else None
    job_id = find_job(call, result)
    status, result = _screen(turn, call, tool, (status, result))
    _end_call(call, status, result=result, inverse=inverse, job_id=job_id)
    rounds.finish_round_if_done(turn)
    if status == Status.SUCCEEDED:
        keep_in_mind(context, tool, _arguments(call), result)
    feed.report_call(call)


def _screen(turn: Turn, call: ToolCall, tool: Tool, outcome: Outcome) -> Outcome:
    """Without what a scope profile refuses. A change that was made stays one, whatever is left out of its words."""
    status, result = outcome
    screened = screen_result(call, tool, result)
    if screened.is_refused:
        refuse_turn(turn)
    if not screened.is_refused and screened.result is not None:
        return status, screened.result
    return Status.FAILED if tool.is_read else status, describe_empty(screened)


def _take_effect(effect: Callable[[], Result]) -> Outcome:
    """In a savepoint: of an effect that fails nothing stays."""
    return _attempt(transaction.atomic(effect))


def _attempt(run: Callable[[], Result]) -> Outcome:
    try:
        return Status.SUCCEEDED, run()
    except AppError as error:
        return Status.FAILED, failure_result(error)


@feed.one_transaction()
def _end_if_changed(call: ToolCall, tool: Tool, context: ToolContext) -> bool:
    rounds.lock_turn(call.turn_id)
    return _end_if_not_as_shown(call, tool, context)


def _end_if_not_as_shown(call: ToolCall, tool: Tool, context: ToolContext) -> bool:
    """Whether the call ended here because the policy now refuses it, or because a person has to look again.

    In a transaction that has locked the turn.
    """
    plan = call_checks.plan_call(
        call.turn, tool, _arguments(call), actor=context.actor, call=call, simulate=False, evidence=context.evidence
    )
    if plan.verdict.outcome == "deny":
        _finish_call(call, Status.DENIED, {"error": plan.verdict.why})
        return True
    by_person = context.actor.origin == AuditEntry.Origin.AGENT_APPROVED  # as `actor_for` found the decision
    if plan.verdict.outcome in ("ask", "plan") and not by_person:
        why = plan.verdict.why
    elif call.turn.origin == Turn.Origin.HEADLESS:
        return False  # Nobody was shown anything: what no longer fits, the service itself refuses.
    elif plan.preconditions != call.preconditions or plan.reach != call.reach:
        why = describe_changes(call.preconditions, plan.preconditions)
    else:
        return False
    _end_call(call, Status.STALE, result={"reason": why})
    fresh = proposed_calls.revise(call, plan, why)
    feed.report_call(call)
    feed.report_call(fresh)
    return True


@feed.one_transaction()
def _finish_call(call: ToolCall, to: Status, result: Result, context: ToolContext | None = None) -> None:
    turn = rounds.lock_turn(call.turn_id)
    if context is not None:
        to, result = _screen(turn, call, find_tool_of(call), (to, result))
    _end_call(call, to, result=result)
    note_denied(turn, [call])
    rounds.finish_round_if_done(turn)
    if context is not None:
        save_working_state(context)
    feed.report_call(call)


@transaction.atomic
def _mark_outcome_unknown(call: ToolCall, because: str = BROKEN_OFF) -> None:
    turn = rounds.lock_turn(call.turn_id)
    CALL_LEASE.finish(call, Status.IN_DOUBT)
    if turn.status == Turn.Status.AWAITING_APPROVAL:
        why = f"{because} Look whether it happened, and report it on the card."
        move(turn, Turn.Status.PAUSED, transitions=Turn.TRANSITIONS, pause_reason=Turn.Pause.IN_DOUBT, reason=why)
    feed.report_call(call)
    feed.report_turn(turn)


def _may_go_on(call: ToolCall) -> bool:
    """Asked some four times a second while a model works: keeps the lease, and looks whether to stop."""
    if stopping.is_set() or not Turn.objects.filter(pk=call.turn_id, cancel_requested_at=None).exists():
        return False
    if call.lease_until and call.lease_until - timezone.now() < CALL_LEASE.duration / 2:
        return CALL_LEASE.renew(call)
    return True


def _arguments(call: ToolCall) -> Arguments:
    return dict(call.effective or {})


def _end_call(call: ToolCall, to: Status, **changes: object) -> None:
    CALL_LEASE.finish(call, to, finished_at=timezone.now(), **changes)
    if get_step(call) and to in (Status.FAILED, Status.DENIED):
        withdrawal.withdraw_dependents(call)
